/** The life of a thread of the pool: it waits for the next step, takes part in it, and waits again. */
import { EPOCH, SERVING, SLEEPERS, STATE, STOP, threadAt } from './control';
import { takePart } from './step';

/** Sleepers are woken; that they also wake by themselves, once a second, guards against our own mistakes only. */
const SLEEP_NANOS: i64 = 1_000_000_000;

/** Returns when the leader says stop. `spins`: how often it looks for the next step before it goes to sleep. */
export function park(control: usize, thread: i32, spins: i32): void {
  atomic.store<i32>(threadAt(control, thread) + STATE, SERVING);
  let epoch = 0;
  while (true) {
    epoch = nextEpoch(control, epoch, spins);
    if (atomic.load<i32>(control + STOP) != 0) return;
    takePart(control, thread, epoch);
  }
}

function nextEpoch(control: usize, seen: i32, spins: i32): i32 {
  while (true) {
    let left = spins;
    do {
      const epoch = atomic.load<i32>(control + EPOCH);
      if (epoch != seen) return epoch;
      left--;
    } while (left > 0);
    atomic.store<i32>(control + SLEEPERS, 1);
    atomic.wait<i32>(control + EPOCH, seen, SLEEP_NANOS);
  }
}
