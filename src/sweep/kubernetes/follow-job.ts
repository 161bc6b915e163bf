import type { Job } from '../../api/job.ts';
import type { Pod } from '../../api/pod.ts';
import type { Clock } from '../../lib/clock.ts';
import { CodedError } from '../../lib/errors.ts';
import type { JobApi, JobChange } from './job-api.ts';
import { podProblem } from './pod-problem.ts';
import { INDEX_ANNOTATION } from './sweep-job.ts';

export interface FollowModules {
  readonly api: JobApi;
  readonly clock: Clock;
  /** Resolves after this time. */
  readonly sleep: (millis: number) => Promise<void>;
  /** The shard of each index of the Job. */
  readonly shards: readonly number[];
  /** Reads what the pod of a shard that has succeeded has written. Rejects when it cannot be read now. */
  readonly read: (podName: string, shard: number) => Promise<string>;
  /** Keeps the rows of a shard. Throws when the text is not all of them. */
  readonly keep: (shard: number, text: string) => void;
  readonly log: (line: string) => void;
  readonly onProgress: (kept: number, running: number) => void;
  readonly signal: AbortSignal;
}

/** `done`: all shards are kept. `lost`: the Job is complete, but pods are gone whose logs were not read. */
export type FollowEnd = 'done' | 'lost' | 'interrupted';

const TURN_MILLIS = 500;
const WARNINGS_MILLIS = 2000;
/** A problem may last this long while no pod runs. */
const PATIENCE_MILLIS = 60_000;
/** At most this many logs are read at a time. */
const READERS = 8;

/**
 * Follows a Job until all its shards are kept: reads the log of every pod that has succeeded, and says what goes wrong
 * as soon as it is heard of.
 *
 * @throws CodedError `JobDeleted`, `JobFailed`, `JobStuck`
 */
export async function followJob(modules: FollowModules): Promise<FollowEnd> {
  const follower = new JobFollower(modules);
  const stop = modules.api.watch(
    (change) => follower.hear(change),
    (message) => follower.report(`the API: ${message}`),
  );
  try {
    return await follower.run();
  } finally {
    stop();
  }
}

class JobFollower {
  readonly #modules: FollowModules;
  readonly #pods = new Map<string, Pod>();
  readonly #kept = new Set<number>();
  readonly #reported = new Set<string>();
  #job: Job | undefined;
  #isDeleted = false;
  /** The latest problem, and since when no pod has got on. */
  #problem = '';
  #stuckSinceMillis = Number.POSITIVE_INFINITY;
  #nextWarningsMillis = 0;

  constructor(modules: FollowModules) {
    this.#modules = modules;
  }

  hear(change: JobChange): void {
    if (change.what === 'job') {
      this.#job = change.job;
      this.#isDeleted = change.isGone;
      return;
    }
    const { pod, isGone } = change;
    const name = pod.metadata?.name ?? '';
    if (isGone) this.#pods.delete(name);
    else this.#pods.set(name, pod);
    const problem = isGone ? undefined : podProblem(pod);
    if (problem !== undefined) this.report(problem);
  }

  /** Says what is wrong, each problem once. */
  report(problem: string): void {
    this.#problem = problem;
    if (this.#reported.has(problem)) return;
    this.#reported.add(problem);
    this.#modules.log(problem);
  }

  async run(): Promise<FollowEnd> {
    const { shards, signal, sleep, onProgress } = this.#modules;
    while (!signal.aborted) {
      await this.#readLogs();
      onProgress(this.#kept.size, this.#countOf('Running'));
      if (this.#kept.size === shards.length) return 'done';
      await this.#readWarnings();
      if (this.#isDeleted) throw new CodedError('JobDeleted', `the Job was deleted by somebody${this.#because()}`);
      this.#checkFailed();
      this.#checkStuck();
      if (this.#hasCondition('Complete') && this.#unread().length === 0) return 'lost';
      await sleep(TURN_MILLIS);
    }
    return 'interrupted';
  }

  /** The pods that have succeeded and whose shard is not kept yet. */
  #unread(): { readonly name: string; readonly shard: number }[] {
    return [...this.#pods].flatMap(([name, { metadata, status }]) => {
      const shard = this.#modules.shards[Number(metadata?.annotations?.[INDEX_ANNOTATION] ?? Number.NaN)];
      const isWanted = status?.phase === 'Succeeded' && shard !== undefined && !this.#kept.has(shard);
      return isWanted ? [{ name, shard }] : [];
    });
  }

  async #readLogs(): Promise<void> {
    const waiting = this.#unread();
    const readAll = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await this.#readLog(next);
    };
    await Promise.all(Array.from({ length: READERS }, readAll));
  }

  async #readLog({ name, shard }: { readonly name: string; readonly shard: number }): Promise<void> {
    const { read, keep } = this.#modules;
    let text: string;
    try {
      text = await read(name, shard);
    } catch (error) {
      // The pod may be gone, or the API not be reached: it is read again in the next turn, or its shard run again.
      this.report(`what pod ${name} has written: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    if (this.#kept.has(shard)) return;
    keep(shard, text);
    this.#kept.add(shard);
  }

  async #readWarnings(): Promise<void> {
    const { api, clock } = this.#modules;
    if (clock.nowMillis() < this.#nextWarningsMillis) return;
    this.#nextWarningsMillis = clock.nowMillis() + WARNINGS_MILLIS;
    const warnings = await api.warnings().catch(() => []);
    for (const { reason, message } of warnings) this.report(`${reason}: ${withoutPodName(message)}`);
  }

  #checkFailed(): void {
    if (!this.#hasCondition('Failed')) return;
    const { message = '' } = this.#job?.status?.conditions?.find(({ type }) => type === 'Failed') ?? {};
    const failedIndexes = this.#job?.status?.failedIndexes;
    const which = failedIndexes === undefined ? '' : ` (shards ${this.#shardsOf(failedIndexes)})`;
    throw new CodedError('JobFailed', `the Job has failed${which}: ${message}${this.#because()}`);
  }

  /** Indexes such as `1,3-5` as numbers of shards. */
  #shardsOf(indexes: string): string {
    const shardOf = (index: string): string => String(this.#modules.shards[Number(index)] ?? index);
    return indexes.replace(/\d+/g, shardOf);
  }

  /** A problem need not be the end as long as other pods run. */
  #checkStuck(): void {
    const { clock } = this.#modules;
    const isWell = this.#problem === '' || this.#countOf('Running') + this.#unread().length > 0;
    const now = clock.nowMillis();
    this.#stuckSinceMillis = isWell ? Number.POSITIVE_INFINITY : Math.min(this.#stuckSinceMillis, now);
    if (now - this.#stuckSinceMillis < PATIENCE_MILLIS) return;
    throw new CodedError('JobStuck', `no pod has run for ${PATIENCE_MILLIS / 1000} s${this.#because()}`);
  }

  #countOf(phase: string): number {
    return [...this.#pods.values()].filter(({ status }) => status?.phase === phase).length;
  }

  #hasCondition(wanted: string): boolean {
    const conditions = this.#job?.status?.conditions ?? [];
    return conditions.some(({ type, status }) => type === wanted && status === 'True');
  }

  #because(): string {
    return this.#problem === '' ? '' : `; last: ${this.#problem}`;
  }
}

/** The pods of a Job have names of their own, but the same problem. */
function withoutPodName(message: string): string {
  return message.replace(/pods "[^"]*"/, 'pods');
}
