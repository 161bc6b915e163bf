import type { OwnerReference } from '../../api/meta.ts';
import { RESOURCES, type Resource } from '../../store/objects/resources.ts';

const RESOURCE_BY_KIND = new Map(
  Object.entries(RESOURCES).map(([resource, { kind, apiVersion }]) => [
    kindKey(kind, apiVersion),
    resource as Resource,
  ]),
);

/** The resource of the owner; undefined for a kind that this API does not serve in that version. */
export function ownerResource({ kind, apiVersion = 'v1' }: OwnerReference): Resource | undefined {
  return RESOURCE_BY_KIND.get(kindKey(kind, apiVersion));
}

function kindKey(kind: string, apiVersion: string): string {
  return `${apiVersion}/${kind}`;
}
