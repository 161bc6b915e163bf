import type { FeatureGates } from '../config/feature-gates.ts';
import { groupOf } from '../remote/resource-path.ts';
import { watchedResources } from '../scheduler/watch-objects.ts';
import type { Right } from './rights.ts';

const DEVICES = 'resource.k8s.io';

/** What a scheduler does beside reading. */
export interface SchedulerWrites {
  readonly writes: boolean;
  /** The lease of its leader election; null without one. */
  readonly lease: { readonly namespace: string; readonly name: string } | null;
  /** The server's version of Kubernetes 1. */
  readonly minorVersion: number;
}

/** From this version on, who allocates devices needs a right of its own, beside that to the status of claims. */
const BINDING_RIGHT_SINCE = 36;

/** What a scheduler must be allowed to do. */
export function schedulerRights(gates: FeatureGates, { writes, lease, minorVersion }: SchedulerWrites): Right[] {
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
    ...ofClaims('status'),
    ...['create', 'patch'].map((verb) => ({ verb, group: 'events.k8s.io', resource: 'events' })),
  );
  if (minorVersion >= BINDING_RIGHT_SINCE) rights.push(...ofClaims('binding'));
  if (gates.GenericWorkload) {
    rights.push({ verb: 'patch', group: groupOf('podgroups'), resource: 'podgroups', subresource: 'status' });
  }
  if (lease !== null) {
    const leases = { group: 'coordination.k8s.io', resource: 'leases', namespace: lease.namespace };
    // A role can allow one lease alone to be changed, but it cannot say which one may be created.
    rights.push({ ...leases, verb: 'create' });
    rights.push(...['get', 'update'].map((verb) => ({ ...leases, verb, name: lease.name })));
  }
  return rights;
}

/** Claims are updated when pods are bound, and patched when a pod gives them up. */
function ofClaims(subresource: string): Right[] {
  return ['update', 'patch'].map((verb) => ({ verb, group: DEVICES, resource: 'resourceclaims', subresource }));
}
