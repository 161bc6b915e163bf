import type { Event } from '../event.ts';
import { KINDS, type Kind } from '../kinds.ts';
import type { ObjectReference } from '../meta.ts';
import { isObject, type ObjectCheck, type Problem, problemsOf, quote } from './check.ts';
import { checkChangedMetadata, objectMeta } from './metadata.ts';
import { INT32_MAX, integer, object, oneOf, present, required, string, timestamp } from './shapes.ts';

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
const besideItsObject: ObjectCheck = (value, field, problems) => {
  const { metadata, involvedObject } = value;
  if (!isObject(metadata) || !isObject(involvedObject)) return;
  const namespace = metadata['namespace'] || DEFAULT_NAMESPACE;
  const { kind } = involvedObject;
  const isClusterWide = typeof kind === 'string' && Object.hasOwn(KINDS, kind) && !KINDS[kind as Kind].isNamespaced;
  const wanted = isClusterWide ? DEFAULT_NAMESPACE : involvedObject['namespace'] || DEFAULT_NAMESPACE;
  if (namespace === wanted) return;
  const path = field === '' ? 'involvedObject.namespace' : `${field}.involvedObject.namespace`;
  problems.push({ field: path, reason: `does not match event.namespace ${quote(String(namespace))}` });
};

const event = present(
  object(
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
  ),
);

/** Everything that is wrong with a decoded v1 Event (pkg/apis/core/validation/events.go). */
export function validateEvent(value: unknown): Problem[] {
  return problemsOf(event, value);
}

/**
 * Whether the event obviously is valid, given that the other one is: events of one recorder differ in few members. What
 * is not obvious is left to the checks.
 */
export function isChangedEventValid(value: Event, known: Event): boolean {
  const { metadata, involvedObject: about, count } = value;
  const { metadata: knownMetadata, involvedObject: knownAbout } = known;
  if (value.apiVersion !== known.apiVersion || value.kind !== known.kind || metadata === undefined) return false;
  if (!hasOnlyTexts(about) || knownAbout === undefined) return false;
  // Whether the namespaces fit depends on these alone.
  if (about.kind !== knownAbout.kind || about.namespace !== knownAbout.namespace) return false;
  if (metadata.namespace !== knownMetadata?.namespace || value.source !== known.source) return false;
  if (!Number.isInteger(count) || (count as number) < 0 || (count as number) > INT32_MAX) return false;
  const { reason, message, type, action, reportingComponent, reportingInstance } = value;
  if (!isTextOrAbsent(reason) || !isTextOrAbsent(message) || !isTextOrAbsent(type)) return false;
  if (!isTextOrAbsent(action) || !isTextOrAbsent(reportingComponent) || !isTextOrAbsent(reportingInstance))
    return false;
  const problems: Problem[] = [];
  timestamp(value.firstTimestamp, 'firstTimestamp', problems);
  if (value.lastTimestamp !== value.firstTimestamp) timestamp(value.lastTimestamp, 'lastTimestamp', problems);
  checkChangedMetadata(metadata, knownMetadata ?? {}, problems);
  return problems.length === 0;
}

function hasOnlyTexts(reference: ObjectReference): boolean {
  if (!isObject(reference)) return false;
  for (const key in reference) if (typeof reference[key] !== 'string') return false;
  return true;
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

const lease = present(
  object({
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
  }),
);

/** Everything that is wrong with a decoded Lease (pkg/apis/coordination/validation/validation.go). */
export function validateLease(value: unknown): Problem[] {
  return problemsOf(lease, value);
}
