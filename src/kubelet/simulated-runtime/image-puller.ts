import type { EventLoop, Timer } from '../../lib/event-loop.ts';
import { SmallMap } from '../../lib/small-map.ts';
import type { OnDone, Operation } from '../containers/container-runtime.ts';

interface Pull {
  readonly image: string;
  readonly pullMillis: number;
  readonly onDone: OnDone;
}

const NOTHING: readonly Pull[] = [];

/**
 * Pulls the images of a node. Missing images are pulled one after the other, as the kubelet does by default; an image
 * that has arrived meanwhile takes no time.
 */
export class ImagePuller {
  readonly #loop: EventLoop;
  readonly #images = new SmallMap<string, true>();
  #waiting: readonly Pull[] = NOTHING;
  #timer: Timer | undefined;

  constructor(loop: EventLoop) {
    this.#loop = loop;
  }

  has(image: string): boolean {
    return this.#images.has(image);
  }

  pull(image: string, pullMillis: number, onDone: OnDone): Operation {
    const pull = { image, pullMillis, onDone };
    // Mostly nothing else is pulled, and a list that grew by `push` would keep room for 16 more.
    this.#waiting = this.#waiting.length === 0 ? [pull] : this.#waiting.concat(pull);
    if (this.#waiting.length === 1) this.#next();
    return { cancel: () => this.#cancel(pull) };
  }

  /** Aborts all pulls. */
  reset(): void {
    this.#timer?.cancel();
    this.#waiting = NOTHING;
  }

  #next(): void {
    for (let pull = this.#waiting[0]; pull !== undefined; pull = this.#waiting[0]) {
      if (pull.pullMillis > 0 && !this.#images.has(pull.image)) {
        this.#timer = this.#loop.after(pull.pullMillis, () => {
          this.#finish();
          this.#next();
        });
        return;
      }
      this.#finish();
    }
  }

  #finish(): void {
    const pull = this.#waiting[0];
    if (pull === undefined) return;
    this.#images.set(pull.image, true);
    this.#waiting = this.#waiting.length === 1 ? NOTHING : this.#waiting.slice(1);
    pull.onDone();
  }

  #cancel(pull: Pull): void {
    const isUnderWay = this.#waiting[0] === pull;
    this.#waiting = this.#waiting.filter((other) => other !== pull);
    if (!isUnderWay) return;
    this.#timer?.cancel();
    this.#next();
  }
}
