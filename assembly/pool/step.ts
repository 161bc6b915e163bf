/**
 * A step: a program over all slots, cut into chunks that several threads claim. Each begins with the chunks that are
 * its own and goes on with those that others have not claimed yet, so nobody waits for a thread that is not there.
 * A claim is one compare-and-swap of a word that holds the epoch, too: who comes late, for a step that is over, gets
 * nothing. Everything else about a step is read behind a claim, and stays as it is until the chunk is done.
 */
import {
  BUSY,
  CHUNK_SLOTS,
  CLAIMS,
  EPOCH,
  INSTRUCTION_COUNT,
  PROGRAM,
  REGISTER_COUNT,
  RESULTS,
  RESULTS_OF,
  SEEN,
  SIGNAL,
  SLEEPERS,
  SLOT_COUNT,
  THREAD_COUNT,
  threadAt,
  WAITING,
} from './control';
import { clearRegisters, runInstructions } from './interpreter';

const NONE: i32 = -1;

/** Announces the step that stands in the control words, and does what of it nobody else does. 1: all is done. */
export function leadStep(control: usize, spins: i32): i32 {
  const epoch = load<i32>(control + EPOCH) + 1;
  offerChunks(control, epoch);
  atomic.store<i32>(control + EPOCH, epoch);
  // One call wakes all of them, however long they take to come.
  if (atomic.load<i32>(control + SLEEPERS) != 0) {
    atomic.store<i32>(control + SLEEPERS, 0);
    atomic.notify(control + EPOCH, load<i32>(control + THREAD_COUNT));
  }
  takePart(control, 0, epoch);
  for (let left = spins; left > 0; left--) {
    if (isStepDone(control)) return 1;
  }
  return isStepDone(control);
}

/** After `leadStep`: no chunk is unclaimed, so the step is done when nobody holds one. */
export function isStepDone(control: usize): i32 {
  const threads = load<i32>(control + THREAD_COUNT);
  for (let thread = 1; thread < threads; thread++) {
    if (atomic.load<i32>(threadAt(control, thread) + BUSY) != 0) return 0;
  }
  return 1;
}

function offerChunks(control: usize, epoch: i32): void {
  const chunkSlots = load<i32>(control + CHUNK_SLOTS);
  const threads = load<i32>(control + THREAD_COUNT);
  const chunks = (load<i32>(control + SLOT_COUNT) + chunkSlots - 1) / chunkSlots;
  let next = 0;
  for (let thread = 0; thread < threads; thread++) {
    const end = (chunks * (thread + 1)) / threads;
    const word = (i64(epoch) << 32) | (i64(end) << 16) | i64(next);
    atomic.store<i64>(threadAt(control, thread) + CLAIMS, word);
    next = end;
  }
}

export function takePart(control: usize, thread: i32, epoch: i32): void {
  const own = threadAt(control, thread);
  atomic.store<i32>(own + BUSY, 1);
  atomic.store<i32>(own + SEEN, epoch);
  const threads = load<i32>(control + THREAD_COUNT);
  let owner = thread;
  for (let k = 0; k < threads; k++) {
    const claims = threadAt(control, owner) + CLAIMS;
    for (let chunk = claim(claims, epoch); chunk != NONE; chunk = claim(claims, epoch)) {
      runChunk(control, own, epoch, chunk);
    }
    owner = owner + 1 < threads ? owner + 1 : 0;
  }
  atomic.store<i32>(own + BUSY, 0);
  if (atomic.load<i32>(control + WAITING) != 0) {
    atomic.add<i32>(control + SIGNAL, 1);
    atomic.notify(control + SIGNAL, 1);
  }
}

function claim(claims: usize, epoch: i32): i32 {
  while (true) {
    const word = atomic.load<i64>(claims);
    const next = i32(word & 0xffff);
    const end = i32((word >> 16) & 0xffff);
    if (i32(word >> 32) != epoch || next >= end) return NONE;
    if (atomic.cmpxchg<i64>(claims, word, word + 1) == word) return next;
  }
}

function runChunk(control: usize, own: usize, epoch: i32, chunk: i32): void {
  const results = own + RESULTS;
  if (load<i32>(own + RESULTS_OF) != epoch) {
    store<i32>(own + RESULTS_OF, epoch);
    clearRegisters(results, load<i32>(control + REGISTER_COUNT));
  }
  const chunkSlots = load<i32>(control + CHUNK_SLOTS);
  const from = chunk * chunkSlots;
  const to = min(from + chunkSlots, load<i32>(control + SLOT_COUNT));
  const program = usize(load<u32>(control + PROGRAM));
  runInstructions(program, load<i32>(control + INSTRUCTION_COUNT), results, from, to);
}
