import type { PodInfo } from '../framework/pod-info.ts';
import { errorStatus, type Status } from '../framework/status.ts';
import type { EventLoop } from '../lib/event-loop.ts';

/** Pods for which PreBind plugins are at work, by uid: until they are done, the pod can be called back. */
export class PodsInPreBind {
  readonly #loop: EventLoop;
  readonly #byUid = new Map<string, PodInPreBind>();

  constructor(loop: EventLoop) {
    this.#loop = loop;
  }

  /** Work that may take its time begins: the function that is returned ends it, with what it came to. */
  begin(pod: PodInfo, done: (failure: Status | null) => void): (failure: Status | null) => void {
    const uid = pod.pod.metadata?.uid ?? '';
    const entry = new PodInPreBind(this.#loop, (failure) => {
      this.#byUid.delete(uid);
      done(failure);
    });
    this.#byUid.set(uid, entry);
    return (failure) => entry.end(failure);
  }

  get(uid: string): PodInPreBind | undefined {
    return this.#byUid.get(uid);
  }
}

class PodInPreBind {
  readonly #loop: EventLoop;
  #done: ((failure: Status | null) => void) | null;

  constructor(loop: EventLoop, done: (failure: Status | null) => void) {
    this.#loop = loop;
    this.#done = done;
  }

  end(failure: Status | null): void {
    const done = this.#done;
    this.#done = null;
    done?.(failure);
  }

  /** A pod of higher priority takes its place. */
  preempt(plugin: string): boolean {
    const done = this.#done;
    if (done === null) return false;
    this.#done = null;
    this.#loop.soon(() => done(errorStatus(plugin, 'context canceled')));
    return true;
  }
}
