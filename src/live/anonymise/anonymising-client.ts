import type { KubernetesObject } from '../../api/meta.ts';
import type { InformerClient } from '../../client/informer/informers.ts';
import type { Resource, Resources } from '../../store/objects/resources.ts';
import type { List, ListOptions, Watch, WatchEvent, WatchOptions } from '../../store/objects/store-client.ts';
import type { Anonymiser } from './anonymise.ts';

/** The reads of a client, whose objects name nobody. */
export class AnonymisingClient implements InformerClient {
  readonly streamsLists: boolean;
  readonly #client: InformerClient;
  readonly #anonymiser: Anonymiser;

  constructor(client: InformerClient, anonymiser: Anonymiser) {
    this.streamsLists = client.streamsLists === true;
    this.#client = client;
    this.#anonymiser = anonymiser;
  }

  async list<R extends Resource>(resource: R, options?: ListOptions): Promise<List<Resources[R]>> {
    const list = await this.#client.list(resource, options);
    return { ...list, items: list.items.map((item) => this.#nameless(item)) };
  }

  watch<R extends Resource>(resource: R, options: WatchOptions): Watch<Resources[R]> {
    const watch = this.#client.watch(resource, options);
    return {
      next: () => {
        const event = watch.next();
        return event !== undefined && 'object' in event ? this.#shown(event) : event;
      },
      onReady: (wake) => watch.onReady(wake),
      stop: () => watch.stop(),
    };
  }

  #shown<T extends KubernetesObject>(event: Extract<WatchEvent<T>, { object: T }>): WatchEvent<T> {
    return { ...event, object: this.#nameless(event.object) };
  }

  #nameless<T extends KubernetesObject>(object: T): T {
    return this.#anonymiser.object(object) as T;
  }
}
