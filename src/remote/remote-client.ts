import type { EventLoop } from '../lib/event-loop.ts';
import type { Prng } from '../lib/prng.ts';
import { RESOURCES, type Resource, type Resources } from '../store/objects/resources.ts';
import type { List, ListOptions, SelectionOptions, Watch, WatchOptions } from '../store/objects/store-client.ts';
import type { KubeConnection } from './connection/kube-connection.ts';
import { queryOf, resourcePath } from './resource-path.ts';
import { RemoteWatch } from './watch/remote-watch.ts';
import { trimmed } from './watch/trimmed.ts';

/** The parts that a client uses. */
export interface RemoteClientModules {
  readonly connection: KubeConnection;
  readonly loop: EventLoop;
  /** Draws how long watches last. */
  readonly prng: Prng;
  /** Which objects of a resource are read; all of those that are not named. */
  readonly selections?: { readonly [R in Resource]?: SelectionOptions };
}

/** Watches last five to ten minutes, so that they do not all begin anew together. Upstream: minWatchTimeout. */
const WATCH_SECONDS_MIN = 300;

/** The list that the API sends. */
interface ListBody<T> {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly T[] | null;
}

/** The reads of informers, as requests to an API server. */
export class RemoteClient {
  /** Servers from Kubernetes 1.34 on stream lists; others refuse it. */
  readonly streamsLists = true;
  readonly #modules: RemoteClientModules;

  constructor(modules: RemoteClientModules) {
    this.#modules = modules;
  }

  /** Lists objects of a resource. Rejects with an `ApiError`. */
  async list<R extends Resource>(resource: R, options: ListOptions = {}): Promise<List<Resources[R]>> {
    const { namespace, ...parameters } = { ...this.#modules.selections?.[resource], ...options };
    const path = resourcePath(resource, namespace) + queryOf(parameters);
    const { metadata, items } = await this.#modules.connection.request<ListBody<Resources[R]>>({ method: 'GET', path });
    const { kind, apiVersion } = RESOURCES[resource];
    return {
      items: (items ?? []).map((item) => ({ apiVersion, kind, ...trimmed(item) })),
      resourceVersion: metadata?.resourceVersion ?? '',
      continue: metadata?.continue,
    };
  }

  /** Watches a resource; that it cannot be watched is the first event. */
  watch<R extends Resource>(resource: R, options: WatchOptions): Watch<Resources[R]> {
    const { connection, loop, prng } = this.#modules;
    const given = { ...this.#modules.selections?.[resource], ...options };
    const { namespace, resourceVersion, allowBookmarks, sendInitialEvents, ...selection } = given;
    const timeoutSeconds = WATCH_SECONDS_MIN + prng.below(WATCH_SECONDS_MIN);
    const parameters = { ...selection, watch: true, allowWatchBookmarks: allowBookmarks, timeoutSeconds };
    const path = resourcePath(resource, namespace);
    return new RemoteWatch(
      {
        loop,
        open: (version, signal, awaitsInitial) => {
          const initial = awaitsInitial ? { sendInitialEvents, resourceVersionMatch: 'NotOlderThan' } : {};
          return connection.stream(path + queryOf({ ...parameters, ...initial, resourceVersion: version }), signal);
        },
      },
      { resourceVersion, sendInitialEvents: sendInitialEvents === true },
    );
  }
}
