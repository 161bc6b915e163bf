import { COMPLETION_INDEX_KEY, isJobFinished, type Job } from '../../../src/api/job.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { Cluster, type ClusterOptions } from '../../../src/cluster/cluster.ts';
import type { PodFate } from '../../../src/simulation/pod-runner/pod-fate.ts';
import { PodRunner } from '../../../src/simulation/pod-runner/pod-runner.ts';
import type { ImpliedStatus } from './implied-status.ts';
import type { MixedJob } from './script.ts';

const DAY_MILLIS = 24 * 3_600_000;
/** The time in which everything that remains is cleaned up. */
const CLEAN_UP_MILLIS = 300_000;

/** A cluster, after all these Jobs have run to their end. */
export class JobRun {
  readonly cluster: Cluster;
  /** What was last seen of each Job, by name; also of those that are gone. */
  readonly lastSeen = new Map<string, Job>();
  readonly gone = new Set<string>();
  readonly #atTheirEnd = new Set<string>();
  /** How many pods were started for a Job, or for one of its indexes. */
  readonly #started = new Map<string, number>();
  readonly #byName: ReadonlyMap<string, MixedJob>;

  constructor(jobs: readonly MixedJob[], options: ClusterOptions) {
    this.cluster = new Cluster(options);
    this.#byName = new Map(jobs.map((job) => [job.name, job]));
    new PodRunner(this.cluster, { fateOf: (pod, restarts) => this.#fateOf(pod, restarts) });
    this.#watch();
    this.cluster.start();
    for (const job of jobs) this.#submitLater(job);
    const areAllAtTheirEnd = (): boolean => this.#atTheirEnd.size === jobs.length;
    if (!this.cluster.runUntil(areAllAtTheirEnd, DAY_MILLIS)) throw new Error('some Jobs came to no end within a day');
    this.cluster.runFor(CLEAN_UP_MILLIS);
    this.cluster.stop();
  }

  #watch(): void {
    const { store } = this.cluster;
    const watch = store.watch('jobs', { resourceVersion: store.list('jobs').resourceVersion });
    watch.onReady(() => {
      for (let event = watch.next(); event !== undefined; event = watch.next()) {
        if (!('object' in event)) throw new Error('the watch fell behind');
        const { name = '' } = event.object.metadata ?? {};
        this.lastSeen.set(name, event.object);
        if (event.type === 'DELETED') this.gone.add(name);
        if (isAtItsEnd(event.object)) this.#atTheirEnd.add(name);
      }
    });
  }

  #submitLater({ name, spec, submitSeconds, script }: MixedJob): void {
    const { loop, store } = this.cluster;
    loop.after(submitSeconds * 1000, () => {
      store.create('jobs', { metadata: { name }, spec });
      for (const change of script.changes) {
        const patch = { type: 'merge', body: { spec: change.spec } } as const;
        loop.after(change.afterSeconds * 1000, () => store.patch('jobs', 'default', name, patch));
      }
    });
  }

  #fateOf({ metadata }: Pod, restarts: number): PodFate {
    const { script } = this.#byName.get(metadata?.labels?.['job-name'] ?? '') as MixedJob;
    const indexText = metadata?.annotations?.[COMPLETION_INDEX_KEY];
    const index = Number(indexText);
    const key = `${metadata?.labels?.['job-name']} ${indexText}`;
    const earlier = this.#started.get(key) ?? 0;
    if (restarts === 0) this.#started.set(key, earlier + 1);
    const failures = indexText === undefined ? script.failures : (script.failuresByIndex[index] ?? 0);
    const isFailing = (restarts > 0 ? restarts : earlier) < failures;
    return {
      runMillis: script.endlessIndexes.includes(index) ? Number.POSITIVE_INFINITY : script.runSeconds * 1000,
      exitCode: isFailing ? script.exitCode : 0,
      stopMillis: script.stopSeconds * 1000,
    };
  }
}

/** A suspended Job counts too: whether it stays so is seen when the run is cleaned up. */
function isAtItsEnd(job: Job): boolean {
  return isJobFinished(job) || conditionOf(job, 'Suspended') !== undefined;
}

function conditionOf({ status }: Job, type: string) {
  return status?.conditions?.find((condition) => condition.type === type && condition.status === 'True');
}

/** The status in the words of `impliedStatus`; undefined of a Job that is neither finished nor suspended. */
export function statusReached(job: Job): ImpliedStatus | undefined {
  const [complete, failed, suspended] = ['Complete', 'Failed', 'Suspended'].map((type) => conditionOf(job, type));
  const condition = complete ?? failed ?? suspended;
  if (condition === undefined) return undefined;
  const { succeeded = 0, failed: failures = 0, completedIndexes = '', failedIndexes = '' } = job.status ?? {};
  return {
    type: condition.type as ImpliedStatus['type'],
    reason: condition.reason ?? '',
    ...{ succeeded, failed: failures, completedIndexes, failedIndexes },
  };
}
