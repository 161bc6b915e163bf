import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options?: { readonly type: 'minor' }) => void;

let collect: Collect | undefined;

/** V8's garbage collector, without that node was started with --expose-gc. */
function collector(): Collect {
  if (collect === undefined) {
    // A context that is created after the flag was set has `gc`.
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  return collect;
}

/** Collects all garbage. V8 then also discards code that it compiled for objects that are gone. */
export function collectGarbage(): void {
  const gc = collector();
  // The first collection only releases typed arrays and kernel memories; the second one frees them.
  gc();
  gc();
}

/** Collects young garbage, and makes old what is still used of it. Compiled code stays. */
export function collectYoungGarbage(): void {
  const gc = collector();
  // An object becomes old at the second collection that it outlives.
  gc({ type: 'minor' });
  gc({ type: 'minor' });
}
