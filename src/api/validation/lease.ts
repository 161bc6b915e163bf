import { isMissing, type Problem } from './check.ts';
import { objectMeta } from './metadata.ts';
import { INT32_MAX, integer, object, oneOf, string, timestamp } from './shapes.ts';

const lease = object({
  apiVersion: oneOf('apiVersion', 'coordination.k8s.io/v1'),
  kind: oneOf('kind', 'Lease'),
  metadata: objectMeta,
  spec: object({
    holderIdentity: string,
    leaseDurationSeconds: integer(1, INT32_MAX),
    acquireTime: timestamp,
    renewTime: timestamp,
    leaseTransitions: integer(0, INT32_MAX),
  }),
});

/** Everything that is wrong with a decoded Lease (pkg/apis/coordination/validation/validation.go). */
export function validateLease(value: unknown): Problem[] {
  if (isMissing(value)) return [{ field: '', reason: 'is required' }];
  const problems: Problem[] = [];
  lease(value, '', problems);
  return problems;
}
