import type { KubernetesObject } from '../../api/meta.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import type { ObjectAnswer } from '../context/context.ts';
import type { ResourceStorage } from '../storage/resource-storage.ts';

/** The answer with a stored object, whose text is made once. */
export function storedAnswer(
  served: ServedResource,
  storage: ResourceStorage,
  stored: KubernetesObject,
  { status = 200, warnings = [] }: { readonly status?: number; readonly warnings?: readonly string[] } = {},
): ObjectAnswer {
  return {
    type: 'object',
    status,
    warnings,
    served,
    pieces: () => [storage.textOf(stored)],
    get object() {
      return storage.completed(stored);
    },
  };
}
