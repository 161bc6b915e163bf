import { COMPLETION_INDEX_KEY, isIndexedJob, isJobFinished, type Job } from '../../../src/api/job.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { isPodFinished } from '../../../src/api/pod-conditions.ts';
import { controllerOf, isActive, isDeleting, isTracked, type Mirror, nameOf, uidOf } from '../mirror.ts';
import { isRelease, type Request } from '../recording-client.ts';
import type { Violated } from '../violation.ts';
import { CountedPods } from './counted-pods.ts';

const ACCOUNTING = 'Job counts = real pods';
const COMPLETIONS = 'completions never exceeded';
const PARALLELISM = 'no more active pods than wanted';

/** What is known of a Job beside what it says itself; by uid. */
interface Account {
  /** All pods that the Job ever controlled. */
  readonly pods: Set<string>;
  readonly succeeded: Set<string>;
  /** Pods that succeeded while being deleted: the controller may have taken them for lost, and replaced them. */
  readonly succeededLate: Set<string>;
  /** The completion indexes of pods that succeeded. */
  readonly indexes: Set<number>;
  /** Failed, marked for deletion or gone. */
  readonly lost: Set<string>;
  /** Succeeded, and not tracked any more by will of the controller. */
  readonly released: Set<string>;
  readonly counted: CountedPods;
  maxParallelism: number;
  /** Pods may have come that the controller never asked for, or does not know that it did. */
  hasStrangers: boolean;
}

/** Checks every write of a Job and of its pods. */
export class JobAccounting {
  readonly #mirror: Mirror;
  readonly #violated: Violated;
  /** The pod as the controller knows it. */
  readonly #cachedPod: (pod: Pod) => Pod | undefined;
  readonly #accounts = new Map<string, Account>();

  constructor(mirror: Mirror, cachedPod: (pod: Pod) => Pod | undefined, violated: Violated) {
    this.#mirror = mirror;
    this.#cachedPod = cachedPod;
    this.#violated = violated;
    mirror.onPod((before, after) => this.#podWritten(before, after));
    mirror.onJob((before, after) => this.#jobWritten(before, after));
  }

  /** Runs at the end of a step: the caches are those with which the requests were made. */
  requested({ verb, resource, namespace, name, outcome, body }: Request): void {
    if (resource !== 'pods') return;
    if (verb === 'create' && outcome === 'lost') {
      const uid = controllerOf(body as Pod)?.uid;
      if (uid !== undefined) this.#account(uid).hasStrangers = true;
    }
    if (verb !== 'patch' || outcome !== 'missing' || !isRelease(body)) return;
    const cached = this.#cachedPod({ metadata: { namespace, name } });
    const uid = cached && isTracked(cached) ? controllerOf(cached)?.uid : undefined;
    if (cached !== undefined && uid !== undefined) this.#account(uid).counted.foundNone(uidOf(cached));
  }

  /** Runs at the end of a step: pods that lost their finalizer have been counted by then. */
  checkReleased(): void {
    for (const [uid, { released, counted }] of this.#accounts) {
      const job = this.#mirror.jobs.get(uid);
      if (job === undefined || isIndexedJob(job)) continue;
      const succeeded = countsOf(job).succeeded - counted.again.succeeded;
      if (succeeded >= released.size) continue;
      this.#violated(ACCOUNTING, `Job ${nameOf(job)} counts ${succeeded} of ${released.size} pods that it released`);
    }
  }

  /** Whether the Job's pods may be more than its controller wanted. */
  hasStrangers(uid: string): boolean {
    return this.#account(uid).hasStrangers;
  }

  /** How many of the Job's pods succeeded while they were being deleted. */
  succeededLate(uid: string): number {
    return this.#account(uid).succeededLate.size;
  }

  #account(uid: string): Account {
    let account = this.#accounts.get(uid);
    if (account === undefined) {
      account = newAccount();
      this.#accounts.set(uid, account);
    }
    return account;
  }

  #podWritten(before: Pod | undefined, after: Pod | undefined): void {
    const pod = (after ?? before) as Pod;
    const jobUid = controllerOf(pod)?.uid;
    if (jobUid === undefined) return;
    const account = this.#account(jobUid);
    const uid = uidOf(pod);
    if (before !== undefined && controllerOf(before) === undefined) account.hasStrangers = true;
    account.pods.add(uid);
    if (pod.status?.phase === 'Succeeded') {
      account.succeeded.add(uid);
      if (before !== undefined && isDeleting(before) && !isPodFinished(before)) account.succeededLate.add(uid);
      account.indexes.add(Number(pod.metadata?.annotations?.[COMPLETION_INDEX_KEY]));
    }
    if (pod.status?.phase === 'Failed' || isDeleting(pod) || after === undefined) account.lost.add(uid);
    if (before === undefined) {
      this.#checkParallelism(jobUid, account);
    } else if (after !== undefined && isTracked(before) && !isTracked(after)) {
      this.#released(after, jobUid, account);
    }
  }

  /** What the controller took for active is not wanted any more, and counts for nothing. */
  #released(pod: Pod, jobUid: string, { released }: Account): void {
    const job = this.#mirror.jobs.get(jobUid);
    if (job === undefined || isJobFinished(job) || isDeleting(job)) return;
    const cached = this.#cachedPod(pod);
    if (cached?.status?.phase === 'Succeeded' && !isDeleting(cached)) released.add(uidOf(pod));
  }

  #checkParallelism(jobUid: string, { maxParallelism, hasStrangers }: Account): void {
    const job = this.#mirror.jobs.get(jobUid);
    if (job === undefined || hasStrangers) return;
    let active = 0;
    for (const pod of this.#mirror.pods.values()) {
      if (controllerOf(pod)?.uid === jobUid && isActive(pod)) active++;
    }
    if (active <= maxParallelism) return;
    // A create that gets no answer is known as such only when the step is over.
    this.#suspects.push({ jobUid, detail: `Job ${nameOf(job)} has ${active} active pods of ${maxParallelism}` });
  }

  #suspects: { readonly jobUid: string; readonly detail: string }[] = [];

  checkSuspects(): void {
    for (const { jobUid, detail } of this.#suspects) {
      if (!this.hasStrangers(jobUid)) this.#violated(PARALLELISM, detail);
    }
    if (this.#suspects.length > 0) this.#suspects = [];
  }

  #jobWritten(before: Job | undefined, after: Job | undefined): void {
    if (after === undefined) return;
    const account = this.#account(uidOf(after));
    account.maxParallelism = Math.max(account.maxParallelism, after.spec?.parallelism ?? 1);
    this.#checkUncounted(before, after, account);
    if (isIndexedJob(after)) this.#checkIndexes(after, account);
    else this.#checkCounts(before, after, account);
  }

  #checkUncounted(before: Job | undefined, job: Job, { pods, counted }: Account): void {
    const { succeeded = [], failed = [] } = job.status?.uncountedTerminatedPods ?? {};
    const uids = [...succeeded, ...failed];
    const isOdd = new Set(uids).size < uids.length || uids.some((uid) => !pods.has(uid));
    if (isOdd) this.#violated(ACCOUNTING, `Job ${nameOf(job)} has uncounted ${uids.join(', ')}`);
    const again = counted.follow(before, job);
    if (again.length > 0) this.#violated(ACCOUNTING, `Job ${nameOf(job)} counts ${again.join(', ')} again`);
  }

  #checkCounts(
    before: Job | undefined,
    job: Job,
    { pods, succeeded, succeededLate, lost, counted: { again }, hasStrangers }: Account,
  ): void {
    const counted = countsOf(job);
    const once = { succeeded: counted.succeeded - again.succeeded, failed: counted.failed - again.failed };
    const has = `Job ${nameOf(job)} counts ${counted.succeeded} succeeded, ${counted.failed} failed pods`;
    if (once.succeeded > succeeded.size) this.#violated(ACCOUNTING, `${has}; ${succeeded.size} ever succeeded`);
    if (once.failed > lost.size) this.#violated(ACCOUNTING, `${has}; ${lost.size} ever were lost`);
    if (once.succeeded + once.failed > pods.size) this.#violated(ACCOUNTING, `${has} of ${pods.size}`);
    if (before !== undefined) {
      const [from, to] = [before.status ?? {}, job.status ?? {}];
      const isLess = (to.succeeded ?? 0) < (from.succeeded ?? 0) || (to.failed ?? 0) < (from.failed ?? 0);
      if (isLess) this.#violated(ACCOUNTING, `${has}, and counted more before`);
    }
    const { completions } = job.spec ?? {};
    if (completions === undefined || hasStrangers) return;
    if (once.succeeded <= completions + succeededLate.size) return;
    this.#violated(COMPLETIONS, `${has}; wanted are ${completions}`);
  }

  /** Each completed index has a pod that succeeded. */
  #checkIndexes(job: Job, account: Account): void {
    const { completedIndexes = '', succeeded = 0 } = job.status ?? {};
    const indexes = indexesOf(completedIndexes);
    const has = `Job ${nameOf(job)} counts ${succeeded} succeeded, and names ${completedIndexes}`;
    if (indexes.length !== succeeded) this.#violated(ACCOUNTING, has);
    const unreal = indexes.filter((index) => !account.indexes.has(index));
    if (unreal.length > 0) this.#violated(ACCOUNTING, `${has}; no pod of ${unreal.join(', ')} ever succeeded`);
  }
}

function newAccount(): Account {
  return {
    pods: new Set(),
    succeeded: new Set(),
    succeededLate: new Set(),
    indexes: new Set(),
    lost: new Set(),
    released: new Set(),
    counted: new CountedPods(),
    maxParallelism: 0,
    hasStrangers: false,
  };
}

/** Counted, or about to be. */
function countsOf({ status }: Job): { readonly succeeded: number; readonly failed: number } {
  const { succeeded = 0, failed = 0, uncountedTerminatedPods: uncounted } = status ?? {};
  return {
    succeeded: succeeded + (uncounted?.succeeded?.length ?? 0),
    failed: failed + (uncounted?.failed?.length ?? 0),
  };
}

/** `1,3-5` */
export function indexesOf(text: string): readonly number[] {
  if (text === '') return [];
  return text.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

/** What a status should say of the pods that there are now. */
export function realCounts(pods: readonly Pod[]): { active: number; ready: number; terminating: number } {
  const active = pods.filter(isActive);
  const isReady = ({ status }: Pod): boolean =>
    status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
  return {
    active: active.length,
    ready: active.filter(isReady).length,
    terminating: pods.filter((pod) => isDeleting(pod) && !isPodFinished(pod)).length,
  };
}
