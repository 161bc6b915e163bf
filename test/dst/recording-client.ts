import type { KubernetesObject } from '../../src/api/meta.ts';
import type { Pod } from '../../src/api/pod.ts';
import { isApiError } from '../../src/store/objects/api-error.ts';
import type { Resource, Resources } from '../../src/store/objects/resources.ts';
import type {
  Binding,
  DeleteOptions,
  List,
  ListOptions,
  Patch,
  StoreClient,
  Watch,
  WatchEvent,
  WatchOptions,
} from '../../src/store/objects/store-client.ts';
import type { Mirror } from './mirror.ts';
import type { Violated } from './violation.ts';

/** A change that somebody in the cluster asked for. */
export interface Request {
  readonly verb: 'create' | 'update' | 'patch' | 'delete' | 'bind' | 'evict';
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  /** `lost`: it was done, and the answer was lost; `missing`: the API found no such object. */
  readonly outcome: 'done' | 'refused' | 'lost' | 'missing';
  /** The pod as it was when it was asked. */
  readonly pod: Pod | undefined;
  /** What came of it; of a patch, the patch. */
  readonly body: unknown;
}

type Asked = Pick<Request, 'verb' | 'resource' | 'namespace' | 'name'>;

interface RecordingModules {
  readonly client: StoreClient;
  /** Known from its first request on. */
  readonly mirror: () => Mirror;
  readonly violated: Violated;
}

/** The API as the components of the cluster see it: notes what they ask, and looks at what watches bring them. */
export class RecordingClient implements StoreClient {
  readonly #modules: RecordingModules;
  #requests: Request[] = [];
  /** How many watches ended with an error or could not begin: the list that follows may show less than they would. */
  gaps = 0;

  constructor(modules: RecordingModules) {
    this.#modules = modules;
  }

  /** Returns the requests since the last call. */
  takeRequests(): readonly Request[] {
    const requests = this.#requests;
    if (requests.length > 0) this.#requests = [];
    return requests;
  }

  get hasRequests(): boolean {
    return this.#requests.length > 0;
  }

  create<R extends Resource>(resource: R, object: Resources[R]): Resources[R] {
    const { namespace = '', name = '' } = object.metadata ?? {};
    return this.#ask({ verb: 'create', resource, namespace, name }, (client) => client.create(resource, object));
  }

  get<R extends Resource>(resource: R, namespace: string, name: string): Resources[R] {
    return this.#modules.client.get(resource, namespace, name);
  }

  list<R extends Resource>(resource: R, options?: ListOptions): List<Resources[R]> {
    return this.#modules.client.list(resource, options);
  }

  watch<R extends Resource>(resource: R, options: WatchOptions): Watch<Resources[R]> {
    const watch = this.#begun(() => this.#modules.client.watch(resource, options));
    return new OrderedWatch(watch, Number(options.resourceVersion || '0'), {
      violated: (detail) => this.#modules.violated('watch order', `watch of ${resource}: ${detail}`),
      onError: () => {
        this.gaps++;
      },
    });
  }

  #begun<T>(begin: () => T): T {
    try {
      return begin();
    } catch (error) {
      this.gaps++;
      throw error;
    }
  }

  update<R extends Resource>(resource: R, object: Resources[R]): Resources[R] {
    return this.#ask(asked('update', resource, object), (client) => client.update(resource, object));
  }

  updateStatus<R extends Resource>(resource: R, object: Resources[R]): Resources[R] {
    return this.#ask(asked('update', resource, object), (client) => client.updateStatus(resource, object));
  }

  patch<R extends Resource>(resource: R, namespace: string, name: string, patch: Patch, subresource?: 'status') {
    const ask = (client: StoreClient): Resources[R] => client.patch(resource, namespace, name, patch, subresource);
    return this.#ask({ verb: 'patch', resource, namespace, name }, ask, patch.body);
  }

  delete<R extends Resource>(resource: R, namespace: string, name: string, options?: DeleteOptions): void {
    const ask = (client: StoreClient): void => client.delete(resource, namespace, name, options);
    this.#ask({ verb: 'delete', resource, namespace, name }, ask);
  }

  bind(namespace: string, podName: string, binding: Binding): ReturnType<StoreClient['bind']> {
    const what: Asked = { verb: 'bind', resource: 'pods', namespace, name: podName };
    return this.#ask(what, (client) => client.bind(namespace, podName, binding));
  }

  evict(namespace: string, podName: string, options?: DeleteOptions): void {
    const what: Asked = { verb: 'evict', resource: 'pods', namespace, name: podName };
    this.#ask(what, (client) => client.evict(namespace, podName, options));
  }

  #ask<T>(what: Asked, ask: (client: StoreClient) => T, body?: unknown): T {
    const mirror = this.#modules.mirror();
    const pod = what.resource === 'pods' ? mirror.podNamed(what.namespace, what.name) : undefined;
    const writesBefore = mirror.writes;
    try {
      const answer = ask(this.#modules.client);
      this.#requests.push({ ...what, pod, body: body ?? answer, outcome: 'done' });
      return answer;
    } catch (error) {
      const isLost = isApiError(error, 'Timeout') && mirror.writes > writesBefore;
      const lost = what.verb === 'create' && isLost ? mirror.lastPod : body;
      const refusal = isApiError(error, 'NotFound') ? 'missing' : 'refused';
      this.#requests.push({ ...what, pod, body: lost, outcome: isLost ? 'lost' : refusal });
      throw error;
    }
  }
}

function asked(verb: Request['verb'], resource: Resource, { metadata }: KubernetesObject): Asked {
  return { verb, resource, namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}

/** Whether the body of a patch takes the tracking finalizer off a pod. */
export function isRelease(body: unknown): boolean {
  const { metadata } = body as { readonly metadata?: Record<string, unknown> };
  return metadata?.['$deleteFromPrimitiveList/finalizers'] !== undefined;
}

interface OrderedWatchModules {
  readonly violated: (detail: string) => void;
  readonly onError: () => void;
}

/** A watch of which every event must be newer than the one before. */
class OrderedWatch<T extends KubernetesObject> implements Watch<T> {
  readonly #watch: Watch<T>;
  readonly #modules: OrderedWatchModules;
  #version: number;

  constructor(watch: Watch<T>, version: number, modules: OrderedWatchModules) {
    this.#watch = watch;
    this.#version = version;
    this.#modules = modules;
  }

  next(): WatchEvent<T> | undefined {
    const event = this.#watch.next();
    if (event?.type === 'ERROR') this.#modules.onError();
    if (event === undefined || event.type === 'ERROR') return event;
    const isBookmark = event.type === 'BOOKMARK';
    const version = Number(isBookmark ? event.resourceVersion : event.object.metadata?.resourceVersion);
    const isInOrder = isBookmark ? version >= this.#version : version > this.#version;
    if (!isInOrder) this.#modules.violated(`${event.type} of version ${version} after ${this.#version}`);
    this.#version = version;
    return event;
  }

  onReady(wake: () => void): void {
    this.#watch.onReady(wake);
  }

  stop(): void {
    this.#watch.stop();
  }
}
