import type { Pod } from '../api/pod.ts';
import { schedulePreempting } from '../core/schedule-preempting.ts';
import type { Subject } from './subject.ts';

/** The result of placing all pods, as a benchmark counts it. */
export interface Outcome {
  readonly scheduled: number;
  /** The number of pods that evicted others. */
  readonly preemptions: number;
  /** The decisions as lines for the decision hash, one for each pod. */
  readonly decisions: () => Iterable<string>;
}

/** Places the pods of a cluster: all in one batch, or one by one if a pod may evict another. */
export type PlaceAll = (subject: Subject, pods: readonly Pod[]) => Outcome;

const placeInBatch: PlaceAll = (subject, pods) => {
  const batch = subject.scheduleBatch(pods);
  return {
    scheduled: batch.scheduledCount,
    preemptions: 0,
    *decisions() {
      for (let i = 0; i < batch.length; i++) yield batch.nodeName(i) ?? '';
    },
  };
};

/** Victims are deleted at once, and the pod is placed before the next one is scheduled. */
const placePreempting: PlaceAll = (subject, pods) => {
  const attempts = pods.map((pod) => schedulePreempting(subject, pod));
  return {
    scheduled: attempts.filter(({ result }) => result.status === 'scheduled').length,
    preemptions: attempts.filter(({ preemption }) => preemption !== null).length,
    *decisions() {
      for (const { result, preemption } of attempts) {
        const node = result.status === 'scheduled' ? result.node : '';
        yield [node, ...(preemption?.victims ?? [])].join(' ');
      }
    },
  };
};

/** Pods can only evict each other if their priorities differ. */
export function placeAllOf(pods: readonly Pod[]): { readonly placeAll: PlaceAll; readonly isPreempting: boolean } {
  const first = pods[0]?.spec?.priority ?? 0;
  const isPreempting = pods.some((pod) => (pod.spec?.priority ?? 0) !== first);
  return { placeAll: isPreempting ? placePreempting : placeInBatch, isPreempting };
}
