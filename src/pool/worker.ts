import { instantiate, type KernelKind } from '../kernels/load.ts';
import { nextTurn } from '../lib/next-turn.ts';
import { BUSY, FAILED, SIGNAL, STATE, threadAt, WAITING } from './control-words.ts';

/** The place of a thread in a worker team. */
export interface Assignment {
  readonly kind: KernelKind;
  readonly memory: WebAssembly.Memory;
  /** Pointer to the control words. */
  readonly control: number;
  readonly thread: number;
  readonly spins: number;
}

/**
 * The task of a thread: it parks in the kernels and takes part in steps until its team is shut down. The task is
 * answered at once, and the thread parks in a later turn of its event loop, because an unanswered task would keep the
 * process alive.
 */
export default function runAssignment(assignment: Assignment): void {
  nextTurn(() =>
    serve(assignment, ({ kind, memory, control, thread, spins }) => {
      instantiate(kind, memory).park(control, thread, spins);
    }),
  );
}

/** Parks the thread, and reports to the leader when that fails; nothing of this thread runs any more then. */
export function serve(assignment: Assignment, park: (assignment: Assignment) => void): void {
  try {
    park(assignment);
  } catch {
    const words = new Int32Array(assignment.memory.buffer);
    const own = assignment.control / Int32Array.BYTES_PER_ELEMENT;
    const thread = own + threadAt(assignment.thread);
    Atomics.store(words, thread + STATE, FAILED);
    Atomics.store(words, thread + BUSY, 0);
    if (Atomics.load(words, own + WAITING) === 0) return;
    Atomics.add(words, own + SIGNAL, 1);
    Atomics.notify(words, own + SIGNAL, 1);
  }
}
