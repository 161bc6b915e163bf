import { isExtendedResourceName } from '../../api/resources.ts';
import type { AllocationForm, ResourceFilterForm, ResourceShortage } from '../../framework/column-forms.ts';
import { type CycleState, missingState, stateKey } from '../../framework/cycle-state.ts';
import type { ClusterEventWithHint } from '../../framework/events.ts';
import { NodeInfo } from '../../framework/node-info.ts';
import type { NodeTally } from '../../framework/node-tally.ts';
import type { FilterPlugin, PreFilterPlugin, PreScorePlugin, ScorePlugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { errorStatus, type Status, unresolvable, unschedulable } from '../../framework/status.ts';
import type { Int64 } from '../../lib/int64.ts';
import { subtract } from '../../lib/int64.ts';
import { nodeResourcesFitEvents } from './hints.ts';
import { amountOf, CPU_AND_MEMORY, resourceUse, withPod } from './resource-amounts.ts';
import { ResourceTally } from './resource-tally.ts';
import {
  leastAllocatedScore,
  mostAllocatedScore,
  requestedToCapacityRatioScore,
  type ScoringStrategy,
  scoreOfPercentTable,
  type WeighedUse,
} from './scoring-strategy.ts';

export const NODE_RESOURCES_FIT = 'NodeResourcesFit';

const TOO_MANY_PODS = 'Too many pods';

export interface NodeResourcesFitArgs {
  readonly scoringStrategy: ScoringStrategy;
  /** Extended resources that the filter leaves to others. */
  readonly ignoredResources?: readonly string[];
  /** The same for all resources of a domain: `example.com` for `example.com/gpu`. */
  readonly ignoredResourceGroups?: readonly string[];
}

const DEFAULT_FIT_ARGS: NodeResourcesFitArgs = {
  scoringStrategy: { type: 'LeastAllocated', resources: CPU_AND_MEMORY },
};

/** What the pod asks for at all, in the order in which shortages are reported. */
const REQUESTED = stateKey<readonly RequestedResource[]>('NodeResourcesFit');

interface RequestedResource {
  readonly name: string;
  readonly request: Int64;
}

type Points = PreFilterPlugin & FilterPlugin & PreScorePlugin & ScorePlugin;

/** Rejects nodes without room for the pod's requests; scores nodes by how full they would be. */
export class NodeResourcesFit implements Points, ResourceFilterForm {
  readonly name = NODE_RESOURCES_FIT;
  readonly filterReads = 'kernel';
  readonly scoreReads = 'kernel';
  readonly resourceFilter: ResourceFilterForm = this;
  readonly resourceScore: AllocationForm;
  readonly strategy: ScoringStrategy;
  /** RequestedToCapacityRatio only: score for each whole percent of utilisation. */
  readonly scoreOfPercent: readonly number[];
  readonly #ignored: ReadonlySet<string>;
  readonly #ignoredGroups: ReadonlySet<string>;

  constructor(args: NodeResourcesFitArgs = DEFAULT_FIT_ARGS) {
    this.strategy = args.scoringStrategy;
    this.scoreOfPercent = 'shape' in args.scoringStrategy ? scoreOfPercentTable(args.scoringStrategy.shape) : [];
    const { type: strategy, resources } = args.scoringStrategy;
    this.resourceScore = { kind: 'allocation', strategy, resources, scoreOfPercent: this.scoreOfPercent };
    this.#ignored = new Set(args.ignoredResources);
    this.#ignoredGroups = new Set(args.ignoredResourceGroups);
  }

  /** Hints know nothing of ignored resources, as upstream. */
  eventsToRegister(): readonly ClusterEventWithHint[] {
    return nodeResourcesFitEvents({
      fits: (pod, node) => this.#fitsAlone(pod, new NodeInfo(-1, 0, node)),
      requested: requestedResources,
    });
  }

  preFilter(state: CycleState, pod: PodInfo): null {
    const { requests } = pod.requirements;
    state.write(
      REQUESTED,
      this.filteredResources(pod).map((name) => ({ name, request: amountOf(requests, name) })),
    );
    return null;
  }

  /** What the filter compares for this pod, in the order in which shortages are reported: scalar resources last. */
  filteredResources(pod: PodInfo): string[] {
    return requestedResources(pod).filter((name) => !this.#isIgnored(name));
  }

  filter(state: CycleState, _pod: PodInfo, node: NodeInfo): Status | null {
    const requested = state.read(REQUESTED);
    if (requested === undefined) return errorStatus(this.name, missingState(`PreFilter${this.name}`));
    return this.#verdict(requested, node, node.pods.length, (name) =>
      subtract(amountOf(node.allocatable, name), amountOf(node.requested, name)),
    );
  }

  tally(state: CycleState, _pod: PodInfo, node: NodeInfo, expected: readonly PodInfo[]): NodeTally | null {
    const requested = state.read(REQUESTED);
    // Without its PreFilter the filter fails, however much room there is.
    if (requested === undefined) return null;
    const tally = new ResourceTally(requested, node, (podCount, rooms) =>
      this.#verdict(requested, node, podCount, (_name, position) => rooms[position]?.free ?? 0),
    );
    for (const pod of expected) tally.add(pod);
    return tally;
  }

  /** `filter` for a node that holds `podCount` pods, which leave so much of each resource. */
  #verdict(
    requested: readonly RequestedResource[],
    node: NodeInfo,
    podCount: number,
    freeOf: (name: string, position: number) => Int64,
  ): Status | null {
    const reasons: string[] = [];
    let resolvable = true;
    if (podCount + 1 > node.allowedPodCount) reasons.push(TOO_MANY_PODS);
    let position = 0;
    for (const { name, request } of requested) {
      if (request <= freeOf(name, position++)) continue;
      reasons.push(insufficient(name));
      // More than the node has at all: no eviction can help.
      if (request > amountOf(node.allocatable, name)) resolvable = false;
    }
    if (reasons.length === 0) return null;
    return resolvable ? unschedulable(this.name, ...reasons) : unresolvable(this.name, ...reasons);
  }

  rejection(shortages: readonly ResourceShortage[]): Status {
    const reasons = shortages.map(({ resource }) => (resource === 'pods' ? TOO_MANY_PODS : insufficient(resource)));
    // Too many pods can always be helped by eviction, even where no pod is allowed at all.
    const isHopeless = shortages.some(({ resource, exceedsAllocatable }) => exceedsAllocatable && resource !== 'pods');
    return (isHopeless ? unresolvable : unschedulable)(this.name, ...reasons);
  }

  /** On a node that has no pods, where nothing is ignored. */
  #fitsAlone(pod: PodInfo, node: NodeInfo): boolean {
    const requested = requestedResources(pod).map((name) => ({
      name,
      request: amountOf(pod.requirements.requests, name),
    }));
    return this.#verdict(requested, node, 0, (name) => amountOf(node.allocatable, name)) === null;
  }

  /** Only extended resources can be ignored. */
  #isIgnored(name: string): boolean {
    if (!isExtendedResourceName(name)) return false;
    return this.#ignored.has(name) || this.#ignoredGroups.has(name.slice(0, name.indexOf('/')));
  }

  /** Upstream works out the pod's requests here; Berth has them already. */
  preScore(): null {
    return null;
  }

  score(_state: CycleState, pod: PodInfo, node: NodeInfo): number {
    const uses: WeighedUse[] = [];
    for (const { name, weight } of this.strategy.resources) {
      const use = resourceUse(pod, node, name, true);
      if (use !== null) uses.push({ requested: withPod(use), allocatable: use.allocatable, weight });
    }
    switch (this.strategy.type) {
      case 'LeastAllocated':
        return leastAllocatedScore(uses);
      case 'MostAllocated':
        return mostAllocatedScore(uses);
      case 'RequestedToCapacityRatio':
        return requestedToCapacityRatioScore(uses, this.scoreOfPercent);
    }
  }
}

function insufficient(resource: string): string {
  return `Insufficient ${resource}`;
}

const STANDARD_RESOURCES = ['cpu', 'memory', 'ephemeral-storage'] as const;

/** What the pod asks for at all: scalar resources last, by name. */
function requestedResources(pod: PodInfo): string[] {
  const { requests } = pod.requirements;
  const isAsked = (amount: Int64): boolean => amount > 0;
  const standard = STANDARD_RESOURCES.filter((name) => isAsked(amountOf(requests, name)));
  const scalar = [...requests.scalar].filter(([, amount]) => amount !== 0).map(([name]) => name);
  return [...standard, ...scalar.sort()];
}
