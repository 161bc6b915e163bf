import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { SearchWindow } from '../../framework/node-search.ts';
import type { Snapshot } from '../../framework/plugin.ts';
import { EXTENDER } from '../../framework/plugin-names.ts';
import { PodInfo } from '../../framework/pod-info.ts';
import type { NodeToStatus } from '../../framework/post-filter.ts';
import type { Code, Status } from '../../framework/status.ts';
import { type SchedulePodModules, searchWindow } from '../schedule-pod.ts';
import { filterByExtenders } from './filter.ts';
import type { Asking } from './transport.ts';

/**
 * What plugins and extenders found of the nodes. A cycle is void once the next one begins, and others may begin while
 * extenders are asked: everything is taken out of it first.
 */
export interface Search {
  readonly window: SearchWindow;
  /** As PreFilter left it. */
  readonly state: CycleState;
  readonly processed: number;
  /** What every filter let pass. */
  readonly feasible: readonly NodeInfo[];
  /** Why others were rejected, by name. An extender may speak of nodes that nobody knows. */
  readonly statuses: Map<string, Status>;
  /** Nodes that an extender left out without a word. */
  readonly dropped: readonly string[];
  /** Who left nodes out before any was looked at; the extenders, if one of them rejected any. */
  readonly limitedBy: readonly string[];
}

export interface PreFilterRejection {
  readonly status: Status;
  readonly state: CycleState;
  readonly limitedBy: readonly string[];
}

/** PreFilter ended the attempt, a filter or an extender failed, or the search is over. */
export type Searched = { readonly rejected: PreFilterRejection } | { readonly failed: string } | Search;

/**
 * Which nodes can take the pod, by the plugins and then by the extenders. A node that is nominated for the pod goes
 * first, and alone, if the extenders agree (upstream's evaluateNominatedNode); otherwise all nodes are looked at, that
 * one once more.
 */
export function* searchNodes(modules: SchedulePodModules, pod: PodInfo, explain: boolean): Asking<Searched> {
  const statuses = new Map<string, Status>();
  let found = searchByPlugins(modules, pod, statuses, explain);
  if (!('feasible' in found)) return found;
  if (isNominated(found, pod)) {
    const own = yield* askExtenders(modules, pod, found);
    if ('feasible' in own && own.feasible.length > 0) return own;
    const { requirements, nodeName } = pod;
    found = searchByPlugins(modules, new PodInfo(pod.pod, requirements, nodeName, ''), statuses, explain);
    if (!('feasible' in found)) return found;
  }
  return yield* askExtenders(modules, pod, found);
}

/** `statuses`: what was said before, which counts as nodes that were dealt with. Upstream counts them so. */
function searchByPlugins(
  modules: SchedulePodModules,
  pod: PodInfo,
  statuses: Map<string, Status>,
  explain: boolean,
): Searched {
  const cycle = modules.engine.begin(pod);
  if (cycle.rejected !== null) {
    const { rejected: status, state, limitedBy } = cycle;
    return { rejected: { status, state, limitedBy } };
  }
  const window = searchWindow(modules);
  cycle.filter(window);
  const processed = cycle.processed + statuses.size;
  if (!explain) modules.search.advance(processed, modules.cluster.nodeCount);
  if (cycle.failure !== null) return { failed: cycle.failure.reasons.join(', ') };
  for (const [{ name }, status] of cycle.rejections()) statuses.set(name, status);
  const { state, limitedBy } = cycle;
  return { window, state, processed, feasible: [...cycle.feasibleNodes()], statuses, dropped: [], limitedBy };
}

/** Only the pod's own nominated node was looked at: such a search deals with no node. */
function isNominated({ feasible, processed }: Search, pod: PodInfo): boolean {
  return processed === 0 && feasible[0]?.name === pod.nominatedNodeName;
}

function* askExtenders({ extenders }: SchedulePodModules, pod: PodInfo, found: Search): Asking<Searched> {
  const { feasible, statuses } = found;
  const left = yield* filterByExtenders(extenders, pod, feasible, statuses);
  if ('error' in left) return { failed: left.error };
  const names = new Set(left.nodes.map(({ name }) => name));
  const dropped = feasible.map(({ name }) => name).filter((name) => !names.has(name) && !statuses.has(name));
  const haveRejected = left.nodes.length !== feasible.length;
  const limitedBy = haveRejected ? [...found.limitedBy, EXTENDER] : found.limitedBy;
  return { ...found, feasible: left.nodes, dropped, limitedBy };
}

/** How many nodes gave each reason. */
export function reasonCounts(statuses: ReadonlyMap<string, Status>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { reasons } of statuses.values()) {
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts;
}

/** The nodes' statuses, for PostFilter. */
export class NamedStatuses implements NodeToStatus {
  readonly #snapshot: Snapshot;
  readonly #statuses: ReadonlyMap<string, Status>;

  constructor(snapshot: Snapshot, statuses: ReadonlyMap<string, Status>) {
    this.#snapshot = snapshot;
    this.#statuses = statuses;
  }

  nodesWithCode(code: Code): readonly NodeInfo[] {
    return this.#snapshot.nodeInfos().filter(({ name }) => this.#statuses.get(name)?.code === code);
  }

  statusOf(nodeName: string): Status | null {
    return this.#statuses.get(nodeName) ?? null;
  }

  distinct(): Iterable<Status> {
    return this.#statuses.values();
  }
}
