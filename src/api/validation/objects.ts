import { getOrMake } from '../../lib/get-or-make.ts';
import { KINDS, type Kind } from '../kinds.ts';
import { SYSTEM_PRIORITY_CLASSES, SYSTEM_PRIORITY_PREFIX, USER_PRIORITY_MAX } from '../priority-class.ts';
import { type Check, isMissing, isObject, type ObjectCheck, type Problem, problemsOf, quote, show } from './check.ts';
import { labels, objectMeta, objectMetaNamed } from './metadata.ts';
import { dnsLabel, dnsSubdomain } from './names.ts';
import { validateNode } from './node.ts';
import { validatePod } from './pod.ts';
import { POD_GROUP_FIELDS } from './pod-group.ts';
import { isFilled } from './pod-template.ts';
import { RESOURCE_API_FIELDS } from './resource-claims.ts';
import { labelSelector } from './selectors.ts';
import {
  all,
  boolean,
  INT32_MAX,
  INT32_MIN,
  integer,
  mapOf,
  object,
  oneOf,
  present,
  required,
  timestamp,
} from './shapes.ts';
import {
  csiDriver,
  csiNode,
  csiStorageCapacity,
  persistentVolume,
  persistentVolumeClaim,
  storageClass,
  volumeAttachment,
} from './storage.ts';
import { replicaSetSpec, statefulSetSpec } from './workloads.ts';

/** Checks of objects that scheduling reads. */

const namespace: Check = object({ metadata: objectMetaNamed(dnsLabel) });

/** The check of a Service, which may have no selector. */
const service: Check = object({ metadata: objectMetaNamed(dnsLabel), spec: object({ selector: labels }) });

/** Requires a selector or a template, whose labels are the default selector. */
const hasSelectorOrTemplate: ObjectCheck = (value, field, problems) => {
  const { selector, template } = value;
  const metadata = isObject(template) ? template['metadata'] : undefined;
  const templateLabels = isObject(metadata) ? metadata['labels'] : undefined;
  if (isFilled(selector) || isFilled(templateLabels)) return;
  problems.push({ field: `${field}.selector`, reason: 'is required' });
};

const replicationController: Check = object({
  metadata: objectMeta,
  spec: required(
    object(
      {
        replicas: integer(0, INT32_MAX),
        selector: labels,
        template: object({ metadata: object({ labels }) }),
      },
      hasSelectorOrTemplate,
    ),
  ),
});

/** Checks a number of pods, or a percentage. */
const countOrPercent: Check = (value, field, problems) => {
  if (isMissing(value)) return;
  if (typeof value === 'number') integer(0, INT32_MAX)(value, field, problems);
  else if (typeof value !== 'string') {
    problems.push({ field, reason: `must be a number or a percentage, not ${show(value)}` });
  } else if (!/^\d{1,9}%$/.test(value) || Number.parseInt(value, 10) > 100) {
    problems.push({ field, reason: `bad percentage ${quote(value)} (expected 0% to 100%)` });
  }
};

const notBoth: ObjectCheck = (value, field, problems) => {
  if (isMissing(value['minAvailable']) || isMissing(value['maxUnavailable'])) return;
  problems.push({ field: `${field}.maxUnavailable`, reason: 'cannot be set together with minAvailable' });
};

/** A policy/v1 PodDisruptionBudget (pkg/apis/policy/validation/validation.go). */
const podDisruptionBudget: Check = object({
  metadata: objectMeta,
  spec: object({ selector: labelSelector, minAvailable: countOrPercent, maxUnavailable: countOrPercent }, notBoth),
  status: object({
    disruptionsAllowed: integer(INT32_MIN, INT32_MAX),
    disruptedPods: mapOf(dnsSubdomain, timestamp),
  }),
});

/** Names that begin with `system-` are reserved, and so are the values above the users' maximum. */
const reservedForSystem: ObjectCheck = (value, _field, problems) => {
  if (!isObject(value['metadata'])) return;
  const { name } = value['metadata'];
  const { value: priority, globalDefault } = value;
  // A value that is no 32-bit number is refused by another check.
  if (typeof name !== 'string' || typeof priority !== 'number' || priority > INT32_MAX) return;
  if (!name.startsWith(SYSTEM_PRIORITY_PREFIX)) {
    if (priority <= USER_PRIORITY_MAX) return;
    problems.push({ field: 'value', reason: `must be at most ${USER_PRIORITY_MAX}, not ${priority}` });
    return;
  }
  const known = SYSTEM_PRIORITY_CLASSES.get(name);
  if (known === undefined) {
    problems.push({ field: 'metadata.name', reason: `${quote(name)}: the prefix system- is kept for the system` });
  } else if (priority !== known.value) {
    problems.push({ field: 'value', reason: `must be ${known.value} for ${name}, not ${priority}` });
  } else if (globalDefault === true) {
    problems.push({ field: 'globalDefault', reason: `must be false for ${name}` });
  }
};

/** Upstream: pkg/apis/scheduling/validation/validation.go. */
const priorityClass: Check = object(
  {
    metadata: objectMeta,
    value: required(integer(INT32_MIN, INT32_MAX)),
    globalDefault: boolean,
    preemptionPolicy: oneOf('preemptionPolicy', 'PreemptLowerPriority', 'Never', ''),
  },
  reservedForSystem,
);

const CHECKS: { readonly [K in Exclude<Kind, 'Node' | 'Pod'>]: Check } = {
  Namespace: namespace,
  Service: service,
  ReplicationController: replicationController,
  ReplicaSet: object({ metadata: objectMeta, spec: required(replicaSetSpec) }),
  StatefulSet: object({ metadata: objectMeta, spec: required(statefulSetSpec) }),
  PersistentVolumeClaim: persistentVolumeClaim,
  PersistentVolume: persistentVolume,
  StorageClass: storageClass,
  CSINode: csiNode,
  CSIDriver: csiDriver,
  CSIStorageCapacity: csiStorageCapacity,
  VolumeAttachment: volumeAttachment,
  PodDisruptionBudget: podDisruptionBudget,
  ResourceClaim: object({ metadata: objectMeta, ...RESOURCE_API_FIELDS.ResourceClaim }),
  ResourceSlice: object({ metadata: objectMeta, ...RESOURCE_API_FIELDS.ResourceSlice }),
  DeviceClass: object({ metadata: objectMeta, ...RESOURCE_API_FIELDS.DeviceClass }),
  PodGroup: object({ metadata: objectMeta, ...POD_GROUP_FIELDS.PodGroup }),
  Workload: object({ metadata: objectMeta, ...POD_GROUP_FIELDS.Workload }),
  PriorityClass: priorityClass,
};

/**
 * The problems of the scheduling fields of a decoded object of this kind; empty when it can be used. Other fields are
 * not checked. `path` is put in front of every field and may be ''.
 */
export function validateObject(kind: Kind, value: unknown, path = ''): Problem[] {
  if (kind === 'Node') return validateNode(value, path);
  if (kind === 'Pod') return validatePod(value, path);
  return problemsOf(
    getOrMake(wholeChecks, kind, () => wholeCheck(kind)),
    value,
    path,
  );
}

/** The checks of whole objects, made when they are first used. */
const wholeChecks = new Map<Exclude<Kind, 'Node' | 'Pod'>, Check>();

function wholeCheck(kind: Exclude<Kind, 'Node' | 'Pod'>): Check {
  const typeMeta = object({ apiVersion: oneOf('apiVersion', KINDS[kind].apiVersion), kind: oneOf('kind', kind) });
  return present(all(typeMeta, CHECKS[kind]));
}
