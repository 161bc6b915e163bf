import { FakeClock } from '../../src/lib/clock.ts';
import { Prng } from '../../src/lib/prng.ts';
import { type NameSource, RandomNames } from '../../src/store/objects/names.ts';
import { Store } from '../../src/store/store.ts';

/** When the clock of `makeStore` begins. */
const START_MILLIS = Date.UTC(2026, 0, 1);

/** An empty store on a clock that stands at the start of 2026. */
export function makeStore(
  historyLimit?: number,
  names: NameSource = new RandomNames(new Prng(1)),
): { readonly store: Store; readonly clock: FakeClock } {
  const clock = new FakeClock(START_MILLIS);
  return { store: new Store({ clock, names }, { historyLimit }), clock };
}
