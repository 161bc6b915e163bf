import type { Pod } from '../api/pod.ts';
import { continuePreempting, type PreemptingAttempt, schedulePreempting } from '../core/schedule-preempting.ts';
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

/** The most pods of one batch among which some may evict others. */
const LONGEST_BATCH = 4096;

/**
 * Victims are deleted at once, and the pod is placed before the next one is scheduled. A batch ends at a pod that does
 * not fit; the next ones are the longer, the more pods have fitted since.
 */
const placePreempting: PlaceAll = (subject, pods) => {
  const lines: string[] = [];
  let [scheduled, preemptions, size] = [0, 0, 1];
  const note = ({ result, preemption }: PreemptingAttempt): void => {
    const isPlaced = result.status === 'scheduled';
    lines.push([isPlaced ? result.node : '', ...(preemption?.victims ?? [])].join(' '));
    if (isPlaced) scheduled++;
    if (preemption !== null) preemptions++;
    size = isPlaced && preemption === null ? Math.min(LONGEST_BATCH, size * 2) : 1;
  };
  while (lines.length < pods.length) {
    if (size === 1) {
      note(schedulePreempting(subject, pods[lines.length] as Pod));
      continue;
    }
    const batch = subject.scheduleBatch(pods.slice(lines.length, lines.length + size), true);
    const placed = batch.scheduledCount;
    for (let i = 0; i < placed; i++) lines.push(batch.nodeName(i) ?? '');
    scheduled += placed;
    size = Math.min(LONGEST_BATCH, size * 2);
    if (placed === batch.length) continue;
    note(continuePreempting(subject, pods[lines.length] as Pod, batch.at(placed)));
  }
  return { scheduled, preemptions, decisions: () => lines };
};

/** Pods can only evict each other if their priorities differ. */
export function placeAllOf(pods: readonly Pod[]): { readonly placeAll: PlaceAll; readonly isPreempting: boolean } {
  const first = pods[0]?.spec?.priority ?? 0;
  const isPreempting = pods.some((pod) => (pod.spec?.priority ?? 0) !== first);
  return { placeAll: isPreempting ? placePreempting : placeInBatch, isPreempting };
}
