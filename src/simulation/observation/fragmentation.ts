import type { AmountsByName } from '../statistics/usage-meter.ts';
import type { NodeLoads } from './node-loads.ts';

/** More shapes of pods than these, the most frequent, are left out. */
const SHAPES_MAX = 16;
const SHAPES_KNOWN_MAX = 10_000;

/** The requests of pods that were created, and how many there were of each kind. */
export class PodShapes {
  readonly #shapes = new Map<string, { readonly amounts: AmountsByName; count: number }>();
  #frequent: readonly Shape[] | undefined;

  add(amounts: AmountsByName): void {
    const key = amounts.join(';');
    const known = this.#shapes.get(key);
    this.#frequent = undefined;
    if (known !== undefined) known.count++;
    else if (this.#shapes.size < SHAPES_KNOWN_MAX) this.#shapes.set(key, { amounts, count: 1 });
  }

  /** The most frequent ones. */
  frequent(): readonly Shape[] {
    this.#frequent ??= [...this.#shapes.values()].sort((a, b) => b.count - a.count).slice(0, SHAPES_MAX);
    return this.#frequent;
  }
}

export interface Shape {
  readonly amounts: AmountsByName;
  readonly count: number;
}

/** How well the nodes are filled. */
export interface Packing {
  /** The share of ready nodes that have a pod. */
  readonly nodesInUse: number;
  /** By metric: what is requested of the nodes in use, as a share of what these offer. */
  readonly filled: readonly number[];
  /**
   * By metric: the share of what is free on ready nodes that a pod like those seen cannot use, because something else
   * or too little is left there; the average over these pods. Only resources decide, not labels or taints.
   */
  readonly fragmented: readonly number[];
}

export function packingOf(loads: NodeLoads, shapes: readonly Shape[]): Packing {
  const { metrics, offered, requested, podCounts, lost } = loads;
  const wanted = shapes.map(({ amounts, count }) => ({ needs: needsOf(amounts, metrics), count }));
  const total = wanted.reduce((sum, { count }) => sum + count, 0);
  const [used, usedOffer] = [metrics.map(() => 0), metrics.map(() => 0)];
  const [free, stranded] = [metrics.map(() => 0), metrics.map(() => 0)];
  let [ready, inUse] = [0, 0];
  for (const node of loads.names.keys()) {
    if (lost.has(node)) continue;
    ready++;
    const left = metrics.map((_, m) => Math.max(0, (offered[m]?.[node] ?? 0) - (requested[m]?.[node] ?? 0)));
    if ((podCounts[node] ?? 0) > 0) {
      inUse++;
      for (const m of metrics.keys()) {
        used[m] = (used[m] as number) + (requested[m]?.[node] ?? 0);
        usedOffer[m] = (usedOffer[m] as number) + (offered[m]?.[node] ?? 0);
      }
    }
    const refused = wanted.reduce((sum, { needs, count }) => sum + (fits(needs, left) ? 0 : count), 0);
    for (const [m, amount] of left.entries()) {
      free[m] = (free[m] as number) + amount;
      stranded[m] = (stranded[m] as number) + (total > 0 ? (amount * refused) / total : 0);
    }
  }
  return {
    nodesInUse: ready > 0 ? inUse / ready : 0,
    filled: used.map((amount, m) => share(amount, usedOffer[m] as number)),
    fragmented: stranded.map((amount, m) => share(amount, free[m] as number)),
  };
}

function needsOf(amounts: AmountsByName, metrics: readonly string[]): readonly (readonly [number, number])[] {
  const needs = amounts.map(([name, amount]) => [metrics.indexOf(name), amount] as const);
  return [...needs.filter(([m, amount]) => m >= 0 && amount > 0), [metrics.indexOf('pods'), 1]];
}

function fits(needs: readonly (readonly [number, number])[], left: readonly number[]): boolean {
  return needs.every(([m, amount]) => m < 0 || (left[m] as number) >= amount);
}

function share(part: number, all: number): number {
  return all > 0 ? part / all : 0;
}
