import { Piscina } from 'piscina';
import type { Post } from './worker.ts';

const BUILT_WORKER = new URL('./worker.js', import.meta.url).href;
/** From source (tests, tsx) the worker is source, too. */
const IS_SOURCE = import.meta.url.endsWith('.ts');
const WORKER = IS_SOURCE ? BUILT_WORKER.replace(/js$/, 'ts') : BUILT_WORKER;
const EXEC_ARGV = IS_SOURCE ? ['--import', 'tsx'] : [];

/** A crew asks a thread a few times in its life; every post is passed on at once, never queued on this side. */
const POSTS_MAX = 1_000_000;

/**
 * One thread in piscina's care. A pool of one each, because the threads of a new pool start and can be given tasks
 * without a turn of the caller's event loop, which a long batch does not have.
 */
export class PoolThread {
  readonly #pool: Piscina;
  #isDead = false;

  constructor(worker = WORKER) {
    this.#pool = new Piscina({
      filename: worker,
      execArgv: EXEC_ARGV,
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: POSTS_MAX,
      idleTimeout: Number.POSITIVE_INFINITY,
      // A thread that waits in piscina's way would not wake up for the next turn of its event loop.
      atomics: 'disabled',
      recordTiming: false,
    });
    this.#pool.on('error', this.#died);
    this.#pool.threads[0]?.once('exit', this.#died);
  }

  /** Known a turn of the event loop after the fact; until then the thread just does not answer. */
  get isDead(): boolean {
    return this.#isDead;
  }

  /** Once it has left its last post, it takes this one. */
  take(post: Post): void {
    this.#pool.run(post).catch(this.#died);
  }

  /** Ends it within milliseconds, wherever it is. */
  end(): void {
    void this.#pool.destroy();
  }

  readonly #died = (): void => {
    this.#isDead = true;
  };
}
