import { groupOf } from '../remote/resource-path.ts';
import { OBJECT_RESOURCES } from '../scheduler/watch-objects.ts';
import type { Resource } from '../store/objects/resources.ts';
import type { Right } from './rights.ts';

const READ: readonly Resource[] = ['nodes', 'pods', ...OBJECT_RESOURCES];

/** What a scheduler must be allowed to do; `lease`: with leader election, where its lease is. */
export function schedulerRights(lease: { readonly namespace: string } | null): Right[] {
  const rights: Right[] = READ.flatMap((resource) =>
    ['list', 'watch'].map((verb) => ({ verb, group: groupOf(resource), resource })),
  );
  rights.push(
    { verb: 'create', group: '', resource: 'pods', subresource: 'binding' },
    { verb: 'patch', group: '', resource: 'pods', subresource: 'status' },
    { verb: 'delete', group: '', resource: 'pods' },
    { verb: 'update', group: '', resource: 'persistentvolumes' },
    { verb: 'update', group: '', resource: 'persistentvolumeclaims' },
    { verb: 'create', group: 'events.k8s.io', resource: 'events' },
  );
  if (lease !== null) {
    for (const verb of ['get', 'create', 'update']) {
      rights.push({ verb, group: 'coordination.k8s.io', resource: 'leases', namespace: lease.namespace });
    }
  }
  return rights;
}
