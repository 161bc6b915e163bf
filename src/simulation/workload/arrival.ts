import type { Prng } from '../../lib/prng.ts';
import type { SubmittedObject } from './submitted-object.ts';

/** An object that comes to a cluster, and goes. Times are milliseconds since the simulation began. */
export interface Arrival extends SubmittedObject {
  readonly atMillis: number;
  /** When its user deletes it; Infinity: never. */
  readonly deletionMillis: number;
}

/** Objects that come one after the other. */
export interface ArrivalSource {
  /** For messages, such as `arrivals[2]`. */
  readonly name: string;
  /** How many come; Infinity: they come for ever. */
  readonly count: number;
  /** When the last one is expected to come, or to be deleted by plan; Infinity: never. */
  readonly endMillis: number;
  /** In the order of their times. What is random is drawn from the generator. */
  arrivals(prng: Prng): Iterator<Arrival>;
}
