import { instantiate, type KernelKind } from '../kernels/load.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { BUSY, FAILED, SIGNAL, STATE, threadAt, WAITING } from './control-words.ts';

/** A thread's place in a crew. */
export interface Post {
  readonly kind: KernelKind;
  readonly memory: WebAssembly.Memory;
  /** Pointer to the control words. */
  readonly control: number;
  readonly thread: number;
  readonly spins: number;
}

/**
 * The task of a thread of the pool: it parks in the kernels, taking part in steps, until the crew is dissolved. The
 * task is answered at once and the thread parks in a later turn of its event loop: a task that is not answered would
 * keep the process alive.
 */
export default function takePost(post: Post): void {
  nextTurn(() =>
    serve(post, ({ kind, memory, control, thread, spins }) => {
      instantiate(kind, memory).park(control, thread, spins);
    }),
  );
}

/** Tells the leader when serving fails; nothing of this thread runs any more then. */
export function serve(post: Post, park: (post: Post) => void): void {
  try {
    park(post);
  } catch {
    const words = new Int32Array(post.memory.buffer);
    const own = post.control / Int32Array.BYTES_PER_ELEMENT;
    const thread = own + threadAt(post.thread);
    Atomics.store(words, thread + STATE, FAILED);
    Atomics.store(words, thread + BUSY, 0);
    if (Atomics.load(words, own + WAITING) === 0) return;
    Atomics.add(words, own + SIGNAL, 1);
    Atomics.notify(words, own + SIGNAL, 1);
  }
}
