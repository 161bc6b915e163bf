import type { Pod } from '../api/pod.ts';
import { PodGroupScheduler } from '../cluster/pod-group-scheduler.ts';
import { replacementOf } from './replacement.ts';
import { type Pause, reasonOf } from './trial.ts';
import type { TrialScheduler } from './trial-scheduler.ts';

/** More pods than any cluster holds. */
const PODS_MAX = 1_000_000;
const PODS_PER_BATCH = 1000;

export interface MoreFit {
  /** How many more of the pod fit. */
  readonly count: number;
  /** How many of them each node takes. */
  readonly byNode: ReadonlyMap<string, number>;
  /** Why the next one does not; empty when it was not tried. */
  readonly reason: string;
}

/** Places one copy of the pod after the other, until one does not fit. Nobody is preempted. */
export async function fitMore(scheduler: TrialScheduler, pod: Pod, pause: Pause): Promise<MoreFit> {
  const copy = copiesOf(pod);
  const byNode = new Map<string, number>();
  let count = 0;
  while (count < PODS_MAX) {
    await pause();
    const batch = Array.from({ length: PODS_PER_BATCH }, (_, i) => copy(count + i));
    const results =
      scheduler instanceof PodGroupScheduler ? scheduler.scheduleBatch(batch) : scheduler.scheduleBatch(batch, true);
    for (let i = 0; i < results.length; i++) {
      const result = results.at(i);
      if (result.status !== 'scheduled') return { count, byNode, reason: reasonOf(result) };
      byNode.set(result.node, (byNode.get(result.node) ?? 0) + 1);
      count++;
    }
  }
  return { count, byNode, reason: '' };
}

/** Makes copies of the pod, by number, that preempt nobody. */
export function copiesOf(pod: Pod): (number: number) => Pod {
  const { metadata, spec = { containers: [] } } = replacementOf(pod);
  const { name = '' } = metadata ?? {};
  const template = { ...spec, preemptionPolicy: 'Never' };
  return (number) => {
    return { metadata: { ...metadata, name: `${name}-fit-${number}`, uid: `${name}-fit-${number}` }, spec: template };
  };
}
