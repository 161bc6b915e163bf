import { plural, whole } from '../lib/shown-count.ts';

const KINDS_SHOWN = 12;

/** Counts the objects of kinds that the reader has no use for. */
export class LeftOut {
  readonly #counts = new Map<string, number>();

  add(kind: string, count = 1): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
  }

  get count(): number {
    let sum = 0;
    for (const count of this.#counts.values()) sum += count;
    return sum;
  }

  /** One line: how many objects of which kinds; null when there are none. */
  text(): string | null {
    const kinds = [...this.#counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
    if (kinds.length === 0) return null;
    const shown = kinds.slice(0, KINDS_SHOWN).map(([kind, count]) => `${whole(count)} ${kind}`);
    if (kinds.length > KINDS_SHOWN) shown.push(`${whole(kinds.length - KINDS_SHOWN)} more kinds`);
    const objects = plural(this.count, 'object');
    const ofKinds = plural(kinds.length, 'kind');
    return `left out ${objects} of ${ofKinds}: ${shown.join(', ')}`;
  }
}
