import type { KubernetesObject } from '../../api/meta.ts';
import type { ApiResource } from '../../kinds/object/api-resource.ts';
import type { ApiObject } from '../../kinds/object/json.ts';
import { alreadyExists } from '../../kinds/object/refusals.ts';

/** The refusal of a new object whose name an existing one has. */
export function existsAlready(resource: ApiResource, existing: KubernetesObject | ApiObject, name: string): Error {
  const error = alreadyExists(resource, name);
  if (existing.metadata?.deletionTimestamp === undefined) return error;
  error.message = `object is being deleted: ${error.message}`;
  return error;
}
