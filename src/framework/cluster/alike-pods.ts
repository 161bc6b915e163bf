import type { Labels } from '../../api/meta.ts';
import type { Pod, PodSpec } from '../../api/pod.ts';
import { mayBeResized } from '../../api/pod-requests.ts';

/**
 * Whether two versions of a pod are equal for decisions about other pods: at most the node and the status differ. To
 * return false is always correct.
 */
export function isAlike(a: Pod, b: Pod): boolean {
  const [metadataA, metadataB] = [a.metadata, b.metadata];
  if (metadataA?.uid !== metadataB?.uid) return false;
  if (metadataA?.deletionTimestamp !== metadataB?.deletionTimestamp) return false;
  if (!isSameLabels(metadataA?.labels, metadataB?.labels)) return false;
  return haveSameRequirements(a, b);
}

/** Whether two versions of a pod want the same of a node. To return false is always correct. */
export function haveSameRequirements(a: Pod, b: Pod): boolean {
  return isSameSpec(a.spec, b.spec) && !mayBeResized(a.status) && !mayBeResized(b.status);
}

function isSameLabels(a: Labels | undefined, b: Labels | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** Whether the specs are equal but for the node. Versions of one pod share the members that did not change. */
function isSameSpec(a: PodSpec | undefined, b: PodSpec | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  for (const key in a) if (key !== 'nodeName' && a[key as keyof PodSpec] !== b[key as keyof PodSpec]) return false;
  for (const key in b) if (key !== 'nodeName' && !(key in a)) return false;
  return true;
}
