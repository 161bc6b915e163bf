import { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { SearchWindow } from '../../framework/node-search.ts';
import type { PodNominator, Snapshot } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { excludedAfter, type Framework, type PreFilterOutcome } from '../../framework/runtime/framework.ts';
import type { Status } from '../../framework/status.ts';
import type { DrawTie, TieBreak } from '../../framework/tie-break.ts';
import { assert } from '../../lib/assert.ts';
import type { Cycle, Engine, PluginScores, Selection } from '../cycle/engine.ts';
import { NodeScores, selectNode } from '../cycle/node-scores.ts';
import { groupsOf, NodeStatuses } from '../cycle/node-statuses.ts';

/**
 * The specification: calls every plugin's own method for every node, as upstream does, and keeps nothing from pod to
 * pod. It is slow; the other engines are compared with it, and leave to it what their columns cannot hold exactly
 * (quantities beyond 2^53).
 */
export class ReferenceEngine implements Engine {
  readonly name = 'reference';
  readonly indexed = null;
  readonly sharedMemoryBytes = 0;
  readonly runner = null;
  readonly #framework: Framework;
  readonly #snapshot: Snapshot & PodNominator;

  constructor(framework: Framework, snapshot: Snapshot & PodNominator) {
    this.#framework = framework;
    this.#snapshot = snapshot;
  }

  begin(pod: PodInfo): Cycle {
    return new ReferenceCycle(this.#framework, this.#snapshot, pod);
  }

  release(): void {}
}

class ReferenceCycle implements Cycle {
  readonly rejected: Status | null;
  failure: Status | null = null;
  processed = 0;
  readonly #framework: Framework;
  readonly #snapshot: Snapshot & PodNominator;
  readonly #pod: PodInfo;
  readonly state = new CycleState();
  readonly podState = this.state;
  readonly tallied = null;
  readonly #preFilter: PreFilterOutcome;
  readonly #feasible: NodeInfo[] = [];
  readonly #rejected = new Map<NodeInfo, Status>();
  #scores: NodeScores | null = null;

  constructor(framework: Framework, snapshot: Snapshot & PodNominator, pod: PodInfo) {
    this.#framework = framework;
    this.#snapshot = snapshot;
    this.#pod = pod;
    this.#preFilter = framework.runPreFilter(this.state, pod, snapshot);
    this.rejected = framework.rejectedByPreFilter(this.#preFilter, snapshot, pod);
  }

  get limitedBy(): readonly string[] {
    return this.#preFilter.limitedBy;
  }

  filter({ start, wanted }: SearchWindow): number {
    const { nodeNames, excluded } = this.#preFilter;
    const active = this.#framework.activeFilters(this.state);
    const judge = (node: NodeInfo): Status | null =>
      this.#framework.runFilterWithNominatedPods(active, this.state, this.#pod, node, this.#snapshot);

    const own = this.#snapshot.node(this.#pod.nominatedNodeName);
    const ownStatus = own === undefined ? null : judge(own);
    if (own !== undefined && ownStatus === null) return this.#feasible.push(own);
    // An error on the nominated node does not end the search, as if the node had not been filtered.
    const isOwnRejected = own !== undefined && ownStatus !== null && ownStatus.code !== 'Error';
    const left = isOwnRejected ? excludedAfter(ownStatus, this.#preFilter) : excluded;

    const nodes = this.#snapshot.nodeInfos();
    let isOwnLeft = isOwnRejected;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[(start + i) % nodes.length];
      assert(node !== undefined, 'the search stays within the snapshot');
      const isExcluded = nodeNames !== null && !nodeNames.has(node.name);
      const rejected = isExcluded ? left : node === own ? ownStatus : judge(node);
      if (rejected?.code === 'Error') {
        this.failure = rejected;
        break;
      }
      if (rejected !== null) this.#rejected.set(node, rejected);
      else if (this.#feasible.length < wanted) this.#feasible.push(node);
      else break;
      if (isExcluded) continue;
      this.processed++;
      if (node === own) isOwnLeft = false;
    }
    if (isOwnRejected && isOwnLeft) {
      // The nominated node was filtered, whether or not the search has reached it.
      this.#rejected.set(own, ownStatus);
      this.processed++;
    }
    if (this.failure !== null) {
      // A plugin's failure leaves no result for any node.
      this.#feasible.length = 0;
      this.#rejected.clear();
    }
    return this.#feasible.length;
  }

  feasibleNodes(): readonly NodeInfo[] {
    return this.#feasible;
  }

  rejections(): Iterable<readonly [NodeInfo, Status]> {
    return this.#rejected;
  }

  reasonCounts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { reasons } of this.#rejected.values()) {
      for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    return counts;
  }

  nodeStatuses(): NodeStatuses {
    const nodes = this.#snapshot.nodeInfos();
    const slots = Int32Array.from(nodes, ({ slot }) => slot);
    const statusOf = (node: NodeInfo | undefined) => this.rejected ?? (node && this.#rejected.get(node)) ?? null;
    const slotCount = slots.reduce((most, slot) => Math.max(most, slot + 1), 0);
    return new NodeStatuses(
      this.#snapshot,
      slots,
      groupsOf(slots, slotCount, (_, position) => statusOf(nodes[position])),
    );
  }

  score(): Status | null {
    this.#scores = new NodeScores(this.#framework, this.state, this.#pod, this.#feasible);
    return this.#scores.run();
  }

  select(tieBreak: TieBreak, draw: DrawTie): Selection {
    return selectNode(this.#feasible, this.#scores?.totals ?? [], tieBreak, draw);
  }

  total(node: NodeInfo): number {
    return this.#scores?.total(node) ?? 0;
  }

  pluginScores(): readonly PluginScores[] {
    return this.#scores?.pluginScores() ?? [];
  }
}
