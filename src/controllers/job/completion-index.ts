import { COMPLETION_INDEX_KEY } from '../../api/job.ts';
import type { Pod } from '../../api/pod.ts';

/** The index of a pod that has none, or an invalid one. */
export const NO_INDEX = -1;

/** The Job's index that the pod is to complete. */
export function completionIndexOf(pod: Pod): number {
  const text = pod.metadata?.annotations?.[COMPLETION_INDEX_KEY];
  if (text === undefined || !/^[+-]?\d{1,15}$/.test(text)) return NO_INDEX;
  const index = Number(text);
  return index < 0 ? NO_INDEX : index;
}

/** The pod's index if it is below the number of completions; otherwise NO_INDEX. */
export function validIndexOf(pod: Pod, completions: number): number {
  const index = completionIndexOf(pod);
  return index < completions ? index : NO_INDEX;
}

/** The indexes of these pods, of any size. */
export function indexesOf(pods: readonly Pod[]): Set<number> {
  const indexes = new Set<number>();
  for (const pod of pods) {
    const index = completionIndexOf(pod);
    if (index !== NO_INDEX) indexes.add(index);
  }
  return indexes;
}
