import type { KubernetesObject, ObjectMeta } from '../../api/meta.ts';
import { RESOURCES, type Resource } from '../objects/resources.ts';

/** The object with this metadata, and with the kind of its resource if it names none. */
export function identify<T extends KubernetesObject>(resource: Resource, object: T, metadata: ObjectMeta): T {
  const { apiVersion, kind } = object;
  if (apiVersion && kind) return { ...object, metadata };
  const traits = RESOURCES[resource];
  const head = { apiVersion: apiVersion || traits.apiVersion, kind: kind || traits.kind, metadata };
  return { ...head, ...object, ...head };
}

/** The object with the status of the other. */
export function withStatus<T extends KubernetesObject>(object: T, from: T): T {
  return { ...object, status: (from as { readonly status?: unknown }).status };
}
