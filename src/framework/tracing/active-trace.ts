import type { Pod } from '../../api/pod.ts';
import type { Trace, Tracer } from './tracer.ts';

/** The trace of the present decision, for all parts of a scheduler. */
export class ActiveTrace {
  /** null for decisions that are not traced, so that `activeTrace.trace?.phase('filter')` is all they cost. */
  trace: Trace | null = null;
  readonly #tracer: Tracer | null;
  /** Whether a decision is made: explanations take the same steps, but are not traced. */
  #isDeciding = false;

  constructor(tracer: Tracer | null = null) {
    this.#tracer = tracer;
  }

  /** Whether each pod is to be a decision of its own. */
  get eachPod(): boolean {
    return this.#tracer?.eachPod ?? false;
  }

  /** Whether answers of an earlier pod must not stand for calls of plugins. */
  get showsCalls(): boolean {
    return this.trace !== null && this.trace.showsCalls !== false;
  }

  begin(pod: Pod): void {
    if (this.#tracer === null) return;
    this.#isDeciding = true;
    this.trace = this.#tracer.begin(pod);
  }

  /** Reports a rare decision; see `Tracer.rare`. */
  rare(pod: Pod): void {
    if (this.#tracer !== null && this.#isDeciding) this.trace = this.#tracer.rare(pod);
  }

  finish(nodeName: string | null): void {
    const { trace } = this;
    this.abandon();
    trace?.finish(nodeName);
  }

  /** Ends a decision that has failed: what follows is no part of it. */
  abandon(): void {
    this.#isDeciding = false;
    this.trace = null;
  }
}
