import type { Pod } from '../../api/pod.ts';
import type { ExtensionPoint } from '../../config/extension-points.ts';
import type { Code } from '../status.ts';

/**
 * What a decision spends its time on. The first line comes one after the other, the second within one of the first:
 *
 *   encode ───── filter ───────── score ─── select ─ reserve ─ assume ─ bind      when no node fits: postFilter
 *   preEnqueue   nominatedNodes   preScore
 *   preFilter
 *   topology
 *   verdicts
 *
 * A pod that is placed by index has no `reserve`: nobody has to be asked. `filter` brings the totals of its signature
 * up to date, with `verdicts` in it, and `score` finds the best; with topology rules `score` does both. If no node
 * fits, or ties need the order of a search, a cycle begins anew at `encode`. A run of such pods, placed in one call,
 * has `encode`, `place` for filter, score and select, and `assume`.
 *
 * `encode` finds the pod's signature and brings what is kept for it up to date: `topology` its counters, `verdicts`
 * what the plugins outside the kernels say of the nodes; PreFilter, and on engines with columns PreScore, run in it for
 * the first pod of a signature. `bind` ends with the result in the caller's hands: nobody else is told of a placement.
 */
export type Phase =
  | 'encode'
  | 'preEnqueue'
  | 'preFilter'
  | 'topology'
  | 'verdicts'
  | 'filter'
  | 'nominatedNodes'
  | 'postFilter'
  | 'preScore'
  | 'score'
  | 'select'
  | 'place'
  | 'reserve'
  | 'assume'
  | 'bind';

/**
 * Watches a scheduler at work; given to it as `SchedulerOptions.tracer`. It is called in the middle of decisions and
 * must be quick, must not throw, and must not call the scheduler. `SpanRecorder` is one that measures.
 */
export interface Tracer {
  /**
   * Whether each pod of a batch is to be a decision of its own. If not, pods that are placed by index are placed in
   * runs, at full speed: a run is one decision, under the name of its first pod, and its phases are those of all.
   */
  readonly eachPod: boolean;
  /** A decision for this pod begins. null: this one is not watched. */
  begin(pod: Pod): Trace | null;
  /**
   * The decision for this pod does what later ones will find done, as the first of its signature does: it is dear, and
   * few are like it. Returns its trace, or begins one in phase `encode` if it was not watched; null: it is still not.
   */
  rare(pod: Pod): Trace | null;
  /**
   * A worker thread has worked for a decision. `worker` counts from 1; times are in milliseconds of the tracer's clock.
   */
  work(worker: number, name: string, startMillis: number, endMillis: number): void;
}

/**
 * One decision that is watched.
 *
 *   begin ─▶ phase ─▶ phase ─▶ ... ─▶ finish          each phase ends the one before
 *              ├─ start ─ ... ─ end                    within a phase, nested as they come
 *              └─ startPlugin ─ end
 */
export interface Trace {
  /** Said again, the phase goes on. */
  phase(phase: Phase): void;
  start(phase: Phase): void;
  /** A plugin is asked; `node` where it is asked about a single one that `atNode` chose. */
  startPlugin(point: ExtensionPoint, plugin: string, node?: string): void;
  /** Ends what was started last; `code`: what the plugin said, if not Success. */
  end(code?: Code): void;
  /** Before plugins are asked about the next of many nodes: this trace if they are to be watched, null for most. */
  atNode(): Trace | null;
  /** The decision has been made; `nodeName` null: the pod was not placed. */
  finish(nodeName: string | null): void;
}
