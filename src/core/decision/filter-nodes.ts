import type { Cycle, PluginScores, Selection } from '../../engine/cycle/engine.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { SearchWindow } from '../../framework/node-search.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { NodeToStatus, TallyContext } from '../../framework/post-filter.ts';
import type { Status } from '../../framework/status.ts';
import type { DrawTie, TieBreak } from '../../framework/tie-break.ts';
import type { FilterRecord, ScoreRecord } from './decision-record.ts';
import { type Profile, searchWindow } from './profile.ts';

/** The cycle of a pod for which PreFilter rejected all nodes at once, or left none that exists. */
export interface PreFilterRejection
  extends Pick<Cycle, 'state' | 'podState' | 'tallied' | 'limitedBy' | 'nodeStatuses'> {
  readonly rejected: Status;
}

/** The error of a plugin or an extender that failed the attempt. */
export interface FilterFailure {
  readonly failed: string;
}

/** Runs PreFilter and the filters of the plugins. */
export function filterNodes(
  profile: Profile,
  pod: PodInfo,
  explain: boolean,
): CycleRecord | PreFilterRejection | FilterFailure {
  const { framework, engine, cluster, search } = profile;
  let cycle = engine.begin(pod);
  if (isRejected(cycle)) return cycle;
  framework.activeTrace.trace?.phase('filter');
  const window = searchWindow(profile);
  let feasibleCount = cycle.filter(window);
  if (feasibleCount === null) {
    cycle = engine.begin(pod, true);
    feasibleCount = cycle.filter(window) ?? 0;
  }
  if (!explain) search.advance(cycle.processed, cluster.nodeCount);
  if (cycle.failure !== null) return { failed: cycle.failure.reasons.join(', ') };
  return new CycleRecord(cycle, window, feasibleCount);
}

function isRejected(cycle: Cycle): cycle is Cycle & PreFilterRejection {
  return cycle.rejected !== null;
}

/** The results of filters and scores, as a view of the engine's cycle. */
export class CycleRecord implements FilterRecord, ScoreRecord {
  readonly window: SearchWindow;
  readonly feasibleCount: number;
  readonly extenderScores = null;
  readonly #cycle: Cycle;

  constructor(cycle: Cycle, window: SearchWindow, feasibleCount: number) {
    this.#cycle = cycle;
    this.window = window;
    this.feasibleCount = feasibleCount;
  }

  get state(): CycleState {
    return this.#cycle.state;
  }

  get podState(): CycleState {
    return this.#cycle.podState;
  }

  get tallied(): TallyContext | null {
    return this.#cycle.tallied;
  }

  get limitedBy(): readonly string[] {
    return this.#cycle.limitedBy;
  }

  get processed(): number {
    return this.#cycle.processed;
  }

  feasibleNodes(): readonly NodeInfo[] {
    return this.#cycle.feasibleNodes();
  }

  rejections(): ReadonlyMap<string, Status> {
    return new Map(Array.from(this.#cycle.rejections(), ([{ name }, status]) => [name, status]));
  }

  reasonCounts(): Map<string, number> {
    return this.#cycle.reasonCounts();
  }

  nodeStatuses(): NodeToStatus {
    return this.#cycle.nodeStatuses();
  }

  /** Scores the feasible nodes. */
  score(): ScoreRecord | FilterFailure {
    const failure = this.#cycle.score();
    return failure === null ? this : { failed: failure.reasons.join(', ') };
  }

  total(node: NodeInfo): number {
    return this.#cycle.total(node);
  }

  pluginScores(): readonly PluginScores[] {
    return this.#cycle.pluginScores();
  }

  select(tieBreak: TieBreak, draw: DrawTie): Selection {
    return this.#cycle.select(tieBreak, draw);
  }
}
