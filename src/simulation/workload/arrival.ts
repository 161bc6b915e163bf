import type { Prng } from '../../lib/prng.ts';
import type { SubmittedObject } from './submitted-object.ts';

/** An object that is created and later deleted. Times are milliseconds since the simulation began. */
export interface Arrival extends SubmittedObject {
  readonly atMillis: number;
  /** When its user deletes it; Infinity for never. */
  readonly deletionMillis: number;
}

/** A source of objects that arrive over time. */
export interface ArrivalSource {
  /** The name in messages, such as `arrivals[2]`. */
  readonly name: string;
  /** How many objects arrive; Infinity if they never end. */
  readonly count: number;
  /** When the last object is expected to arrive, or to be deleted by plan; Infinity for never. */
  readonly endMillis: number;
  /** The arrivals in the order of their times. Random choices are drawn from the generator. */
  arrivals(prng: Prng): Iterator<Arrival>;
}
