import { availableParallelism } from 'node:os';
import { PoolThread } from './pool-thread.ts';

/**
 * Threads of closed runners, kept for the next runner, since starting a thread takes tens of milliseconds. Until then
 * each may keep the memory of its last assignment alive.
 */
const idle: PoolThread[] = [];

export function takeThread(): PoolThread {
  for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) {
    if (!thread.isDead) return thread;
    thread.end();
  }
  return new PoolThread();
}

/** Returns a thread to the pool; it may still be leaving its assignment. */
export function returnThread(thread: PoolThread): void {
  if (!thread.isDead && idle.length < availableParallelism()) idle.push(thread);
  else thread.end();
}
