/** A worker that goes wrong in the middle of its first step, in the way that the test has chosen. */
import { nextTurn } from '../../src/lib/next-turn.ts';
import { BUSY, CHUNK_SLOTS, EPOCH, SERVING, SIGNAL, STATE, threadAt } from '../../src/pool/control-words.ts';
import { type Assignment, serve } from '../../src/pool/worker.ts';

/** Words at the beginning of the memory, where nothing else is: how to go wrong, and the column to spoil first. */
export const FAULT = 8;
export const SPOILED = 9;
export const THROWS = 1;
export const STALLS = 2;

export default function runAssignment(assignment: Assignment): void {
  nextTurn(() => serve(assignment, goWrong));
}

/** Claims a chunk, leaves rubbish in it, and does not finish. */
function goWrong({ memory, control, thread }: Assignment): void {
  const words = new Int32Array(memory.buffer);
  const first = control / Int32Array.BYTES_PER_ELEMENT;
  const own = first + threadAt(thread);
  Atomics.store(words, own + STATE, SERVING);
  let [chunk, seen] = [-1, 0];
  while (chunk < 0) {
    const epoch = Atomics.load(words, first + EPOCH);
    if (epoch === seen) continue;
    seen = epoch;
    Atomics.store(words, own + BUSY, 1);
    chunk = claim(new BigInt64Array(memory.buffer), own / 2, epoch);
    if (chunk >= 0) break;
    // Other threads were faster, so this one holds no chunk.
    Atomics.store(words, own + BUSY, 0);
    Atomics.add(words, first + SIGNAL, 1);
    Atomics.notify(words, first + SIGNAL);
  }
  const slot = chunk * (words[first + CHUNK_SLOTS] ?? 0);
  words[(words[SPOILED] ?? 0) / Int32Array.BYTES_PER_ELEMENT + slot] = -1;
  if (words[FAULT] === THROWS) throw new Error('on purpose');
  for (;;) Atomics.wait(words, FAULT, STALLS);
}

function claim(claims: BigInt64Array, at: number, epoch: number): number {
  const word = Atomics.load(claims, at);
  const [next, end] = [word & 0xffffn, (word >> 16n) & 0xffffn];
  if (epoch === 0 || word >> 32n !== BigInt(epoch) || next >= end) return -1;
  return Atomics.compareExchange(claims, at, word, word + 1n) === word ? Number(next) : -1;
}
