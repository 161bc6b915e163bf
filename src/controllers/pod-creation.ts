import type { KubernetesObject, OwnerReference } from '../api/meta.ts';
import { hasCause } from '../store/objects/api-error.ts';

/** The result of creating several pods. Creations in a namespace that is being deleted count as neither. */
export interface BatchOutcome {
  readonly created: number;
  /** The number of creations that were refused. */
  readonly failed: number;
  /** The number of creations that were not tried, because others were refused. */
  readonly skipped: number;
  /** The first error, if there was one. */
  readonly error: unknown;
}

/**
 * Calls `create` for the positions below `count`, in batches of 1, 2, 4, ...: if one creation is refused, all would be,
 * so the first batch with an error is the last. Upstream: slowStartBatch in pkg/controller/controller_utils.go.
 */
export function slowStartBatch(count: number, create: (position: number) => void): BatchOutcome {
  let [tried, created, failed] = [0, 0, 0];
  let error: unknown;
  for (let batchSize = 1; tried < count && failed === 0; batchSize *= 2) {
    for (const end = Math.min(tried + batchSize, count); tried < end; tried++) {
      try {
        create(tried);
        created++;
      } catch (caught) {
        if (isNamespaceTerminating(caught)) continue;
        failed++;
        error ??= caught;
      }
    }
  }
  return { created, failed, skipped: count - tried, error };
}

/** Whether the namespace is being deleted. It takes everything in it along, so there is nothing to stop or to retry. */
export function isNamespaceTerminating(error: unknown): boolean {
  return hasCause(error, 'NamespaceTerminating');
}

/** The longest prefix of a pod's generated name. The API server adds five characters, up to a limit of 63. */
export const GENERATE_NAME_MAX = 58;

/** The reference by which a pod is controlled by this object. */
export function controllerReference(apiVersion: string, kind: string, { metadata }: KubernetesObject): OwnerReference {
  const { name = '', uid = '' } = metadata ?? {};
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
