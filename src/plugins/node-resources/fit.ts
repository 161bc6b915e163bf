import { isExtendedResourceName } from '../../api/resources.ts';
import type { AllocationForm, ResourceFilterForm, ResourceShortage } from '../../framework/column-forms.ts';
import { type CycleState, missingState, stateKey } from '../../framework/cycle-state.ts';
import type { ClusterEventWithHint } from '../../framework/events.ts';
import { NodeInfo } from '../../framework/node-info.ts';
import type { NodeTally } from '../../framework/node-tally.ts';
import type { FilterPlugin, PreFilterPlugin, PreScorePlugin, ScorePlugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { errorStatus, type Status, unresolvable, unschedulable } from '../../framework/status.ts';
import { type Int64, subtract } from '../../lib/int64.ts';
import type { DeviceResources } from './device-resources.ts';
import { DEFAULT_STRATEGY, type NodeResourcesFitArgs } from './fit-args.ts';
import { nodeResourcesFitEvents } from './hints.ts';
import { amountOf, resourceUse, scoresDevices, withPod } from './resource-amounts.ts';
import { type RequestedResource, ResourceTally } from './resource-tally.ts';
import {
  leastAllocatedScore,
  mostAllocatedScore,
  requestedToCapacityRatioScore,
  scoreOfPercentTable,
  type WeighedUse,
} from './scoring-strategy.ts';

export const NODE_RESOURCES_FIT = 'NodeResourcesFit';

/** The requests that the filter compares, in the order in which shortages are reported. */
const REQUESTED = stateKey<readonly RequestedResource[]>('NodeResourcesFit');

type Points = PreFilterPlugin & FilterPlugin & PreScorePlugin & ScorePlugin;

/** Rejects nodes without room for the pod's requests; scores nodes by how full they would be. */
export class NodeResourcesFit implements Points, ResourceFilterForm {
  readonly name = NODE_RESOURCES_FIT;
  readonly filterReads = 'kernel';
  readonly scoreReads = 'kernel';
  readonly resourceFilter: ResourceFilterForm = this;
  readonly resourceScore: AllocationForm;
  readonly #ignored: ReadonlySet<string>;
  readonly #ignoredGroups: ReadonlySet<string>;
  readonly #devices: DeviceResources | undefined;

  /** `devices`: the extended resources that devices back; absent if none can. */
  constructor(args: Partial<NodeResourcesFitArgs> = {}, devices?: DeviceResources) {
    const { scoringStrategy = DEFAULT_STRATEGY, ignoredResources, ignoredResourceGroups } = args;
    const { type: strategy, resources, requestedToCapacityRatio: ratio } = scoringStrategy;
    const scoreOfPercent = ratio === undefined ? [] : scoreOfPercentTable(ratio.shape);
    const counted = devices === undefined ? {} : { counted: devices };
    this.resourceScore = { kind: 'allocation', strategy, resources, scoreOfPercent, ...counted };
    this.#ignored = new Set(ignoredResources);
    this.#ignoredGroups = new Set(ignoredResourceGroups);
    this.#devices = devices;
  }

  needsMethods(pod: PodInfo): boolean {
    return scoresDevices(pod, this.resourceScore.resources, true, this.#devices);
  }

  formsVersion(): number {
    return this.#devices?.version ?? 0;
  }

  isBackedByDevices(resource: string): boolean {
    return this.#devices?.backs(resource) ?? false;
  }

  /** As upstream, the hints compare ignored resources, too. */
  eventsToRegister(): readonly ClusterEventWithHint[] {
    return nodeResourcesFitEvents({
      fits: (pod, node) => this.#fitsAlone(pod, new NodeInfo(-1, 0, node)),
      requested: (pod) => requestedResources(pod).map(({ name }) => name),
      devices: this.#devices,
    });
  }

  preFilter(state: CycleState, pod: PodInfo): null {
    state.write(REQUESTED, this.#filteredRequests(pod));
    return null;
  }

  filteredResources(pod: PodInfo): string[] {
    return this.#filteredRequests(pod).map(({ name }) => name);
  }

  #filteredRequests(pod: PodInfo): RequestedResource[] {
    const requested = requestedResources(pod);
    const ignoresNone = this.#ignored.size + this.#ignoredGroups.size === 0;
    return ignoresNone ? requested : requested.filter(({ name }) => !this.#isIgnored(name));
  }

  filter(state: CycleState, _pod: PodInfo, node: NodeInfo): Status | null {
    const requested = state.read(REQUESTED);
    if (requested === undefined) return errorStatus(this.name, missingState(`PreFilter${this.name}`));
    return this.#statusOf(requested, node, node.pods.length, (name) =>
      subtract(amountOf(node.allocatable, name), amountOf(node.requested, name)),
    );
  }

  tally(state: CycleState, _pod: PodInfo, node: NodeInfo, expected: readonly PodInfo[]): NodeTally | null {
    const requested = state.read(REQUESTED);
    // Without PreFilter the filter fails, however much room there is.
    if (requested === undefined) return null;
    const compared = this.#devices === undefined ? requested : this.#withoutDevices(requested, node, this.#devices);
    const tally = new ResourceTally(compared, node, (podCount, rooms) =>
      this.#statusOf(compared, node, podCount, (_name, position) => rooms[position]?.free ?? 0),
    );
    for (const pod of expected) tally.add(pod);
    return tally;
  }

  /** The answer of `filter` for a node with `podCount` pods that leave `freeOf` of each resource. */
  #statusOf(
    requested: readonly RequestedResource[],
    node: NodeInfo,
    podCount: number,
    freeOf: (name: string, position: number) => Int64,
  ): Status | null {
    const shortages: ResourceShortage[] = [];
    // Evictions can always help against too many pods, even on a node that allows none.
    if (podCount + 1 > node.allowedPodCount) shortages.push({ resource: 'pods', exceedsAllocatable: false });
    let position = 0;
    for (const { name, request } of requested) {
      if (request <= freeOf(name, position++) || this.#devices?.provide(name, node)) continue;
      shortages.push({ resource: name, exceedsAllocatable: request > amountOf(node.allocatable, name) });
    }
    return shortages.length === 0 ? null : this.rejection(shortages);
  }

  rejection(shortages: readonly ResourceShortage[]): Status {
    const reasons = shortages.map(({ resource }) => {
      return resource === 'pods' ? 'Too many pods' : `Insufficient ${resource}`;
    });
    const isUnresolvable = shortages.some(
      ({ resource, exceedsAllocatable }) => exceedsAllocatable && resource !== 'pods',
    );
    return (isUnresolvable ? unresolvable : unschedulable)(this.name, ...reasons);
  }

  /** Whether the pod fits on the node without its pods, with no resource ignored. */
  #fitsAlone(pod: PodInfo, node: NodeInfo): boolean {
    return this.#statusOf(requestedResources(pod), node, 0, (name) => amountOf(node.allocatable, name)) === null;
  }

  /** Only extended resources can be ignored. */
  #isIgnored(name: string): boolean {
    if (!isExtendedResourceName(name)) return false;
    return this.#ignored.has(name) || this.#ignoredGroups.has(name.slice(0, name.indexOf('/')));
  }

  #withoutDevices(
    requested: readonly RequestedResource[],
    node: NodeInfo,
    devices: DeviceResources,
  ): readonly RequestedResource[] {
    if (!requested.some(({ name }) => devices.provide(name, node))) return requested;
    return requested.filter(({ name }) => !devices.provide(name, node));
  }

  /** Upstream computes the pod's requests here; PodInfo has them already. */
  preScore(): null {
    return null;
  }

  score(_state: CycleState, pod: PodInfo, node: NodeInfo): number {
    const { strategy, resources, scoreOfPercent } = this.resourceScore;
    const uses: WeighedUse[] = [];
    for (const { name, weight } of resources) {
      const use = resourceUse(pod, node, name, true, this.#devices);
      if (use !== null) uses.push({ requested: withPod(use), allocatable: use.allocatable, weight });
    }
    switch (strategy) {
      case 'LeastAllocated':
        return leastAllocatedScore(uses);
      case 'MostAllocated':
        return mostAllocatedScore(uses);
      case 'RequestedToCapacityRatio':
        return requestedToCapacityRatioScore(uses, scoreOfPercent);
    }
  }
}

const STANDARD_RESOURCES = ['cpu', 'memory', 'ephemeral-storage'] as const;

/** The resources of which the pod requests something, scalar resources last and by name. */
function requestedResources({ requirements: { requests } }: PodInfo): RequestedResource[] {
  const requested: RequestedResource[] = [];
  for (const name of STANDARD_RESOURCES) {
    const request = amountOf(requests, name);
    if (request > 0) requested.push({ name, request });
  }
  const scalar: RequestedResource[] = [];
  for (const [name, request] of requests.scalar) if (request !== 0) scalar.push({ name, request });
  if (scalar.length > 1) scalar.sort((a, b) => (a.name < b.name ? -1 : 1));
  requested.push(...scalar);
  return requested;
}
