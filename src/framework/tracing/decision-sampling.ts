import { Prng } from '../../lib/prng.ts';

/**
 * What recording may add to the time of common decisions. Much less than the 3 % that are promised: rare ones come on
 * top, and among other code recording takes up to twice as long as alone.
 */
const COST_SHARE = 0.005;
/** More would leave too few in a run of thousands. */
const LARGEST_GAP = 1000;
/** How fast the typical duration follows: by this factor up or down with every decision. */
const STEP = 1.05;

/**
 * Which decisions are recorded, so that recording costs little: all that take milliseconds, one in many of those that
 * take a microsecond. Gaps are drawn, for pods may come in patterns.
 */
export class DecisionSampling {
  /** Mean number of decisions that one recorded decision stands for. */
  #gap = 1;
  #untilNext = 1;
  /** Decisions that no recorded one stands for yet. */
  #open = 0;
  /** Tends to the median: one collection of garbage must not make short decisions look long. 0: none was seen. */
  #typicalMillis = 0;
  readonly #prng = new Prng(1);

  /** A decision begins. Returns how many decisions it stands for; 0: it is not recorded. */
  next(): number {
    this.#open++;
    this.#untilNext--;
    if (this.#untilNext > 0) return 0;
    const weight = this.#open;
    this.#open = 0;
    this.#untilNext = 1 + this.#prng.below(2 * this.#gap - 1);
    return weight;
  }

  /** The decision that `next` gave this weight stands for itself alone; others stand for those it was to cover. */
  setApart(weight: number): void {
    this.#open += weight === 0 ? -1 : weight - 1;
  }

  /** A recorded decision is done. `costMillis` of its time went into recording. */
  observe(durationMillis: number, costMillis: number): void {
    const millis = Math.max(durationMillis - costMillis, 0);
    if (this.#typicalMillis === 0) this.#typicalMillis = millis;
    this.#typicalMillis *= millis > this.#typicalMillis ? STEP : 1 / STEP;
    const gap = costMillis === 0 ? 1 : Math.ceil(costMillis / (COST_SHARE * this.#typicalMillis));
    this.#gap = Math.min(gap, LARGEST_GAP);
  }
}
