import type { Pod } from '../../api/pod.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import type { Resource, Resources } from '../../store/objects/resources.ts';
import type { List, ListOptions, SelectionOptions, Watch, WatchOptions } from '../../store/objects/store-client.ts';
import { readingParts } from './index-buckets.ts';
import type { Lister } from './lister.ts';
import type { ListerWatcher, ReflectorModules } from './reflector.ts';
import { SharedInformer } from './shared-informer.ts';

/** The reads of informers. A store lists at once, a server later. */
export interface InformerClient {
  list<R extends Resource>(resource: R, options?: ListOptions): MaybePromise<List<Resources[R]>>;
  watch<R extends Resource>(resource: R, options: WatchOptions): Watch<Resources[R]>;
  /** Whether watches may begin with all objects. Absent: they may not. */
  readonly streamsLists?: boolean;
}

/** The source of an informer: a resource of the API. */
export function storeSource<R extends Resource>(
  client: InformerClient,
  resource: R,
  filter: SelectionOptions = {},
): ListerWatcher<Resources[R]> {
  return {
    name: resource,
    list: (options) => client.list(resource, { ...filter, ...options }),
    watch: (options) => client.watch(resource, { ...filter, ...options }),
    streamsLists: client.streamsLists === true,
  };
}

type InformersByResource = { [R in Resource]?: SharedInformer<Resources[R]> };

/** One shared informer for each resource, made on first use. */
export class Informers {
  readonly #client: InformerClient;
  readonly #modules: ReflectorModules;
  readonly #byResource: InformersByResource = {};
  #unread: (() => void)[] = [];

  constructor(client: InformerClient, modules: ReflectorModules) {
    this.#client = client;
    this.#modules = { ...modules, unread: { add: (read) => void this.#unread.push(read) } };
  }

  /**
   * Reads all events that watches have ready, so that caches and handlers know of every write until now. It must not be
   * called within a write, or by a handler.
   */
  catchUp(): void {
    while (this.#unread.length > 0) {
      const unread = this.#unread;
      this.#unread = [];
      for (const read of unread) read();
    }
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

const NODE_NAME_INDEX = 'spec.nodeName';
const NO_NAMES: readonly string[] = [];

const nodeNamesOf = readingParts(
  ({ spec }: Pod): readonly string[] => (spec?.nodeName ? [spec.nodeName] : NO_NAMES),
  (before, after) => before.spec === after.spec,
);

/** Adds the index that `podsOfNode` reads. */
export function watchPodsByNode(informers: Informers): void {
  informers.of('pods').addIndex(NODE_NAME_INDEX, nodeNamesOf);
}

export function podsOfNode(pods: Lister<Pod>, nodeName: string): readonly Pod[] {
  return pods.byIndex(NODE_NAME_INDEX, nodeName);
}
