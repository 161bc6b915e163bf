import type { Job } from '../../../src/api/job.ts';
import type { Pod } from '../../../src/api/pod.ts';
import type { EventHandler } from '../../../src/client/informer/event-handler.ts';
import type { IndexFunction } from '../../../src/client/informer/index-buckets.ts';
import { Indexer } from '../../../src/client/informer/indexer.ts';
import type { Lister } from '../../../src/client/informer/lister.ts';
import { objectKey } from '../../../src/client/object-key.ts';
import { JOB_INDEXES, POD_INDEXES } from '../../../src/controllers/job/pod-indexes.ts';
import type { CacheVersions } from '../../../src/controllers/job/written-versions.ts';
import type { WatchNews } from './job-api-stub.ts';
import type { WatchedKind } from './job-case.ts';

/** What the controller sees: caches that follow the API by its watch events, unless these are held back. */
export class JobCaches implements CacheVersions {
  readonly #pods = new Cache<Pod>(POD_INDEXES);
  readonly #jobs = new Cache<Job>(JOB_INDEXES);
  readonly #held = new Set<WatchedKind>();
  #news: WatchNews[] = [];

  get podLister(): Lister<Pod> {
    return this.#pods.lister;
  }

  get jobLister(): Lister<Job> {
    return this.#jobs.lister;
  }

  pods(): string {
    return this.#pods.version;
  }

  jobs(): string {
    return this.#jobs.version;
  }

  /** How many watch events are held back. */
  get undelivered(): number {
    return this.#news.length;
  }

  add(news: WatchNews): void {
    this.#news.push(news);
  }

  hold(kinds: readonly WatchedKind[]): void {
    for (const kind of kinds) this.#held.add(kind);
  }

  release(kinds: readonly WatchedKind[]): void {
    for (const kind of kinds) this.#held.delete(kind);
  }

  /** Delivers all events that are not held back, in order. */
  deliver(podHandler: EventHandler<Pod>, jobHandler: EventHandler<Job>): void {
    const news = this.#news;
    this.#news = news.filter(({ kind }) => this.#held.has(kind));
    for (const item of news) {
      if (this.#held.has(item.kind)) continue;
      if (item.kind === 'pods') this.#pods.apply(item.type, item.object, podHandler);
      else this.#jobs.apply(item.type, item.object, jobHandler);
    }
  }

  /** Starts over with what the API has now. */
  fill(pods: Iterable<Pod>, jobs: Iterable<Job>, version: string): void {
    this.#news = [];
    this.#held.clear();
    this.#pods.fill(pods, version);
    this.#jobs.fill(jobs, version);
  }
}

class Cache<T extends Pod | Job> {
  readonly #indexer = new Indexer<T>();
  readonly lister: Lister<T> = byName(this.#indexer);
  version = '';

  constructor(indexes: Readonly<Record<string, IndexFunction<T>>>) {
    for (const [name, valuesOf] of Object.entries(indexes)) this.#indexer.addIndex(name, valuesOf);
  }

  apply(type: WatchNews['type'], object: T, handler: EventHandler<T>): void {
    const key = objectKey(object);
    const before = this.#indexer.getByKey(key);
    this.version = object.metadata?.resourceVersion ?? '';
    if (type === 'DELETED') {
      this.#indexer.delete(key);
      handler.onDelete(object, false);
      return;
    }
    this.#indexer.set(object);
    if (before === undefined) handler.onAdd(object, false);
    else handler.onUpdate(before, object);
  }

  fill(objects: Iterable<T>, version: string): void {
    for (const [key] of [...this.#indexer.entries()]) this.#indexer.delete(key);
    for (const object of objects) this.#indexer.set(object);
    this.version = version;
  }
}

/** Kubernetes leaves the order of lists open; the recordings have that of the names. */
function byName<T extends Pod | Job>(lister: Lister<T>): Lister<T> {
  return {
    get: (namespace, name) => lister.get(namespace, name),
    list: (selector) => sorted(lister.list(selector)),
    inNamespace: (namespace) => {
      const inside = lister.inNamespace(namespace);
      return { get: (name) => inside.get(name), list: (selector) => sorted(inside.list(selector)) };
    },
    byIndex: (indexName, value) => sorted(lister.byIndex(indexName, value)),
  };
}

function sorted<T extends Pod | Job>(objects: readonly T[]): readonly T[] {
  return objects.toSorted((a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1));
}
