import { claimNames, releasedBy } from '../api/claims-of-pod.ts';
import type { Pod } from '../api/pod.ts';
import { podGroupNameOf } from '../api/pod-group.ts';
import type { ResourceClaim } from '../api/resource-claims.ts';
import { PodGroupScheduler } from '../cluster/pod-group-scheduler.ts';
import { featureGates } from '../config/feature-gates.ts';
import { Scheduler } from '../core/scheduler.ts';
import type { SchedulerOptions } from '../core/scheduler-options.ts';

/** What things are tried on: a scheduler of single pods, or one with the queue that groups of pods need. */
export type TrialScheduler = Scheduler | PodGroupScheduler;

/** A scheduler for these pods: that of groups is made only where groups count, because it takes longer. */
export function newTrialScheduler(options: SchedulerOptions, pods: readonly Pod[]): TrialScheduler {
  const { GenericWorkload } = featureGates(options.featureGates, options.configuration);
  const hasGroups = GenericWorkload && pods.some((pod) => podGroupNameOf(pod) !== '');
  return hasGroups ? new PodGroupScheduler(options) : new Scheduler(options);
}

/**
 * Removes the pod, if it is there. The claims that it uses are free for others, and for the pod that comes in its
 * place. Returns these claims as they were.
 */
export function removePod(scheduler: TrialScheduler, { metadata, spec, status }: Pod): readonly ResourceClaim[] {
  const { namespace = 'default', name = '', uid = '' } = metadata ?? {};
  if (!scheduler.has('Pod', name, namespace)) return [];
  const claims = claimNames({ spec, status }).flatMap(
    (claimName) => scheduler.object('ResourceClaim', claimName, namespace) ?? [],
  );
  scheduler.removePod(namespace, name);
  if (scheduler instanceof Scheduler) {
    for (const claim of claims) {
      const released = releasedBy(claim, { uid, name });
      const isThere = scheduler.has('ResourceClaim', claim.metadata?.name ?? '', namespace);
      if (isThere && released !== claim) scheduler.setObject('ResourceClaim', released);
    }
  }
  return claims;
}

/** Puts a removed pod back on its node, with the claims that it had there. */
export function putBack(
  scheduler: TrialScheduler,
  pod: Pod,
  { nodeName, claims }: { readonly nodeName: string; readonly claims: readonly ResourceClaim[] },
): void {
  for (const claim of claims) scheduler.setObject('ResourceClaim', claim);
  scheduler.addPod({ ...pod, spec: { ...(pod.spec ?? { containers: [] }), nodeName } });
}
