import { KINDS } from '../kinds.ts';
import { type Check, isMissing, isObject, type Problem, quote } from './check.ts';
import { objectMeta } from './metadata.ts';
import { INT32_MAX, integer, object, oneOf, required, string, timestamp } from './shapes.ts';

const reference = object({
  apiVersion: string,
  kind: string,
  namespace: string,
  name: string,
  uid: string,
  resourceVersion: string,
  fieldPath: string,
});

const DEFAULT_NAMESPACE = 'default';

/** Checks that an event is in its object's namespace, or in the default namespace for a cluster-wide object. */
const besideItsObject: Check = (value, field, problems) => {
  if (!isObject(value)) return;
  const { metadata, involvedObject } = value;
  if (!isObject(metadata) || !isObject(involvedObject)) return;
  const namespace = metadata['namespace'] || DEFAULT_NAMESPACE;
  const { kind } = involvedObject;
  const isClusterWide = typeof kind === 'string' && Object.hasOwn(KINDS, kind) && !isNamespaced(kind);
  const wanted = isClusterWide ? DEFAULT_NAMESPACE : involvedObject['namespace'] || DEFAULT_NAMESPACE;
  if (namespace === wanted) return;
  const path = field === '' ? 'involvedObject.namespace' : `${field}.involvedObject.namespace`;
  problems.push({ field: path, reason: `does not match event.namespace ${quote(String(namespace))}` });
};

function isNamespaced(kind: string): boolean {
  return KINDS[kind as keyof typeof KINDS].isNamespaced;
}

const event = object(
  {
    apiVersion: oneOf('apiVersion', 'v1'),
    kind: oneOf('kind', 'Event'),
    metadata: objectMeta,
    involvedObject: required(reference),
    reason: string,
    message: string,
    type: string,
    source: object({ component: string, host: string }),
    firstTimestamp: timestamp,
    lastTimestamp: timestamp,
    count: integer(0, INT32_MAX),
    action: string,
    reportingComponent: string,
    reportingInstance: string,
  },
  besideItsObject,
);

/** Everything that is wrong with a decoded v1 Event (pkg/apis/core/validation/events.go). */
export function validateEvent(value: unknown): Problem[] {
  if (isMissing(value)) return [{ field: '', reason: 'is required' }];
  const problems: Problem[] = [];
  event(value, '', problems);
  return problems;
}
