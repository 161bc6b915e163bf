import type { Resource, Resources } from './objects/resources.ts';
import type { StoreClient } from './objects/store-client.ts';
import { Store } from './store.ts';

/** What happened to an object. */
export type WriteType = 'ADDED' | 'MODIFIED' | 'DELETED';

/**
 * Calls `see` inside of each write to the resource from now on, so that the writes of several resources are seen in
 * order. `resourceVersion`: the current version. A store calls it itself, which costs less than a watch, and shows what
 * the object was before; of any other client a watch is read.
 */
export function followWrites<R extends Resource>(
  client: Pick<StoreClient, 'watch'>,
  resource: R,
  resourceVersion: string,
  see: (type: WriteType, object: Resources[R], previous?: Resources[R]) => void,
): { stop(): void } {
  if (client instanceof Store) {
    return { stop: client.ledger.hub(resource).observe(({ type, object, previous }) => see(type, object, previous)) };
  }
  const watch = client.watch(resource, { resourceVersion });
  watch.onReady(() => {
    for (let event = watch.next(); event !== undefined; event = watch.next()) {
      if ('object' in event) see(event.type, event.object);
    }
  });
  return watch;
}
