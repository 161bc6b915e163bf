import type { EventLoop } from '../../lib/event-loop.ts';
import type { Prng } from '../../lib/prng.ts';
import { type ApiError, conflict, expired, timeout } from '../../store/objects/api-error.ts';
import { findObject } from '../../store/objects/find-object.ts';
import type { Resource, Resources } from '../../store/objects/resources.ts';
import type {
  Binding,
  DeleteOptions,
  List,
  ListOptions,
  Patch,
  StatusOutcome,
  StoreClient,
  Watch,
  WatchEvent,
  WatchOptions,
} from '../../store/objects/store-client.ts';

export interface FaultyClientModules {
  readonly client: StoreClient;
  readonly loop: EventLoop;
  readonly prng: Prng;
}

/** Shares are in millionths, so that adding and subtracting them is exact. */
export const MILLION = 1_000_000;

/**
 * The API behind a bad connection: on demand, some changes are refused as conflicts, some requests get no answer (half
 * of the writes among them are carried out nevertheless), watches end, and their events are late.
 */
export class FaultyClient implements StoreClient {
  readonly #client: StoreClient;
  readonly #loop: EventLoop;
  readonly #prng: Prng;
  readonly #watches = new Map<FaultyWatch<never>, Resource>();
  /** How many changes in a million are refused. */
  conflictMillionths = 0;
  /** How many requests in a million get no answer. */
  timeoutMillionths = 0;
  /** The delay of watch events. */
  delayMillis = 0;

  constructor({ client, loop, prng }: FaultyClientModules) {
    this.#client = client;
    this.#loop = loop;
    this.#prng = prng;
  }

  /**
   * Ends the open watches of the resource, or all watches, with a version that is too old. Returns how many it ended.
   */
  loseWatches(resource?: Resource): number {
    const lost = [...this.#watches].filter(([, of]) => resource === undefined || of === resource);
    for (const [watch] of lost) watch.lose();
    return lost.length;
  }

  create<R extends Resource>(resource: R, object: Resources[R]): Resources[R] {
    if (!this.#isFaulty) return this.#client.create(resource, object);
    return this.#answer(`create ${resource}`, () => this.#client.create(resource, object));
  }

  get<R extends Resource>(resource: R, namespace: string, name: string): Resources[R] {
    this.#mayTimeOut('get', resource);
    return this.#client.get(resource, namespace, name);
  }

  find<R extends Resource>(resource: R, namespace: string, name: string): Resources[R] | undefined {
    this.#mayTimeOut('get', resource);
    return findObject(this.#client, resource, namespace, name);
  }

  list<R extends Resource>(resource: R, options?: ListOptions): List<Resources[R]> {
    this.#mayTimeOut('list', resource);
    return this.#client.list(resource, options);
  }

  watch<R extends Resource>(resource: R, options: WatchOptions): Watch<Resources[R]> {
    this.#mayTimeOut('watch', resource);
    const watch = new FaultyWatch(this.#client.watch(resource, options), {
      loop: this.#loop,
      delayMillis: () => this.delayMillis,
      onStop: () => this.#watches.delete(watch as FaultyWatch<never>),
    });
    this.#watches.set(watch as FaultyWatch<never>, resource);
    return watch;
  }

  update<R extends Resource>(resource: R, object: Resources[R]): Resources[R] {
    if (!this.#isFaulty) return this.#client.update(resource, object);
    return this.#change(resource, object.metadata?.name, () => this.#client.update(resource, object));
  }

  updateStatus<R extends Resource>(resource: R, object: Resources[R], outcome?: StatusOutcome): Resources[R] {
    if (!this.#isFaulty) return this.#client.updateStatus(resource, object, outcome);
    return this.#change(resource, object.metadata?.name, () => this.#client.updateStatus(resource, object, outcome));
  }

  patch<R extends Resource>(
    resource: R,
    namespace: string,
    name: string,
    patch: Patch,
    subresource?: 'status',
  ): Resources[R] {
    if (!this.#isFaulty) return this.#client.patch(resource, namespace, name, patch, subresource);
    return this.#change(resource, name, () => this.#client.patch(resource, namespace, name, patch, subresource));
  }

  delete<R extends Resource>(resource: R, namespace: string, name: string, options?: DeleteOptions): void {
    if (!this.#isFaulty) {
      this.#client.delete(resource, namespace, name, options);
      return;
    }
    this.#answer(`delete ${resource}`, () => this.#client.delete(resource, namespace, name, options));
  }

  bind(namespace: string, podName: string, binding: Binding): ReturnType<StoreClient['bind']> {
    if (!this.#isFaulty) return this.#client.bind(namespace, podName, binding);
    return this.#change('pods', podName, () => this.#client.bind(namespace, podName, binding));
  }

  evict(namespace: string, podName: string, options?: DeleteOptions): void {
    this.#answer('evict pods', () => this.#client.evict(namespace, podName, options));
  }

  #change<T>(resource: Resource, name: string | undefined, request: () => T): T {
    if (this.#draws(this.conflictMillionths)) {
      const why = 'the object has been modified; please apply your changes to the latest version and try again';
      throw conflict(resource, name ?? '', why);
    }
    return this.#answer(`change ${resource}`, request);
  }

  /**
   * Carries out a request, whose answer may get lost. @throws ApiError Timeout; the caller then does not know whether
   * it was carried out
   */
  #answer<T>(what: string, request: () => T): T {
    const isLost = this.#draws(this.timeoutMillionths);
    if (isLost && this.#prng.below(2) === 0) throw noAnswer(what);
    const answer = request();
    if (isLost) throw noAnswer(what);
    return answer;
  }

  #mayTimeOut(verb: string, resource: Resource): void {
    if (this.#draws(this.timeoutMillionths)) throw noAnswer(`${verb} ${resource}`);
  }

  /** Whether anything is drawn for a change. Otherwise it is handed on at once: a pod's life has a dozen of them. */
  get #isFaulty(): boolean {
    return this.conflictMillionths > 0 || this.timeoutMillionths > 0;
  }

  #draws(millionths: number): boolean {
    return millionths > 0 && this.#prng.below(MILLION) < millionths;
  }
}

function noAnswer(what: string): ApiError {
  return timeout(`request did not complete within requested timeout: ${what}`);
}

interface FaultyWatchModules {
  readonly loop: EventLoop;
  readonly delayMillis: () => number;
  readonly onStop: () => void;
}

class FaultyWatch<T> implements Watch<T> {
  readonly #watch: Watch<T>;
  readonly #modules: FaultyWatchModules;
  #state: 'open' | 'lost' | 'reported' = 'open';
  #wake = (): void => {};

  constructor(watch: Watch<T>, modules: FaultyWatchModules) {
    this.#watch = watch;
    this.#modules = modules;
  }

  lose(): void {
    if (this.#state !== 'open') return;
    this.#state = 'lost';
    this.#watch.stop();
    this.#wake();
  }

  next(): WatchEvent<T> | undefined {
    if (this.#state === 'open') return this.#watch.next();
    if (this.#state === 'reported') return undefined;
    this.#state = 'reported';
    return { type: 'ERROR', error: expired('too old resource version') };
  }

  onReady(wake: () => void): void {
    const { loop, delayMillis } = this.#modules;
    this.#wake = wake;
    this.#watch.onReady(() => {
      const millis = delayMillis();
      if (millis > 0) loop.after(millis, wake);
      else wake();
    });
  }

  stop(): void {
    this.#modules.onStop();
    this.#watch.stop();
  }
}
