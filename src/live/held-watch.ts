import type { Pod } from '../api/pod.ts';
import type { InformerClient } from '../client/informer/informers.ts';
import type { EventLoop, Timer } from '../lib/event-loop.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Resource, Resources } from '../store/objects/resources.ts';
import type { List, ListOptions, Watch, WatchEvent, WatchOptions } from '../store/objects/store-client.ts';

/** No change is held back for longer: perhaps nothing is decided about the pod. */
const HELD_MILLIS = 2000;

/**
 * Holds the changes of pods back at one that is waited for, so that a decision is made in the cluster as it was before
 * another scheduler made its own.
 */
export class HeldWatch implements Watch<Pod> {
  readonly #watch: Watch<Pod>;
  readonly #loop: EventLoop;
  readonly #isAwaited: (pod: Pod) => boolean;
  #held: WatchEvent<Pod> | undefined;
  #timer: Timer | undefined;
  #isOver = false;
  #wake = (): void => {};

  /** `isAwaited`: whether something is still to be decided about the pod. */
  constructor(watch: Watch<Pod>, loop: EventLoop, isAwaited: (pod: Pod) => boolean) {
    this.#watch = watch;
    this.#loop = loop;
    this.#isAwaited = isAwaited;
  }

  next(): WatchEvent<Pod> | undefined {
    const event = this.#held ?? this.#watch.next();
    const isHeld = event?.type === 'MODIFIED' && !this.#isOver && this.#isAwaited(event.object);
    if (isHeld && this.#held === undefined) {
      this.#timer = this.#loop.after(HELD_MILLIS, () => {
        this.#isOver = true;
        this.#wake();
      });
    }
    if (!isHeld) {
      this.#timer?.cancel();
      this.#isOver = false;
    }
    this.#held = isHeld ? event : undefined;
    return isHeld ? undefined : event;
  }

  onReady(wake: () => void): void {
    this.#wake = wake;
    this.#watch.onReady(wake);
  }

  /** Goes on if what was waited for has come. */
  release(): void {
    if (this.#held !== undefined) this.#wake();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#watch.stop();
  }
}

/** The client with watches of pods that hold changes back. */
export class HoldingClient implements InformerClient {
  readonly streamsLists: boolean;
  readonly #client: InformerClient;
  readonly #loop: EventLoop;
  readonly #isAwaited: (pod: Pod) => boolean;
  #watch: HeldWatch | undefined;

  constructor(client: InformerClient, loop: EventLoop, isAwaited: (pod: Pod) => boolean) {
    this.streamsLists = client.streamsLists === true;
    this.#client = client;
    this.#loop = loop;
    this.#isAwaited = isAwaited;
  }

  list<R extends Resource>(resource: R, options?: ListOptions): MaybePromise<List<Resources[R]>> {
    return this.#client.list(resource, options);
  }

  watch<R extends Resource>(resource: R, options: WatchOptions): Watch<Resources[R]> {
    const watch = this.#client.watch(resource, options);
    if (resource !== 'pods') return watch;
    this.#watch = new HeldWatch(watch as unknown as Watch<Pod>, this.#loop, this.#isAwaited);
    return this.#watch as unknown as Watch<Resources[R]>;
  }

  release(): void {
    this.#watch?.release();
  }
}
