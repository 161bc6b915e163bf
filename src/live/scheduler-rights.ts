import type { FeatureGates } from '../config/feature-gates.ts';
import { groupOf } from '../remote/resource-path.ts';
import { watchedResources } from '../scheduler/watch-objects.ts';
import type { Right } from './rights.ts';

const DEVICES = 'resource.k8s.io';

/** What a scheduler does beside reading. */
export interface SchedulerWrites {
  readonly writes: boolean;
  /** Where the lease of its leader election is; null without one. */
  readonly lease: { readonly namespace: string } | null;
}

/** What a scheduler must be allowed to do. */
export function schedulerRights(gates: FeatureGates, { writes, lease }: SchedulerWrites): Right[] {
  const rights: Right[] = watchedResources(gates).flatMap((resource) =>
    ['list', 'watch'].map((verb) => ({ verb, group: groupOf(resource), resource })),
  );
  if (!writes) return rights;
  rights.push(
    { verb: 'create', group: '', resource: 'pods', subresource: 'binding' },
    { verb: 'patch', group: '', resource: 'pods', subresource: 'status' },
    { verb: 'delete', group: '', resource: 'pods' },
    { verb: 'update', group: '', resource: 'persistentvolumes' },
    { verb: 'update', group: '', resource: 'persistentvolumeclaims' },
    ...['get', 'create', 'update', 'delete'].map((verb) => ({ verb, group: DEVICES, resource: 'resourceclaims' })),
    { verb: 'update', group: DEVICES, resource: 'resourceclaims', subresource: 'status' },
    ...['create', 'patch'].map((verb) => ({ verb, group: 'events.k8s.io', resource: 'events' })),
  );
  if (lease !== null) {
    for (const verb of ['get', 'create', 'update']) {
      rights.push({ verb, group: 'coordination.k8s.io', resource: 'leases', namespace: lease.namespace });
    }
  }
  return rights;
}
