import { type Problem, problemsOf } from './check.ts';
import { objectMeta } from './metadata.ts';
import { taints } from './placement.ts';
import { resourceList } from './resources.ts';
import { arrayOf, boolean, integer, object, oneOf, present, required, SAFE_MAX, string } from './shapes.ts';

const node = present(
  object({
    apiVersion: oneOf('apiVersion', 'v1'),
    kind: oneOf('kind', 'Node'),
    metadata: objectMeta,
    spec: object({ unschedulable: boolean, taints }),
    status: object({
      allocatable: resourceList,
      capacity: resourceList,
      images: arrayOf(object({ names: arrayOf(string), sizeBytes: integer(0, SAFE_MAX) })),
      declaredFeatures: arrayOf(required(string)),
    }),
  }),
);

/**
 * The problems of the scheduling fields of a decoded Node; empty when it can be used. Other fields are not checked.
 * `path` is put in front of every field and may be ''. Rules: pkg/apis/core/validation/validation.go.
 */
export function validateNode(value: unknown, path = ''): Problem[] {
  return problemsOf(node, value, path);
}
