import type { Piscina } from 'piscina';
import { latePackage } from '../lib/host-modules.ts';
import { parallelism } from './parallelism.ts';
import type { Assignment } from './worker.ts';

/**
 * The file of the worker, next to this one. When Berth runs from its TypeScript source (tests, tsx), the worker is a
 * source file, too.
 */
function workerFile(): { readonly filename: string; readonly execArgv: string[] } {
  const isSource = import.meta.url.endsWith('.ts');
  const built = new URL('./worker.js', import.meta.url).href;
  return isSource
    ? { filename: built.replace(/js$/, 'ts'), execArgv: ['--import', 'tsx'] }
    : { filename: built, execArgv: [] };
}

/** A thread gets only a few assignments in its life, and each must be passed on at once, never queued by piscina. */
const ASSIGNMENTS_MAX = 1_000_000;

/**
 * One thread, managed by piscina. Each thread has a pool of its own, because the threads of a new pool start and accept
 * tasks without a turn of the caller's event loop, which a long batch does not have.
 */
export class PoolThread {
  readonly #pool: Piscina;
  #isDead = false;

  constructor(worker?: string) {
    const { filename, execArgv } = workerFile();
    this.#pool = new (latePackage('piscina').Piscina)({
      filename: worker ?? filename,
      execArgv,
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: ASSIGNMENTS_MAX,
      idleTimeout: Number.POSITIVE_INFINITY,
      // A thread that waits with piscina's atomics would not wake up for the next turn of its event loop.
      atomics: 'disabled',
      recordTiming: false,
    });
    this.#pool.on('error', this.#died);
    this.#pool.threads[0]?.once('exit', this.#died);
  }

  /**
   * Whether the thread has died. This is known a turn of the event loop later; until then the thread just does not
   * answer.
   */
  get isDead(): boolean {
    return this.#isDead;
  }

  /** Gives the thread an assignment, which it begins when it has left its previous one. */
  take(assignment: Assignment): void {
    this.#pool.run(assignment).catch(this.#died);
  }

  /** Ends the thread within milliseconds, whatever it is doing. */
  end(): void {
    void this.#pool.destroy();
  }

  readonly #died = (): void => {
    this.#isDead = true;
  };
}

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
  if (!thread.isDead && idle.length < parallelism()) idle.push(thread);
  else thread.end();
}
