import type { Job } from '../../../src/api/job.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { timeAtMillis } from '../../../src/api/time.ts';
import { controllerOf } from '../../../src/controllers/job/pod-indexes.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { isApiError } from '../../../src/store/objects/api-error.ts';
import type { JobApiStub } from './job-api-stub.ts';
import type { JobStep, PodChange } from './job-case.ts';

/** What happens around the controller: users, node agents, the garbage collector. */
export class JobWorld {
  readonly #api: JobApiStub;
  readonly #clock: Clock;
  readonly #jobName: string;

  constructor(api: JobApiStub, clock: Clock, jobName: string) {
    this.#api = api;
    this.#clock = clock;
    this.#jobName = jobName;
  }

  /** Whether there is such an operation. */
  change(step: JobStep): boolean {
    const names = step.pods as readonly string[];
    switch (step.op) {
      case 'setPods':
        for (const change of step.pods as readonly PodChange[]) this.#setPod(change);
        return true;
      case 'addPods':
        for (const pod of step.pods as readonly Pod[]) this.#api.addPod(pod);
        return true;
      case 'deletePods':
        for (const name of names) this.#terminate(name);
        return true;
      case 'finalizePods':
        for (const name of names) this.#terminate(name, 0);
        return true;
      case 'vanishPods':
        for (const name of names) this.#api.vanishPod(name);
        return true;
      case 'finishAllPods':
        this.#finishAllPods();
        return true;
      case 'patchJobStatus':
        this.#api.patchJobUnvalidated(this.#jobName, step.patch, 'status');
        return true;
      case 'patchJobUnvalidated':
        this.#api.patchJobUnvalidated(this.#jobName, step.patch, 'whole');
        return true;
      case 'deleteJob':
        this.#api.deleteJob(this.#jobName, step.propagationPolicy);
        return true;
      default:
        return false;
    }
  }

  /** One round: what was done, to which pods, and whether the Job is gone then. */
  collectGarbage(): { readonly action: string; readonly pods: readonly string[]; readonly jobGone: boolean } {
    const job = this.#api.jobs.get(this.#jobName);
    const finalizers = job?.metadata?.finalizers ?? [];
    if (job !== undefined && finalizers.includes('orphan')) {
      const pods = this.#podsOwned((uid) => uid === job.metadata?.uid);
      for (const name of pods) this.#api.changePod(name, (pod) => withoutOwner(pod, job));
      this.#api.removeJobFinalizers(this.#jobName);
      return { action: 'orphaned', pods, jobGone: true };
    }
    const isForeground = finalizers.includes('foregroundDeletion');
    const owned = this.#podsOwned((uid) => isForeground || uid !== job?.metadata?.uid);
    const pods = owned.filter((name) => this.#api.pods.get(name)?.metadata?.deletionTimestamp === undefined);
    for (const name of pods) this.#terminate(name);
    if (isForeground && owned.length === 0) this.#api.removeJobFinalizers(this.#jobName);
    const action = pods.length > 0 ? 'deleted' : 'none';
    return { action, pods, jobGone: this.#api.jobs.get(this.#jobName)?.metadata?.uid !== job?.metadata?.uid || !job };
  }

  /** Pods that a Job of this name controls or controlled. */
  #podsOwned(hasUid: (uid: string) => boolean): string[] {
    return this.#api.podNames().filter((name) => {
      const owner = controllerOf(this.#api.pods.get(name) as Pod);
      return owner?.kind === 'Job' && owner.name === this.#jobName && hasUid(owner.uid);
    });
  }

  #terminate(name: string, gracePeriodSeconds?: number): void {
    try {
      this.#api.terminatePod(name, gracePeriodSeconds);
    } catch (error) {
      if (!isApiError(error, 'NotFound')) throw error;
    }
  }

  #setPod({ name, nodeName, status, ...metadata }: PodChange): void {
    this.#api.changePod(name, (pod) => ({
      ...pod,
      metadata: { ...pod.metadata, ...metadata },
      spec: { ...pod.spec, ...(nodeName && { nodeName }) },
      ...(status && { status }),
    }));
  }

  /** Every third pod, beginning with the first by name, has failed. */
  #finishAllPods(): void {
    const finishedAt = timeAtMillis(this.#clock.nowMillis());
    for (const [position, name] of this.#api.podNames().entries()) {
      const hasFailed = position % 3 === 0;
      const state = { terminated: { exitCode: hasFailed ? 1 : 0, finishedAt } };
      const status = { phase: hasFailed ? 'Failed' : 'Succeeded', containerStatuses: [{ name: 'main', state }] };
      this.#setPod({ name, status });
    }
  }
}

function withoutOwner(pod: Pod, { metadata }: Job): Pod {
  const ownerReferences = pod.metadata?.ownerReferences?.filter(({ uid }) => uid !== metadata?.uid) ?? [];
  return { ...pod, metadata: { ...pod.metadata, ownerReferences } };
}
