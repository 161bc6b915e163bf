import { hasTrueCondition, isIndexedJob, isJobFinished, type Job } from '../../src/api/job.ts';
import type { Pod } from '../../src/api/pod.ts';
import { isPodFinished } from '../../src/api/pod-conditions.ts';
import { podGroupNameOf } from '../../src/api/pod-group.ts';
import { objectKey } from '../../src/client/object-key.ts';
import { Scheduler } from '../../src/core/scheduler.ts';
import { presentCluster } from '../../src/simulation/present-cluster.ts';
import { cachesOf, isCaughtUp } from './invariants/caches.ts';
import { isContradicted } from './invariants/contradicted-jobs.ts';
import { type JobAccounting, realCounts } from './invariants/job-accounting.ts';
import { checkWorkloads } from './invariants/workloads.ts';
import { controllerOf, isActive, isDeleting, isTracked, nameOf, uidOf } from './mirror.ts';
import type { Violated } from './violation.ts';
import type { World } from './world.ts';

const LIVENESS = 'everything that can finish has finished';

/** What must hold when nobody has done anything to the cluster for a long while. */
export function checkRest(world: World, accounting: JobAccounting, violated: Violated): void {
  const { cluster, mirror } = world;
  const reported = (detail: string): void => violated(LIVENESS, detail);
  const pods = [...mirror.pods.values()];
  for (const caches of Object.values(cachesOf(cluster))) {
    if (!isCaughtUp(caches, mirror)) reported(`what ${caches.whose} have cached is not what is stored`);
  }
  checkScheduler(world, pods, reported);
  const isWaiting = (pod: Pod): boolean => !pod.spec?.nodeName;
  const contradicted = new Set<string | undefined>();
  for (const job of mirror.jobs.values()) {
    const own = pods.filter((pod) => controllerOf(pod)?.uid === uidOf(job));
    if (isContradicted(job, own)) {
      contradicted.add(uidOf(job));
      continue;
    }
    const isHeldUp = own.some((pod) => isWaiting(pod) || isStranded(pod)) || isNotLookedAt(world, job);
    checkJob(job, own, isHeldUp, reported);
    if (isJobFinished(job)) checkEnding(job, accounting.succeededLate(uidOf(job)), reported);
    checkCounts(job, own, violated);
  }
  for (const pod of pods) {
    const isHeld = isPodFinished(pod) && contradicted.has(controllerOf(pod)?.uid);
    if (!isHeld && !isLeftTracked(world, pod)) checkPod(world, pod, reported);
  }
  // After a gap in a watch a controller may expect what it never sees, until it gives that up.
  if (world.client.gaps === 0) checkWorkloads(cluster.store, pods, reported);
  for (const node of cluster.nodeAgents?.nodeNames ?? []) {
    if (!cluster.nodeAgents?.isRunning(node)) reported(`the agent of ${node} does not run`);
  }
}

/** A pod that waits has a reason: a scheduler that comes anew finds no room for it either. */
function checkScheduler(world: World, pods: readonly Pod[], reported: (detail: string) => void): void {
  const { queue, cache, waitingPods } = world.cluster.scheduler as NonNullable<World['cluster']['scheduler']>;
  if (waitingPods.size > 0) reported(`${waitingPods.size} pods wait for Permit plugins`);
  if (cache.assumedCount > 0) reported(`${cache.assumedCount} pods are assumed`);
  const { size = 0 } = world.errands?.reserved ?? {};
  if (size > 0) reported(`${size} pods have something reserved`);
  for (const uid of world.mirror.podUids) if (queue.isInFlight(uid)) reported(`pod ${uid} is in flight`);
  const waiting = pods.filter((pod) => !pod.spec?.nodeName && isActive(pod));
  for (const pod of waiting) {
    if (queue.queuedPod(uidOf(pod)) === undefined) reported(`pod ${nameOf(pod)} waits, and is in no queue`);
  }
  if (waiting.length === 0) return;
  const fresh = new Scheduler({ engine: 'reference', preemption: false });
  for (const node of world.mirror.nodes.values()) fresh.addNode(node);
  for (const { kind, object } of presentCluster(world.cluster.store).others) fresh.setObject(kind, object);
  for (const pod of pods) {
    if (!isPodFinished(pod) && (pod.spec?.nodeName || isLeftNominated(pod))) fresh.addPod(pod);
  }
  for (const pod of waiting) {
    // There may be room for a pod of a group, and not for the group.
    if (podGroupNameOf(pod) !== '') continue;
    const { feasible } = fresh.explain(pod);
    if (feasible.length > 0) reported(`pod ${nameOf(pod)} waits, and there is room on ${feasible.join(', ')}`);
  }
}

/**
 * Whether a nomination may stay although nobody keeps room for the pod: nothing clears that of a pod which may not
 * preempt, here as upstream. It was nominated before its binding, which failed; the write that then clears it may fail,
 * and is not sent while the watch has not brought the nomination. PostFilter, which clears it for other pods when it
 * finds no victims, leaves this one alone. Pods of lower or equal priority are kept from its room.
 */
function isLeftNominated({ spec, status }: Pod): boolean {
  return spec?.preemptionPolicy === 'Never' && Boolean(status?.nominatedNodeName);
}

/**
 * Whether nobody will take the tracking finalizer off a pod. When a Job is gone the controller releases all its pods at
 * once and only logs those that it could not patch, here as in upstream's syncOrphanPodsBySelector. A pod that has
 * ended and is being deleted changes no more, so that nothing queues it by its name.
 */
function isLeftTracked({ unreleased }: World, pod: Pod): boolean {
  return isPodFinished(pod) && isDeleting(pod) && isTracked(pod) && unreleased.has(objectKey(pod));
}

function checkPod(world: World, pod: Pod, reported: (detail: string) => void): void {
  const { nodeName, restartPolicy } = pod.spec ?? {};
  const name = nameOf(pod);
  if (isDeleting(pod)) reported(`pod ${name} is still being deleted`);
  if (isPodFinished(pod) || !nodeName) return;
  if (![...world.mirror.nodes.values()].some((node) => nameOf(node) === nodeName)) {
    reported(`pod ${name} is on ${nodeName}, which is gone`);
  }
  const isEndless = restartPolicy === 'Always' || (runsForever(pod) && controllerOf(pod) === undefined);
  if (pod.status?.phase === 'Running' && isEndless) return;
  if (!isStranded(pod)) reported(`pod ${name} is on ${nodeName} and ${pod.status?.phase}`);
}

function runsForever({ metadata }: Pod): boolean {
  return metadata?.annotations?.['berth.dev/run-duration.main'] === 'forever';
}

/**
 * A pod that may not be restarted and lost its sandbox between its init containers and its containers: neither is it
 * started again nor does it fail, in upstream as here.
 */
function isStranded({ spec, status }: Pod): boolean {
  if (spec?.restartPolicy !== 'Never' || status?.phase !== 'Pending') return false;
  const sandbox = status.conditions?.find(({ type }) => type === 'PodReadyToStartContainers');
  const hasInitialised = status.initContainerStatuses?.some(({ state }) => state?.terminated !== undefined) ?? false;
  return hasInitialised && sandbox?.status === 'False';
}

/**
 * Whether the controller still expects to see pods of the Job that a watch with a gap never showed to it as new: a pod
 * that is first seen while it is being deleted counts as deleted, in upstream's addPod as here. Such expectations
 * expire, but nothing queues the Job when they do; upstream's controller looks at it with the next resync of its
 * informers, twelve hours or more later, which is beyond the end of a run.
 */
function isNotLookedAt({ cluster, client }: World, job: Job): boolean {
  const { creations = 0, deletions = 0 } = cluster.jobController.memory.expectations.get(objectKey(job)) ?? {};
  return client.gaps > 0 && (creations > 0 || deletions > 0);
}

function checkJob(job: Job, pods: readonly Pod[], isHeldUp: boolean, reported: (detail: string) => void): void {
  const name = `Job ${nameOf(job)}`;
  if (isDeleting(job)) reported(`${name} is still being deleted`);
  if (!isJobFinished(job)) {
    const isSuspended = job.spec?.suspend === true && hasTrueCondition(job, 'Suspended');
    const isEmpty = job.spec?.parallelism === 0;
    if (!isSuspended && !isHeldUp && !isEmpty) reported(`${name} has not finished: ${JSON.stringify(job.status)}`);
    return;
  }
  if (pods.some(isTracked)) reported(`${name} has finished, and has pods that are tracked`);
  if (pods.some(isActive)) reported(`${name} has finished, and has active pods`);
  if (job.spec?.ttlSecondsAfterFinished !== undefined) reported(`${name} has finished, and should be gone`);
}

/**
 * The Job ended as its specification allows. Upstream's getNewFinishedPods asks a pod that succeeded only whether it is
 * counted as succeeded: one that was counted as failed on its way out, and still has its finalizer, is enough to
 * complete the Job, which counts it as failed nevertheless.
 */
function checkEnding(job: Job, succeededLate: number, reported: (detail: string) => void): void {
  const { spec = {}, status = {} } = job;
  const { type, reason } = status.conditions?.find((each) => /^(Complete|Failed)$/.test(each.type)) ?? {};
  const { succeeded = 0, failed = 0 } = status;
  const restarts = spec.template?.spec?.restartPolicy === 'OnFailure';
  const indexed = isIndexedJob(job);
  const isAllowed = {
    // A Job with indexes can be made larger when it is over.
    CompletionsReached: succeeded + succeededLate >= (spec.completions ?? 1) || indexed,
    SuccessPolicy: spec.successPolicy !== undefined && indexed,
    BackoffLimitExceeded: restarts || failed > (spec.backoffLimit ?? 6),
    DeadlineExceeded: spec.activeDeadlineSeconds !== undefined,
    PodFailurePolicy: spec.podFailurePolicy !== undefined,
    MaxFailedIndexesExceeded: spec.maxFailedIndexes !== undefined,
    FailedIndexes: spec.backoffLimitPerIndex !== undefined,
  }[reason ?? ''];
  if (!isAllowed) reported(`Job ${nameOf(job)} is ${type} because of ${reason}: ${JSON.stringify(status)}`);
}

function checkCounts(job: Job, pods: readonly Pod[], violated: Violated): void {
  const { active = 0, ready = 0, terminating = 0, uncountedTerminatedPods: uncounted } = job.status ?? {};
  const [has, wants] = [{ active, ready, terminating }, realCounts(pods)].map((counts) => JSON.stringify(counts));
  if (has !== wants) violated('Job counts = real pods', `Job ${nameOf(job)} has ${has}, its pods are ${wants}`);
  const left = (uncounted?.succeeded?.length ?? 0) + (uncounted?.failed?.length ?? 0);
  if (left > 0) violated('Job counts = real pods', `Job ${nameOf(job)} has left ${left} pods uncounted`);
}
