import type { Pod } from '../../api/pod.ts';
import type { ExtensionPoint } from '../../config/extension-points.ts';
import { assert } from '../../lib/assert.ts';
import { type Clock, RealClock } from '../../lib/clock.ts';
import { DecisionSampling } from './decision-sampling.ts';
import { NodeSampling } from './node-sampling.ts';
import type { RecordedDecision, Span, SpanCost, SpanSink } from './span.ts';
import type { Phase, Trace, Tracer } from './tracer.ts';

/** What a recorder records, and for whom. */
export interface SpanRecorderOptions {
  /** The receivers of recorded decisions; nothing is recorded once all of them are full. */
  readonly sinks: readonly SpanSink[];
  /** The clock; the real one by default. */
  readonly clock?: Clock;
  /**
   * With `sampled`, the default, as many decisions are recorded as cost about a hundredth of the time, and all rare
   * ones; pods that are placed by index are recorded in runs. With `every`, every decision is recorded, one for each
   * pod.
   */
  readonly decisions?: 'sampled' | 'every';
}

type Recorded = { -readonly [Field in keyof Span]: Span[Field] };

/** The rounds take a few milliseconds: enough for the code to be compiled, and for one undisturbed round. */
const COST_ROUNDS = 32;
const COST_SPANS = 256;

/**
 * Records decisions as nested spans, one decision at a time, and passes each to the sinks at its end. For plugins that
 * are called node by node it records some nodes.
 */
export class SpanRecorder implements Tracer, Trace {
  readonly eachPod: boolean;
  readonly #clock: Clock;
  readonly #sinks: readonly SpanSink[];
  readonly #sampling: DecisionSampling | null;
  readonly #nodes = new NodeSampling();
  readonly #spanCost: SpanCost;
  /** Reused from decision to decision, so that recording allocates nothing in the long run. */
  readonly #spans: Recorded[] = [];
  #spanCount = 0;
  /** The indexes of the spans that have not ended, outermost first. */
  readonly #open: number[] = [];
  #pod: Pod | null = null;
  /** The number of decisions for which the present one stands; 0 if it is not recorded. */
  #weight = 0;
  #isRare = false;
  #isFull = false;

  constructor({ sinks, clock = new RealClock(), decisions = 'sampled' }: SpanRecorderOptions) {
    this.#clock = clock;
    this.#sinks = sinks;
    this.eachPod = decisions === 'every';
    this.#sampling = decisions === 'sampled' ? new DecisionSampling() : null;
    this.#spanCost = this.#measureCost();
  }

  begin(pod: Pod): Trace | null {
    if (this.#isFull) return null;
    this.#isRare = false;
    this.#weight = this.#sampling === null ? 1 : this.#sampling.next();
    return this.#weight === 0 ? null : this.#restart(pod);
  }

  rare(pod: Pod): Trace | null {
    if (this.#isFull) return null;
    this.#isRare = true;
    this.#sampling?.setApart(this.#weight);
    const isRecorded = this.#weight > 0;
    this.#weight = 1;
    if (isRecorded) return this;
    this.#restart(pod);
    this.phase('encode');
    return this;
  }

  work(worker: number, name: string, startMillis: number, endMillis: number): void {
    for (const sink of this.#sinks) sink.addWork(worker, name, startMillis, endMillis);
  }

  phase(phase: Phase): void {
    if (this.#isIn(phase)) return;
    const now = this.#clock.nowMillis();
    while (this.#open.length > 1) this.#close(now);
    this.#nodes.restart();
    this.#start(phase, null, null, 1, now);
  }

  start(phase: Phase): void {
    this.#nodes.restart();
    this.#start(phase, null, null, 1, this.#clock.nowMillis());
  }

  startPlugin(point: ExtensionPoint, plugin: string, node?: string): void {
    const weight = node === undefined ? 1 : this.#nodes.weight;
    this.#start(plugin, point, node ?? null, weight, this.#clock.nowMillis());
  }

  end(): void {
    this.#close(this.#clock.nowMillis());
  }

  atNode(): Trace | null {
    return this.#nodes.choose() ? this : null;
  }

  finish(nodeName: string | null): void {
    const now = this.#clock.nowMillis();
    while (this.#open.length > 0) this.#close(now);
    const pod = this.#pod;
    assert(pod !== null, 'a decision ends once');
    const decision: RecordedDecision = {
      pod,
      nodeName,
      spans: this.#spans,
      spanCount: this.#spanCount,
      weight: this.#weight,
      spanCost: this.#spanCost,
    };
    for (const sink of this.#sinks) sink.add(decision);
    this.#isFull = this.#sinks.every(({ isFull }) => isFull);
    this.#pod = null;
    const [whole] = this.#spans;
    if (this.#isRare || whole === undefined) return;
    this.#sampling?.observe(whole.endMillis - whole.startMillis, this.#spanCount * this.#spanCost.millis);
  }

  /** Begins a decision, and drops one that never finished because of an exception. */
  #restart(pod: Pod): this {
    this.#pod = pod;
    this.#spanCount = 0;
    this.#open.length = 0;
    this.#start('schedule', null, null, 1, this.#clock.nowMillis());
    return this;
  }

  #start(name: string, point: ExtensionPoint | null, node: string | null, weight: number, startMillis: number): void {
    const depth = this.#open.length;
    const index = this.#spanCount++;
    const span = this.#spans[index];
    if (span === undefined) {
      this.#spans.push({ name, point, node, weight, depth, startMillis, endMillis: startMillis, descendants: 0 });
    } else {
      span.name = name;
      span.point = point;
      span.node = node;
      span.weight = weight;
      span.depth = depth;
      span.startMillis = startMillis;
    }
    this.#open.push(index);
  }

  /** Whether the phase is open, with nothing open within it. */
  #isIn(phase: Phase): boolean {
    const [, index] = this.#open;
    return index !== undefined && this.#open.length === 2 && this.#spans[index]?.name === phase;
  }

  #close(endMillis: number): void {
    const index = this.#open.pop();
    assert(index !== undefined, 'what ends was started');
    const span = this.#spans[index] as Recorded;
    span.endMillis = endMillis;
    span.descendants = this.#spanCount - index - 1;
  }

  /** Measures the cost by recording empty spans. */
  #measureCost(): SpanCost {
    let [millis, withinMillis] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < COST_ROUNDS; round++) {
      this.#spanCount = 0;
      const start = this.#clock.nowMillis();
      for (let i = 0; i < COST_SPANS; i++) {
        this.startPlugin('filter', 'none');
        this.end();
      }
      millis = Math.min(millis, (this.#clock.nowMillis() - start) / COST_SPANS);
      const within = this.#spans.reduce((sum, { startMillis, endMillis }) => sum + endMillis - startMillis, 0);
      withinMillis = Math.min(withinMillis, within / COST_SPANS);
    }
    return { millis, withinMillis };
  }
}
