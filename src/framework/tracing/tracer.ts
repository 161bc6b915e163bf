import type { Pod } from '../../api/pod.ts';
import type { ExtensionPoint } from '../../config/extension-points.ts';
import type { Code } from '../status.ts';

/**
 * A phase of a decision. Those of the first line follow each other, the others lie within one of the first line:
 *
 *   encode ───── filter ───────── score ─── select ─ reserve ─ assume ─ bind      when no node fits: postFilter
 *   preEnqueue   nominatedNodes   preScore
 *   preFilter
 *   topology
 *   verdicts
 *
 * A pod that is placed by index has no `reserve`, because no plugin reserves anything. `filter` brings the totals of
 * its signature up to date, with `verdicts` in it, and `score` finds the best; with topology rules `score` does both.
 * If no node fits, or ties need the order of a search, a cycle begins anew at `encode`. A run of such pods, placed in
 * one call, has `encode`, `place` for filter, score and select, and `assume`.
 *
 * `encode` finds the pod's signature and brings what is kept for it up to date: `topology` its counters, `verdicts` the
 * answers of the plugins outside the kernels; PreFilter, and on engines with columns PreScore, run in it for the first
 * pod of a signature. `bind` ends with the result in the caller's hands: no other part is notified of a placement.
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
 * Traces the work of a scheduler; passed as `SchedulerOptions.tracer`. It is called in the middle of decisions and must
 * be fast, must not throw, and must not call the scheduler. `SpanRecorder` is a tracer that measures times.
 */
export interface Tracer {
  /**
   * Whether each pod of a batch is to be a decision of its own. If not, pods that are placed by index are placed in
   * runs at full speed: a run is one decision under the name of its first pod, with the phases of all its pods.
   */
  readonly eachPod: boolean;
  /** Begins a decision for the pod; returns null if it is not traced. */
  begin(pod: Pod): Trace | null;
  /**
   * Reports that the decision does work that later decisions reuse, as the first of a signature does, so that it is
   * slow and rare. Returns its trace, or begins one in phase `encode` if it was not traced; null if it stays untraced.
   */
  rare(pod: Pod): Trace | null;
  /**
   * Reports the work of a worker thread for a decision. `worker` counts from 1; times are in milliseconds of the
   * tracer's clock.
   */
  work(worker: number, name: string, startMillis: number, endMillis: number): void;
}

/**
 * The trace of one decision.
 *
 *   begin ─▶ phase ─▶ phase ─▶ ... ─▶ finish          each phase ends the one before
 *              ├─ start ─ ... ─ end                    within a phase, nested as they come
 *              └─ startPlugin ─ end
 */
export interface Trace {
  /** Begins a phase; the present phase continues if it is named again. */
  phase(phase: Phase): void;
  start(phase: Phase): void;
  /** Begins a call of a plugin; `node` is given if the call is about one node that `atNode` chose. */
  startPlugin(point: ExtensionPoint, plugin: string, node?: string): void;
  /** Ends the span that was started last; `code` is the plugin's, if not Success. */
  end(code?: Code): void;
  /**
   * Called before plugins are called for the next of many nodes: returns this trace for the nodes to trace, and null
   * for most.
   */
  atNode(): Trace | null;
  /**
   * Whether it matters which plugins are called in this decision: answers of an earlier pod stand for no calls then.
   * Absent: it does.
   *
   * @internal
   */
  readonly showsCalls?: boolean;
  /** Ends the decision; `nodeName` is null if the pod was not placed. */
  finish(nodeName: string | null): void;
}
