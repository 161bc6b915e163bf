import { expect } from 'vitest';
import type { KubernetesObject } from '../../src/api/meta.ts';
import type { EventLoop } from '../../src/lib/event-loop.ts';
import type { Prng } from '../../src/lib/prng.ts';
import { isGone } from '../../src/store/objects/api-error.ts';
import type { Resource, Resources } from '../../src/store/objects/resources.ts';
import type { List, Watch, WatchEvent } from '../../src/store/objects/store-client.ts';
import type { Store } from '../../src/store/store.ts';
import { refusal } from './refusal.ts';

export interface SelectionOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface WatcherOptions extends SelectionOptions {
  readonly allowBookmarks: boolean;
  /** The number of objects per page; 0 lists in one piece. */
  readonly pageSize: number;
  /** The watcher takes at most so many events at a time. */
  readonly batch: number;
  /** After each batch the watcher rests for up to this long. */
  readonly restMillis: number;
}

/** Follows a resource at its own pace, as a client does, and records the events that it receives. */
export class SimulatedWatcher<R extends Resource> {
  readonly options: WatcherOptions;
  /** What it knows: must be what is true, as of `version`. */
  readonly state = new Map<string, Resources[R]>();
  /** The versions of the events since the last list. */
  versions: number[] = [];
  /** Where the events began. */
  startVersion = 0;
  lists = 0;
  readonly #store: Store;
  readonly #resource: R;
  readonly #loop: EventLoop;
  readonly #prng: Prng;
  #version = '';
  #watch: Watch<Resources[R]> | undefined;

  constructor(store: Store, resource: R, loop: EventLoop, prng: Prng, options: WatcherOptions) {
    this.#store = store;
    this.#resource = resource;
    this.#loop = loop;
    this.#prng = prng;
    this.options = options;
  }

  /** Lists, and from then on takes events whenever it is woken. */
  start(): void {
    this.#listPage(undefined, []);
  }

  /** Takes everything that is left. */
  finish(): void {
    for (;;) {
      if (this.#watch === undefined) this.#listAtOnce();
      const event = this.#watch?.next();
      if (event === undefined && this.#watch !== undefined) return;
      if (event !== undefined) this.#take(event);
    }
  }

  #selection(): SelectionOptions {
    const { namespace, labelSelector, fieldSelector } = this.options;
    return {
      ...(namespace && { namespace }),
      ...(labelSelector && { labelSelector }),
      ...(fieldSelector && { fieldSelector }),
    };
  }

  #listPage(token: string | undefined, earlier: readonly List<Resources[R]>[]): void {
    const { pageSize } = this.options;
    let page: List<Resources[R]>;
    try {
      page = this.#store.list(this.#resource, { ...this.#selection(), limit: pageSize, continue: token });
    } catch (error) {
      expect(isGone(error)).toBe(true);
      this.#listAtOnce();
      return;
    }
    const pages = [...earlier, page];
    // Others write between two pages.
    if (page.continue !== undefined) this.#rest(() => this.#listPage(page.continue, pages));
    else this.#begin(pages);
  }

  #listAtOnce(): void {
    this.#begin([this.#store.list(this.#resource, this.#selection())]);
  }

  #begin(pages: readonly List<Resources[R]>[]): void {
    if (this.#watch !== undefined) return;
    this.state.clear();
    for (const object of pages.flatMap(({ items }) => items)) {
      expect(this.state.has(keyOf(object))).toBe(false);
      this.state.set(keyOf(object), object);
    }
    this.#version = pages[0]!.resourceVersion;
    this.startVersion = Number(this.#version);
    this.versions = [];
    this.lists++;
    this.#follow();
  }

  #follow(): void {
    const { allowBookmarks } = this.options;
    const watch = this.#store.watch(this.#resource, {
      ...this.#selection(),
      resourceVersion: this.#version,
      allowBookmarks,
    });
    this.#watch = watch;
    watch.onReady(() => this.#rest(() => this.#pull(watch)));
  }

  #pull(watch: Watch<Resources[R]>): void {
    for (let taken = 0; taken < this.options.batch; taken++) {
      if (this.#watch !== watch) return;
      const event = watch.next();
      if (event === undefined) return;
      this.#take(event);
    }
    // Now and then the connection breaks, and is taken up again where it was.
    if (this.#watch === watch && this.#prng.below(8) === 0) {
      watch.stop();
      this.#follow();
    } else this.#rest(() => this.#pull(watch));
  }

  #take(event: WatchEvent<Resources[R]>): void {
    if (event.type === 'ERROR') {
      expect(isGone(event.error)).toBe(true);
      expect(this.#watch?.next()).toBeUndefined();
      this.#watch = undefined;
      this.#rest(() => this.#listPage(undefined, []));
      return;
    }
    const version = event.type === 'BOOKMARK' ? event.resourceVersion : event.object.metadata?.resourceVersion;
    expect(Number(version)).toBeGreaterThan(Number(this.#version));
    this.#version = version ?? '';
    if (event.type === 'BOOKMARK') return;
    this.versions.push(Number(version));
    const key = keyOf(event.object);
    expect([event.type, this.state.has(key)]).toEqual([event.type, event.type !== 'ADDED']);
    if (event.type === 'DELETED') this.state.delete(key);
    else this.state.set(key, event.object);
  }

  #rest(next: () => void): void {
    this.#loop.after(this.#prng.below(this.options.restMillis + 1), next);
  }
}

export function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata?.namespace}/${metadata?.name}`;
}

/** Runs an action that may fail, and returns the reason of the refusal. */
export function attempt(call: () => unknown): string {
  let reason = '';
  try {
    call();
  } catch (error) {
    reason = refusal(() => {
      throw error;
    }).reason;
  }
  return reason;
}
