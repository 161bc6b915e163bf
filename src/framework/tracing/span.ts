import type { Pod } from '../../api/pod.ts';
import type { ExtensionPoint } from '../../config/extension-points.ts';

/** A piece of a decision, with a beginning and an end. */
export interface Span {
  /** `schedule` for the decision itself, a phase, or a plugin. */
  readonly name: string;
  /** Where the plugin was asked; null for all but plugins. */
  readonly point: ExtensionPoint | null;
  /** For a plugin that was asked about one node, one of many. */
  readonly node: string | null;
  /** How many calls like it this one stands for. */
  readonly weight: number;
  /** 0 for the decision itself, 1 for its phases, ... */
  readonly depth: number;
  readonly startMillis: number;
  readonly endMillis: number;
  /** How many of the spans that follow lie within it. */
  readonly descendants: number;
}

/** One decision, recorded. */
export interface RecordedDecision {
  readonly pod: Pod;
  /** Where the pod was placed, or null. */
  readonly nodeName: string | null;
  /** In the order in which they began: the first is the decision itself. Longer than `spanCount`, and used again. */
  readonly spans: readonly Span[];
  readonly spanCount: number;
  /** How many decisions this one stands for. */
  readonly weight: number;
  readonly spanCost: SpanCost;
}

/** What recording one span takes. */
export interface SpanCost {
  readonly millis: number;
  /** The part of it that the span itself seems to last. */
  readonly withinMillis: number;
}

/** Takes what was recorded, between decisions. */
export interface SpanSink {
  /** It takes no more. */
  readonly isFull: boolean;
  add(decision: RecordedDecision): void;
  /** Of a worker thread, counted from 1. */
  addWork(worker: number, name: string, startMillis: number, endMillis: number): void;
}
