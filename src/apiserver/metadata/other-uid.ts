import type { ApiResource } from '../../kinds/object/api-resource.ts';
import { conflict } from '../../kinds/object/refusals.ts';

/** The places of resources in etcd that are not named like them (SpecialDefaultResourcePrefixes). */
const PLACES: Readonly<Record<string, string>> = {
  replicationcontrollers: 'controllers',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  services: 'services/specs',
  'ingresses.networking.k8s.io': 'ingress',
};

/** Resources outside the API server proper have their group in their place. */
const WITH_GROUP = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];

type Stored = Pick<ApiResource, 'group' | 'resource'> & Partial<Pick<ApiResource, 'isCustom'>>;

interface Identity {
  /** `''` outside namespaces. */
  readonly namespace: string;
  readonly name: string;
  /** The uid that the write is for. */
  readonly uid: string;
  /** The uid of what is stored; absent where nothing is. */
  readonly found: string | undefined;
}

/** The conflict of a write to an object of another uid, which names the object's key in etcd. */
export function otherUid(resource: Stored, { namespace, name, uid, found = '' }: Identity): Error {
  const isGrouped = (resource.isCustom ?? false) || WITH_GROUP.includes(resource.group);
  const ofGroup = resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`;
  const place = isGrouped ? `${resource.group}/${resource.resource}` : (PLACES[ofGroup] ?? resource.resource);
  const key = ['/registry', place, ...(namespace === '' ? [] : [namespace]), name].join('/');
  const storage = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0`;
  const both = `UID in precondition: ${uid}, UID in object meta: ${found}`;
  return conflict(resource, name, `${storage}, AdditionalErrorMsg: Precondition failed: ${both}`);
}
