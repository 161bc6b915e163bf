import type { Pod } from '../../api/pod.ts';
import type { Trace, Tracer } from './tracer.ts';

/** The decision that is being watched, for everything that takes part in it. One object serves a scheduler. */
export class ActiveTrace {
  /** null most of the time: `activeTrace.trace?.phase('filter')` is all that a decision pays which nobody watches. */
  trace: Trace | null = null;
  readonly #tracer: Tracer | null;
  /** An explanation goes the way of a decision, but is none. */
  #isDeciding = false;

  constructor(tracer: Tracer | null = null) {
    this.#tracer = tracer;
  }

  /** Somebody wants to see each pod by itself. */
  get eachPod(): boolean {
    return this.#tracer?.eachPod ?? false;
  }

  begin(pod: Pod): void {
    if (this.#tracer === null) return;
    this.#isDeciding = true;
    this.trace = this.#tracer.begin(pod);
  }

  /** See `Tracer.rare`. */
  rare(pod: Pod): void {
    if (this.#tracer !== null && this.#isDeciding) this.trace = this.#tracer.rare(pod);
  }

  finish(nodeName: string | null): void {
    this.#isDeciding = false;
    if (this.trace === null) return;
    this.trace.finish(nodeName);
    this.trace = null;
  }
}
