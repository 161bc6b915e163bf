import { getOrMake } from '../../lib/get-or-make.ts';
import { latePackage } from '../../lib/host-modules.ts';
import { Histogram } from './histogram.ts';

/** A kind of Prometheus metric. */
export type MetricKind = 'counter' | 'gauge' | 'histogram';

/** A number that goes up, or up and down. */
export class Amount {
  value = 0;

  clear(): void {
    this.value = 0;
  }
}

/** One metric with a child for each combination of its label values. */
export type MetricFamily = Family<Amount> | Family<Histogram>;

/** The children by the values of the first label, the second, the third. */
type Tree<C> = Map<string, Map<string, Map<string, C>>>;

/**
 * Children are made when they are first asked for, and found by walking maps, a label at a time: no key is put together
 * and no object made. Who observes often keeps the child.
 */
export class Family<C extends Amount | Histogram> {
  readonly kind: MetricKind;
  readonly name: string;
  readonly help: string;
  /** Three at most. */
  readonly labelNames: readonly string[];
  readonly #newChild: () => C;
  readonly #tree: Tree<C> = new Map();
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
  child(first = '', second = '', third = ''): C {
    const leaves = getOrMake(getOrMake(this.#tree, first, newMap<Map<string, C>>), second, newMap<C>);
    let child = leaves.get(third);
    if (child === undefined) {
      child = this.#newChild();
      leaves.set(third, child);
      this.#children.push([[first, second, third].slice(0, this.labelNames.length), child]);
    }
    return child;
  }

  children(): Iterable<readonly [readonly string[], C]> {
    return this.#children;
  }

  clear(): void {
    for (const [, child] of this.#children) child.clear();
  }
}

export const newMap = <V>() => new Map<string, V>();

const amountsOf = (kind: 'counter' | 'gauge') => {
  return (name: string, help: string, ...labelNames: string[]) =>
    new Family(kind, name, help, labelNames, () => new Amount());
};

export const counter = amountsOf('counter');
export const gauge = amountsOf('gauge');

export function histogram(
  name: string,
  help: string,
  buckets: readonly [start: number, factor: number, count: number],
  ...labelNames: string[]
): Family<Histogram> {
  const bounds = latePackage('prom-client').exponentialBuckets(...buckets);
  return new Family('histogram', name, help, labelNames, () => new Histogram(bounds));
}
