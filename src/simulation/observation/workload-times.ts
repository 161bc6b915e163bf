import { hasTrueCondition, type Job } from '../../api/job.ts';
import type { Pod } from '../../api/pod.ts';
import { getOrMake } from '../../lib/get-or-make.ts';

/** The pods of one controller, and the times of a Job. */
export interface WorkloadTimes {
  readonly kind: string;
  readonly name: string;
  readonly createdMillis: number;
  pods: number;
  scheduled: number;
  waitMillisSum: number;
  mostWaitMillis: number;
  firstScheduledMillis: number | null;
  /** When the Job was complete or had failed. */
  endMillis: number | null;
  outcome: '' | 'active' | 'complete' | 'failed';
}

const WORKLOADS_MAX = 5000;
const WITHOUT = 'without a controller';

/** Follows the waiting times of pods by their controller. */
export class WorkloadsSeen {
  readonly #byUid = new Map<string, WorkloadTimes>();
  /** How many controllers are not listed. */
  leftOut = 0;

  get all(): Iterable<WorkloadTimes> {
    return this.#byUid.values();
  }

  setJob({ metadata, ...job }: Job, nowMillis: number): void {
    const name = `${metadata?.namespace}/${metadata?.name}`;
    const known = this.#of(metadata?.uid ?? '', 'Job', name, nowMillis);
    if (known === undefined || known.endMillis !== null) return;
    const whole = { metadata, ...job };
    known.outcome = 'active';
    for (const [condition, outcome] of [
      ['Complete', 'complete'],
      ['Failed', 'failed'],
    ] as const) {
      if (!hasTrueCondition(whole, condition)) continue;
      known.outcome = outcome;
      known.endMillis = nowMillis;
    }
  }

  podCreated(pod: Pod, nowMillis: number): void {
    const known = this.#ofPod(pod, nowMillis);
    if (known !== undefined) known.pods++;
  }

  podScheduled(pod: Pod, waitMillis: number, nowMillis: number): void {
    const known = this.#ofPod(pod, nowMillis);
    if (known === undefined) return;
    known.scheduled++;
    known.waitMillisSum += waitMillis;
    known.mostWaitMillis = Math.max(known.mostWaitMillis, waitMillis);
    known.firstScheduledMillis ??= nowMillis;
  }

  #ofPod({ metadata }: Pod, nowMillis: number): WorkloadTimes | undefined {
    const owner = metadata?.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined)
      return this.#of(`\0${metadata?.namespace}`, WITHOUT, `${metadata?.namespace}/*`, nowMillis);
    return this.#of(owner.uid ?? owner.name ?? '', owner.kind ?? '', `${metadata?.namespace}/${owner.name}`, nowMillis);
  }

  #of(uid: string, kind: string, name: string, createdMillis: number): WorkloadTimes | undefined {
    if (!this.#byUid.has(uid) && this.#byUid.size >= WORKLOADS_MAX) {
      this.leftOut++;
      return undefined;
    }
    return getOrMake(this.#byUid, uid, () => ({
      ...{ kind, name, createdMillis, pods: 0, scheduled: 0, waitMillisSum: 0, mostWaitMillis: 0 },
      ...{ firstScheduledMillis: null, endMillis: null, outcome: '' as const },
    }));
  }
}
