import { KINDS, type ObjectKind } from '../api/kinds.ts';
import type { ClusterManifest, OtherObject } from '../manifests/cluster-manifest.ts';
import { RESOURCES, type Resource } from '../store/objects/resources.ts';
import type { StoreClient } from '../store/objects/store-client.ts';

/** The cluster that a store holds now, as manifests would describe it. */
export function presentCluster(client: Pick<StoreClient, 'list'>): Required<ClusterManifest> {
  const others: OtherObject[] = [];
  for (const [resource, { kind }] of Object.entries(RESOURCES)) {
    if (!isObjectKind(kind)) continue;
    for (const object of client.list(resource as Resource).items) others.push({ kind, object } as OtherObject);
  }
  return { nodes: client.list('nodes').items, pods: client.list('pods').items, others };
}

function isObjectKind(kind: string): kind is ObjectKind {
  return Object.hasOwn(KINDS, kind) && kind !== 'Node' && kind !== 'Pod' && kind !== 'PriorityClass';
}
