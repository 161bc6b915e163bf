/** Stands for the points of a node that refuses the claims, or has to be asked. */
export const NO_POINTS = -1;

/** The points that nodes get for the alternatives they serve, and how many nodes get which. */
export class PointsBySlot {
  readonly #points: number[] = [];
  /** The number of nodes by their points. */
  readonly #counts = new Map<number, number>();

  at(slot: number): number {
    return this.#points[slot] ?? NO_POINTS;
  }

  set(slot: number, points: number): void {
    const before = this.at(slot);
    if (before === points) return;
    while (this.#points.length < slot) this.#points.push(NO_POINTS);
    this.#points[slot] = points;
    this.#count(before, -1);
    this.#count(points, 1);
  }

  /** The points that all nodes get which have any; 0 where none has, and null if they differ. */
  get common(): number | null {
    if (this.#counts.size > 1) return null;
    for (const points of this.#counts.keys()) return points;
    return 0;
  }

  #count(points: number, change: 1 | -1): void {
    if (points === NO_POINTS) return;
    const count = (this.#counts.get(points) ?? 0) + change;
    if (count === 0) this.#counts.delete(points);
    else this.#counts.set(points, count);
  }
}
