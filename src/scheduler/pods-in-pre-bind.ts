import type { PodInfo } from '../framework/pod-info.ts';
import { errorStatus, type Status } from '../framework/status.ts';
import type { EventLoop } from '../lib/event-loop.ts';

/** The pods whose PreBind plugins are running, by uid; such a pod can still be preempted. */
export class PodsInPreBind {
  readonly #loop: EventLoop;
  readonly #byUid = new Map<string, PodInPreBind>();

  constructor(loop: EventLoop) {
    this.#loop = loop;
  }

  /** Registers a pod whose PreBind plugins begin. Returns the callback by which they report that they have ended. */
  begin(pod: PodInfo, done: (failure: Status | null) => void): (failure: Status | null) => void {
    const { uid } = pod;
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

  /** Fails the binding for a pod of higher priority. Returns false if PreBind has ended already. */
  preempt(plugin: string): boolean {
    const done = this.#done;
    if (done === null) return false;
    this.#done = null;
    this.#loop.soon(() => done(errorStatus(plugin, 'context canceled')));
    return true;
  }
}
