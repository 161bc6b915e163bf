import type { ExtensionPoint } from '../../config/extension-points.ts';
import type { RecordedDecision, Span, SpanSink } from './span.ts';

/** What a phase, or a plugin in a phase, has taken of all decisions. */
export interface PhaseTime {
  /**
   * From the outside in: `schedule`, which is the decision itself, then phases and plugins down to the one that this is
   * about: `schedule`, `encode`, `preFilter`, `NodeAffinity`.
   */
  readonly path: readonly string[];
  /** Where the plugin was asked; null for a phase. */
  readonly point: ExtensionPoint | null;
  /** How often; estimated where not all were timed. */
  readonly calls: number;
  /** With everything within it. */
  readonly totalMillis: number;
  readonly meanMicros: number;
  /** Of the time of all decisions, 0 to 1. */
  readonly share: number;
}

/** Where the time of all decisions went. */
export interface PhaseReport {
  /** How many decisions were timed; the others are estimated from them. */
  readonly timedDecisions: number;
  /** The outer before what lies within it, in the order in which each first came. */
  readonly times: readonly PhaseTime[];
}

/** Spans of one name at one place. */
interface Total {
  readonly name: string;
  readonly point: ExtensionPoint | null;
  readonly within: Total[];
  calls: number;
  millis: number;
}

/** Sums up decisions; what recording itself has taken is taken out. */
export class PhaseTimes implements SpanSink {
  readonly isFull = false;
  readonly #decisions: Total = newTotal('schedule', null);
  /** Of the spans around the one that is added, outermost first. */
  readonly #around: Total[] = [];
  #timedDecisions = 0;

  add({ spans, spanCount, weight, spanCost }: RecordedDecision): void {
    this.#timedDecisions++;
    for (let i = 0; i < spanCount; i++) {
      const span = spans[i] as Span;
      const total = this.#totalOf(span);
      this.#around[span.depth] = total;
      const cost = spanCost.withinMillis + spanCost.millis * span.descendants;
      const calls = weight * span.weight;
      total.calls += calls;
      total.millis += calls * (span.endMillis - span.startMillis - cost);
    }
  }

  addWork(): void {}

  report(): PhaseReport {
    const times: PhaseTime[] = [];
    const all = this.#decisions.millis;
    const visit = ({ name, point, calls, within, ...total }: Total, around: readonly string[]): void => {
      const path = [...around, name];
      // A span of nothing may have cost less than the mean.
      const millis = Math.max(total.millis, 0);
      times.push({
        path,
        point,
        calls,
        totalMillis: millis,
        meanMicros: (millis * 1000) / calls,
        share: all > 0 ? millis / all : 0,
      });
      for (const inner of within) visit(inner, path);
    };
    if (this.#timedDecisions > 0) visit(this.#decisions, []);
    return { timedDecisions: this.#timedDecisions, times };
  }

  #totalOf({ name, point, depth }: Span): Total {
    if (depth === 0) return this.#decisions;
    const { within } = this.#around[depth - 1] as Total;
    let total = within.find((other) => other.name === name && other.point === point);
    if (total === undefined) {
      total = newTotal(name, point);
      within.push(total);
    }
    return total;
  }
}

function newTotal(name: string, point: ExtensionPoint | null): Total {
  return { name, point, within: [], calls: 0, millis: 0 };
}
