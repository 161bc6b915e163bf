import type { Pod } from '../../api/pod.ts';
import type { ExtensionPoint } from '../../config/extension-points.ts';

/** A part of a decision with a beginning and an end. */
export interface Span {
  /** The name: `schedule` for the decision itself, or that of a phase or plugin. */
  readonly name: string;
  /** The extension point at which the plugin was called; null for other spans. */
  readonly point: ExtensionPoint | null;
  /** The node for which the plugin was called; null if it was not called for one node. */
  readonly node: string | null;
  /** The number of similar calls for which this one stands. */
  readonly weight: number;
  /** The depth: 0 for the decision itself, 1 for its phases, ... */
  readonly depth: number;
  readonly startMillis: number;
  readonly endMillis: number;
  /** The number of following spans that lie within this one. */
  readonly descendants: number;
}

/** A recorded decision. */
export interface RecordedDecision {
  readonly pod: Pod;
  /** The node on which the pod was placed, or null. */
  readonly nodeName: string | null;
  /**
   * The spans in the order in which they began, the decision itself first. The list is longer than `spanCount`, and is
   * reused.
   */
  readonly spans: readonly Span[];
  readonly spanCount: number;
  /** The number of decisions for which this one stands. */
  readonly weight: number;
  readonly spanCost: SpanCost;
}

/** The cost of recording one span. */
export interface SpanCost {
  readonly millis: number;
  /** The part of the cost that lies between the recorded times of the span. */
  readonly withinMillis: number;
}

/** Receives recorded decisions; called between decisions. */
export interface SpanSink {
  /** Whether the sink ignores further decisions. */
  readonly isFull: boolean;
  add(decision: RecordedDecision): void;
  /** Receives the work of a worker thread; workers are numbered from 1. */
  addWork(worker: number, name: string, startMillis: number, endMillis: number): void;
}
