import { availableParallelism } from 'node:os';
import { PoolThread } from './pool-thread.ts';

/**
 * Starting a thread takes tens of milliseconds: those of a runner that was closed wait for the next one. Until then
 * each may keep the memory of its last post.
 */
const idle: PoolThread[] = [];

export function takeThread(): PoolThread {
  for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) {
    if (!thread.isDead) return thread;
    thread.end();
  }
  return new PoolThread();
}

/** It may be on its way out of its post still. */
export function returnThread(thread: PoolThread): void {
  if (!thread.isDead && idle.length < availableParallelism()) idle.push(thread);
  else thread.end();
}
