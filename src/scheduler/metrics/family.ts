import { exponentialBuckets, Histogram } from './histogram.ts';

export type MetricKind = 'counter' | 'gauge' | 'histogram';

/** A number that goes up, or up and down. */
export class Amount {
  value = 0;

  clear(): void {
    this.value = 0;
  }
}

interface Child {
  clear(): void;
}

/** One metric with a child for each combination of its label values. */
export interface MetricFamily {
  readonly kind: MetricKind;
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  children(): Iterable<readonly [labelValues: readonly string[], child: Amount | Histogram]>;
  clear(): void;
}

type Level<C> = Map<string, Level<C> | C>;

/**
 * Children are made when they are first asked for, and found by walking maps, a label at a time: no key is put together
 * and no object made. Who observes often keeps the child.
 */
export class Family<C extends Amount | Histogram> implements MetricFamily {
  readonly kind: MetricKind;
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly #newChild: () => C;
  readonly #root: Level<C> = new Map();
  readonly #children: [readonly string[], C][] = [];

  constructor(kind: MetricKind, name: string, help: string, labelNames: readonly string[], newChild: () => C) {
    this.kind = kind;
    this.name = name;
    this.help = help;
    this.labelNames = labelNames;
    this.#newChild = newChild;
    // What has no labels is there from the start.
    if (labelNames.length === 0) this.child();
  }

  /** A value for each label, in the order of `labelNames`. */
  child(...labelValues: string[]): C {
    let level = this.#root;
    const last = Math.max(0, labelValues.length - 1);
    for (let i = 0; i < last; i++) {
      const value = labelValues[i] as string;
      let next = level.get(value) as Level<C> | undefined;
      if (next === undefined) {
        next = new Map();
        level.set(value, next);
      }
      level = next;
    }
    const value = labelValues[last] ?? '';
    let child = level.get(value) as C | undefined;
    if (child === undefined) {
      child = this.#newChild();
      level.set(value, child);
      this.#children.push([[...labelValues], child]);
    }
    return child;
  }

  children(): Iterable<readonly [readonly string[], C]> {
    return this.#children;
  }

  clear(): void {
    for (const [, child] of this.#children as readonly [readonly string[], Child][]) child.clear();
  }
}

export function counter(name: string, help: string, ...labelNames: string[]): Family<Amount> {
  return new Family('counter', name, help, labelNames, () => new Amount());
}

export function gauge(name: string, help: string, ...labelNames: string[]): Family<Amount> {
  return new Family('gauge', name, help, labelNames, () => new Amount());
}

/** `buckets`: of `exponentialBuckets`. */
export function histogram(
  name: string,
  help: string,
  buckets: readonly [start: number, factor: number, count: number],
  ...labelNames: string[]
): Family<Histogram> {
  const bounds = exponentialBuckets(...buckets);
  return new Family('histogram', name, help, labelNames, () => new Histogram(bounds));
}
