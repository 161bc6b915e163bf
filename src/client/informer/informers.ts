import type { Resource, Resources } from '../../store/objects/resources.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import type { ReflectorModules } from './reflector.ts';
import { SharedInformer } from './shared-informer.ts';
import { storeSource } from './store-source.ts';

type InformersByResource = { [R in Resource]?: SharedInformer<Resources[R]> };

/** One shared informer for each resource, made on first use. */
export class Informers {
  readonly #client: StoreClient;
  readonly #modules: ReflectorModules;
  readonly #byResource: InformersByResource = {};

  constructor(client: StoreClient, modules: ReflectorModules) {
    this.#client = client;
    this.#modules = modules;
  }

  of<R extends Resource>(resource: R): SharedInformer<Resources[R]> {
    const known: InformersByResource[R] = this.#byResource[resource];
    if (known !== undefined) return known;
    const informer = new SharedInformer(storeSource(this.#client, resource), this.#modules);
    this.#byResource[resource] = informer as InformersByResource[R];
    return informer;
  }

  /** Starts the informers that were requested so far; a second call starts those that were requested since. */
  start(): void {
    for (const informer of Object.values(this.#byResource)) informer.start();
  }

  stop(): void {
    for (const informer of Object.values(this.#byResource)) informer.stop();
  }

  /** Whether every cache that was requested so far holds its first list. */
  hasSynced(): boolean {
    return Object.values(this.#byResource).every((informer) => informer.hasSynced());
  }
}
