import type { KubernetesObject } from '../api/meta.ts';

/** The same object under another resourceVersion. */
export function withVersion<T extends KubernetesObject>(object: T, resourceVersion: string): T {
  return Object.freeze({ ...object, metadata: Object.freeze({ ...object.metadata, resourceVersion }) });
}
