import type { KubernetesObject } from '../../api/meta.ts';

/**
 * The object as a cache keeps it: without the notes on who wrote which field, which nobody here reads and which may be
 * as large as the rest. The object must be the caller's own.
 */
export function trimmed<T extends KubernetesObject>(object: T): T {
  const metadata = object.metadata as { managedFields?: unknown } | undefined;
  if (metadata?.managedFields !== undefined) delete metadata.managedFields;
  return object;
}
