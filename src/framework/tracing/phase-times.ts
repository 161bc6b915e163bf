import type { ExtensionPoint } from '../../config/extension-points.ts';
import type { RecordedDecision, Span, SpanSink } from './span.ts';

/** The time of a phase, or of a plugin in a phase, in all decisions. */
export interface PhaseTime {
  /**
   * The names from the outermost span to this one: `schedule` for the decision, then phases and plugins, as in
   * `schedule`, `encode`, `preFilter`, `NodeAffinity`.
   */
  readonly path: readonly string[];
  /** The extension point of the plugin; null for a phase. */
  readonly point: ExtensionPoint | null;
  /** The number of calls; an estimate if not all were timed. */
  readonly calls: number;
  /** The time with everything within it. */
  readonly totalMillis: number;
  readonly meanMicros: number;
  /** The share of the time of all decisions, 0 to 1. */
  readonly share: number;
}

/** The times of all decisions by phase and plugin. */
export interface PhaseReport {
  /** The number of decisions that were timed; the others are estimated from them. */
  readonly timedDecisions: number;
  /** The times of outer spans precede those within them; others are in the order in which they first occurred. */
  readonly times: readonly PhaseTime[];
}

/** The sum of the spans of one name at one place. */
interface Total {
  readonly name: string;
  readonly point: ExtensionPoint | null;
  readonly within: Total[];
  calls: number;
  millis: number;
}

/** Sums up the times of decisions without the time of recording itself. */
export class PhaseTimes implements SpanSink {
  readonly isFull = false;
  readonly #decisions: Total = newTotal('schedule', null);
  /** The totals of the spans around the one that is added, outermost first. */
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
      // An empty span may have cost less than the mean.
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
