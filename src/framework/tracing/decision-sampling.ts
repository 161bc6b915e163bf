import { Prng } from '../../lib/prng.ts';

/**
 * The share that recording may add to the time of common decisions. It is far below the 3 % that are promised, because
 * rare decisions come on top, and because recording takes up to twice as long among other code as alone.
 */
const COST_SHARE = 0.005;
/** The largest gap; larger ones would leave too few decisions in a run of thousands. */
const LARGEST_GAP = 1000;
/** The factor by which every decision moves the typical duration up or down. */
const STEP = 1.05;

/**
 * Selects the decisions to record, so that recording costs little: all that take milliseconds, and one in many of those
 * that take a microsecond. Gaps are drawn at random, because pods may come in patterns.
 */
export class DecisionSampling {
  /** The mean number of decisions for which one recorded decision stands. */
  #gap = 1;
  #untilNext = 1;
  /** The number of decisions that no recorded one stands for yet. */
  #open = 0;
  /**
   * An estimate of the median duration, because one garbage collection must not make short decisions look long; 0
   * before the first.
   */
  #typicalMillis = 0;
  readonly #prng = new Prng(1);

  /** Begins a decision. Returns the number of decisions for which it stands; 0 if it is not recorded. */
  next(): number {
    this.#open++;
    this.#untilNext--;
    if (this.#untilNext > 0) return 0;
    const weight = this.#open;
    this.#open = 0;
    this.#untilNext = 1 + this.#prng.below(2 * this.#gap - 1);
    return weight;
  }

  /**
   * Lets the decision to which `next` gave this weight stand for itself alone; later ones stand for the decisions that
   * it was to cover.
   */
  setApart(weight: number): void {
    this.#open += weight === 0 ? -1 : weight - 1;
  }

  /** Ends a recorded decision; `costMillis` of its time were spent on recording. */
  observe(durationMillis: number, costMillis: number): void {
    const millis = Math.max(durationMillis - costMillis, 0);
    if (this.#typicalMillis === 0) this.#typicalMillis = millis;
    this.#typicalMillis *= millis > this.#typicalMillis ? STEP : 1 / STEP;
    const gap = costMillis === 0 ? 1 : Math.ceil(costMillis / (COST_SHARE * this.#typicalMillis));
    this.#gap = Math.min(gap, LARGEST_GAP);
  }
}
