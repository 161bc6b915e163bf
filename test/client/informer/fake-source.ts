import type { ListerWatcher } from '../../../src/client/informer/reflector.ts';
import { ApiError } from '../../../src/store/objects/api-error.ts';
import type { List, Watch, WatchEvent } from '../../../src/store/objects/store-client.ts';

export interface Thing {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

type ObjectEvent = Exclude<WatchEvent<Thing>, { type: 'BOOKMARK' | 'ERROR' }>;

const GONE = new ApiError('Expired', 'too old resource version');

/** A resource with a history of which the test says how far it reaches and when something fails. */
export class FakeSource implements ListerWatcher<Thing> {
  readonly name = 'things';
  /** Thrown by the next lists and watches, one each. */
  readonly listErrors: unknown[] = [];
  readonly watchErrors: unknown[] = [];
  /** What was asked: `list`, `list after 500`, `watch 17`. */
  readonly calls: string[] = [];
  /** Watches may begin with all objects. */
  streamsLists = false;
  /** Streams do not say that all objects have come. */
  holdsEndBack = false;
  /** Continuations of lists are refused. */
  continueIsGone = false;
  readonly #objects = new Map<string, Thing>();
  readonly #history: ObjectEvent[] = [];
  readonly #watches = new Set<FakeWatch>();
  #version = 0;
  #keptFrom = 0;
  #uids = 0;

  get objects(): Thing[] {
    return [...this.#objects.values()];
  }

  get version(): string {
    return String(this.#version);
  }

  /** Creates the object, or changes it. */
  set(name: string, labels: Readonly<Record<string, string>> = {}): void {
    const before = this.#objects.get(name);
    const uid = before?.metadata.uid ?? `uid-${++this.#uids}`;
    const object = { metadata: { name, namespace: 'default', uid, resourceVersion: this.#nextVersion(), labels } };
    this.#objects.set(name, object);
    this.#append({ type: before === undefined ? 'ADDED' : 'MODIFIED', object });
  }

  remove(name: string): void {
    const before = this.#objects.get(name);
    if (before === undefined) return;
    this.#objects.delete(name);
    const metadata = { ...before.metadata, resourceVersion: this.#nextVersion() };
    this.#append({ type: 'DELETED', object: { ...before, metadata } });
  }

  /** Watches that have not seen everything by now are too old. */
  forgetHistory(): void {
    this.#keptFrom = this.#version;
    for (const watch of this.#watches) if (watch.hasUnread) watch.end({ type: 'ERROR', error: GONE });
  }

  /** Every watch ends with the error. */
  breakWatches(error: ApiError): void {
    for (const watch of this.#watches) watch.end({ type: 'ERROR', error });
  }

  /** All objects have come that streams began with. */
  endStreams(): void {
    for (const watch of this.#watches) {
      watch.put({ type: 'BOOKMARK', resourceVersion: this.version, endsInitialEvents: true });
    }
  }

  /** Other resources have been written to. */
  sendBookmarks(): void {
    this.#version++;
    for (const watch of this.#watches) watch.put({ type: 'BOOKMARK', resourceVersion: this.version });
  }

  list(options: { limit?: number; continue?: string }): List<Thing> {
    this.calls.push(options.continue === undefined ? 'list' : `list after ${options.continue}`);
    if (this.listErrors.length > 0) throw this.listErrors.shift();
    if (options.continue !== undefined && this.continueIsGone) throw GONE;
    const from = Number(options.continue ?? 0);
    const end = options.limit === undefined ? this.#objects.size : from + options.limit;
    const list = { items: this.objects.slice(from, end), resourceVersion: this.version };
    return end < this.#objects.size ? { ...list, continue: String(end) } : list;
  }

  watch(options: { resourceVersion: string; sendInitialEvents?: true | undefined }): Watch<Thing> {
    const { resourceVersion, sendInitialEvents } = options;
    this.calls.push(sendInitialEvents ? 'stream' : `watch ${resourceVersion}`);
    if (this.watchErrors.length > 0) throw this.watchErrors.shift();
    if (sendInitialEvents) return this.#stream();
    const watch = new FakeWatch(Number(resourceVersion), this.#keptFrom, () => this.#watches.delete(watch));
    for (const event of this.#history) watch.put(event);
    this.#watches.add(watch);
    return watch;
  }

  #stream(): Watch<Thing> {
    const watch = new FakeWatch(0, 0, () => this.#watches.delete(watch));
    for (const object of this.objects) watch.put({ type: 'ADDED', object });
    if (!this.holdsEndBack) watch.put({ type: 'BOOKMARK', resourceVersion: this.version, endsInitialEvents: true });
    this.#watches.add(watch);
    return watch;
  }

  get watchCount(): number {
    return this.#watches.size;
  }

  #nextVersion(): string {
    return String(++this.#version);
  }

  #append(event: ObjectEvent): void {
    this.#history.push(event);
    for (const watch of this.#watches) watch.put(event);
  }
}

class FakeWatch implements Watch<Thing> {
  readonly #events: WatchEvent<Thing>[] = [];
  readonly #onStop: () => void;
  readonly #from: number;
  #wake = (): void => {};
  #isAsleep = true;

  constructor(from: number, keptFrom: number, onStop: () => void) {
    this.#from = from;
    this.#onStop = onStop;
    if (from < keptFrom) this.end({ type: 'ERROR', error: GONE });
  }

  get hasUnread(): boolean {
    return this.#events.length > 0;
  }

  put(event: WatchEvent<Thing>): void {
    const isOld = 'object' in event && Number(event.object.metadata.resourceVersion) <= this.#from;
    if (isOld || this.#events.at(-1)?.type === 'ERROR') return;
    this.#events.push(event);
    this.#wakeUp();
  }

  /** What was not seen yet is lost. */
  end(event: WatchEvent<Thing>): void {
    this.#events.length = 0;
    this.put(event);
  }

  next(): WatchEvent<Thing> | undefined {
    const event = this.#events.shift();
    this.#isAsleep = event === undefined;
    return event;
  }

  onReady(wake: () => void): void {
    this.#wake = wake;
    this.#isAsleep = true;
    if (this.hasUnread) this.#wakeUp();
  }

  stop(): void {
    this.#events.length = 0;
    this.#onStop();
  }

  #wakeUp(): void {
    if (!this.#isAsleep) return;
    this.#isAsleep = false;
    this.#wake();
  }
}
