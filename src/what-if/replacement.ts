import type { Pod } from '../api/pod.ts';
import { controllerOf } from '../expansion/present-pods.ts';

/** The kubelet writes it on the API's copy of a static pod, which exists only as long as its node. */
const MIRROR = 'kubernetes.io/config.mirror';

/**
 *   replaced   its controller makes it again
 *   withNode   it belongs to its node
 *   ending     it is being deleted, so nothing is expected of it any more
 *   lost       nobody makes it again
 */
export type Succession = 'replaced' | 'withNode' | 'ending' | 'lost';

/** What follows when a pod is taken from its node. */
export function successionOf(pod: Pod): Succession {
  const { metadata } = pod;
  const controller = controllerOf(pod);
  if (controller?.kind === 'DaemonSet' || controller?.kind === 'Node') return 'withNode';
  if (metadata?.annotations?.[MIRROR] !== undefined) return 'withNode';
  if (metadata?.deletionTimestamp !== undefined) return 'ending';
  return controller === undefined ? 'lost' : 'replaced';
}

/** The pod as its controller makes it again. It keeps its name, by which a reader finds it. */
export function replacementOf(pod: Pod): Pod {
  const { nodeName: _, ...spec } = pod.spec ?? { containers: [] };
  const { status, ...others } = pod;
  const made = status?.resourceClaimStatuses;
  // The claims that were made from templates for the old pod stand for those that would be made for the new one.
  return { ...others, spec, ...(made !== undefined && { status: { resourceClaimStatuses: made } }) };
}
