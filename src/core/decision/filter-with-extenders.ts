import type { CycleState } from '../../framework/cycle-state.ts';
import type { ExtenderCalls } from '../../framework/extender-calls.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { SearchWindow } from '../../framework/node-search.ts';
import type { Snapshot } from '../../framework/plugin.ts';
import { EXTENDER } from '../../framework/plugin-names.ts';
import { PodInfo } from '../../framework/pod-info.ts';
import type { NodeList, NodeToStatus, TallyContext } from '../../framework/post-filter.ts';
import { canTally } from '../../framework/runtime/tallied-filters.ts';
import { type Code, type Status, unresolvable } from '../../framework/status.ts';
import { filterByExtenders } from '../extenders/filter.ts';
import type { FilterRecord } from './decision-record.ts';
import { type FilterFailure, filterNodes, type PreFilterRejection } from './filter-nodes.ts';
import type { Profile } from './profile.ts';

type Filtered = FilterRecord | PreFilterRejection | FilterFailure;

/**
 * Filters nodes by the plugins and then by the extenders. A node that is nominated for the pod is filtered first, and
 * is the only one if it is feasible (upstream's evaluateNominatedNode); otherwise all nodes are filtered, including it.
 */
export function* filterWithExtenders(profile: Profile, pod: PodInfo, explain: boolean): ExtenderCalls<Filtered> {
  const statuses = new Map<string, Status>();
  let found = filterByPlugins(profile, pod, statuses, explain);
  if (!(found instanceof ExtendedRecord)) return found;
  if (found.isOnlyNominated(pod)) {
    const own = yield* callExtenders(profile, pod, found);
    if ('feasibleCount' in own && own.feasibleCount > 0) return own;
    const { requirements, nodeName } = pod;
    found = filterByPlugins(profile, new PodInfo(pod.pod, requirements, nodeName, ''), statuses, explain);
    if (!(found instanceof ExtendedRecord)) return found;
  }
  return yield* callExtenders(profile, pod, found);
}

/** `statuses`: the rejections of an earlier search, which count as processed nodes, as upstream counts them. */
function filterByPlugins(
  profile: Profile,
  pod: PodInfo,
  statuses: Map<string, Status>,
  explain: boolean,
): ExtendedRecord | PreFilterRejection | FilterFailure {
  // Nodes may have come and gone since the attempt began, while extenders were called.
  if (explain) profile.cluster.lendSnapshot();
  else profile.cluster.updateSnapshot();
  const found = filterNodes(profile, pod, explain);
  if ('rejected' in found) return found;
  if (!explain) profile.search.advance(statuses.size, profile.cluster.nodeCount);
  if ('failed' in found) return found;
  const { window, state, limitedBy } = found;
  const processed = found.processed + statuses.size;
  for (const [name, status] of found.rejections()) statuses.set(name, status);
  const feasible = [...found.feasibleNodes()];
  const filters = profile.framework.activeFilters(state);
  // Tallies of topology would not know what changes while extenders are called.
  const tallied = found.tallied !== null && canTally(filters) ? { state, filters, topology: null } : null;
  const search = { window, state, tallied, limitedBy, processed, feasible, statuses, dropped: [] };
  return new ExtendedRecord(search, profile.cluster);
}

function* callExtenders(
  { extenders, cluster }: Profile,
  pod: PodInfo,
  { search }: ExtendedRecord,
): ExtenderCalls<ExtendedRecord | FilterFailure> {
  const { feasible, statuses } = search;
  const left = yield* filterByExtenders(extenders, pod, feasible, statuses);
  if ('error' in left) return { failed: left.error };
  const names = new Set(left.nodes.map(({ name }) => name));
  const dropped = feasible.map(({ name }) => name).filter((name) => !names.has(name) && !statuses.has(name));
  const haveRejected = left.nodes.length !== feasible.length;
  const limitedBy = haveRejected ? [...search.limitedBy, EXTENDER] : search.limitedBy;
  return new ExtendedRecord({ ...search, feasible: left.nodes, dropped, limitedBy }, cluster);
}

interface Search extends Pick<FilterRecord, 'window' | 'state' | 'tallied' | 'limitedBy' | 'processed'> {
  readonly feasible: readonly NodeInfo[];
  readonly statuses: ReadonlyMap<string, Status> & Map<string, Status>;
  /** The names of nodes that an extender left out without a reason. */
  readonly dropped: readonly string[];
}

const DROPPED = unresolvable('');

/**
 * The results of plugins and extenders. They are copied from the engine's cycle, which becomes invalid if another
 * decision begins while extenders are called.
 */
class ExtendedRecord implements FilterRecord {
  readonly search: Search;
  readonly window: SearchWindow;
  readonly state: CycleState;
  readonly podState: CycleState;
  readonly tallied: TallyContext | null;
  readonly limitedBy: readonly string[];
  readonly processed: number;
  readonly feasibleCount: number;
  readonly #snapshot: Snapshot;

  constructor(search: Search, snapshot: Snapshot) {
    this.search = search;
    this.window = search.window;
    this.state = search.state;
    this.podState = search.state;
    this.tallied = search.tallied;
    this.limitedBy = search.limitedBy;
    this.processed = search.processed;
    this.feasibleCount = search.feasible.length;
    this.#snapshot = snapshot;
  }

  feasibleNodes(): readonly NodeInfo[] {
    return this.search.feasible;
  }

  rejections(): ReadonlyMap<string, Status> {
    const { dropped, statuses } = this.search;
    return new Map([...dropped.map((name) => [name, DROPPED] as const), ...statuses]);
  }

  reasonCounts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { reasons } of this.search.statuses.values()) {
      for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    return counts;
  }

  nodeStatuses(): NodeToStatus {
    return new NamedStatuses(this.#snapshot, this.search.statuses);
  }

  /** Whether the search ended with the pod's nominated node, which does not count as processed. */
  isOnlyNominated(pod: PodInfo): boolean {
    return this.processed === 0 && this.search.feasible[0]?.name === pod.nominatedNodeName;
  }
}

class NamedStatuses implements NodeToStatus {
  readonly #snapshot: Snapshot;
  readonly #statuses: ReadonlyMap<string, Status>;

  constructor(snapshot: Snapshot, statuses: ReadonlyMap<string, Status>) {
    this.#snapshot = snapshot;
    this.#statuses = statuses;
  }

  nodesWithCode(code: Code): readonly NodeInfo[] {
    return this.#snapshot.nodeInfos().filter(({ name }) => this.#statuses.get(name)?.code === code);
  }

  listWithCode(code: Code): NodeList {
    const nodes = this.nodesWithCode(code);
    const { length } = nodes;
    const walk: NodeList['walk'] = (offset, visit) => {
      for (let i = 0; i < length; i++) if (!visit(nodes[(offset + i) % length] as NodeInfo)) return;
    };
    return { length, walk };
  }

  statusOf(nodeName: string): Status | null {
    return this.#statuses.get(nodeName) ?? null;
  }

  distinct(): Iterable<Status> {
    return this.#statuses.values();
  }
}
