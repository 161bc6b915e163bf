import type { GroupFeatures } from '../../api/pod-group-admission.ts';
import { objectAt, objectsAt } from '../../kinds/defaults/members.ts';
import type { ApiObject, JsonObject } from '../../kinds/object/json.ts';

/** Where the specs of pods are in objects of a kind. */
const POD_SPECS: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  PodTemplate: ['template', 'spec'],
  'CronJob.batch': ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  ...Object.fromEntries(
    [
      ...['ReplicationController', 'Job.batch'],
      ...['Deployment.apps', 'DaemonSet.apps', 'ReplicaSet.apps', 'StatefulSet.apps'],
    ].map((kind) => [kind, ['spec', 'template', 'spec']]),
  ),
};

const ROLLING_UPDATE = ['spec', 'updateStrategy', 'rollingUpdate'];

/** The fields of groups, and of their templates, with the gates that they need. */
const GROUP_FIELDS: readonly (readonly [field: string, gate: keyof GroupFeatures])[] = [
  ['schedulingConstraints', 'TopologyAwareWorkloadScheduling'],
  ['resourceClaims', 'DRAWorkloadResourceClaims'],
  ['disruptionMode', 'WorkloadAwarePreemption'],
  ['priorityClassName', 'WorkloadAwarePreemption'],
  ['priority', 'WorkloadAwarePreemption'],
];

/**
 * Takes fields whose feature gate is off out of the next state of an object, unless the stored object has them already.
 * Upstream: dropDisabledFields in the strategies of pods, groups and workloads. `kind`: with its API group.
 */
export function dropDisabledFields(
  kind: string,
  object: ApiObject,
  old: ApiObject | undefined,
  features: GroupFeatures,
): void {
  const path = POD_SPECS[kind];
  if (path !== undefined) {
    if (!features.GenericWorkload) drop('schedulingGroup', at(object, path), at(old, path));
    if (kind === 'StatefulSet.apps') drop('maxUnavailable', at(object, ROLLING_UPDATE), at(old, ROLLING_UPDATE));
  } else if (kind === 'PodGroup.scheduling.k8s.io') {
    dropGroupFields(at(object, ['spec']), at(old, ['spec']), features);
    if (!features.DRAWorkloadResourceClaims && !isSet(at(old, ['spec'])?.['resourceClaims'])) {
      drop('resourceClaimStatuses', at(object, ['status']), undefined);
    }
  } else if (kind === 'Workload.scheduling.k8s.io') {
    const before = objectsAt(at(old, ['spec']) ?? {}, 'podGroupTemplates');
    for (const [i, template] of objectsAt(at(object, ['spec']) ?? {}, 'podGroupTemplates').entries()) {
      dropGroupFields(template, before[i], features);
    }
  }
}

function dropGroupFields(group: JsonObject | undefined, old: JsonObject | undefined, features: GroupFeatures): void {
  for (const [field, gate] of GROUP_FIELDS) if (!features[gate]) drop(field, group, old);
}

function drop(field: string, object: JsonObject | undefined, old: JsonObject | undefined): void {
  if (object !== undefined && object !== old && !isSet(old?.[field])) delete object[field];
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function at(object: ApiObject | undefined, path: readonly string[]): JsonObject | undefined {
  let found: JsonObject | undefined = object;
  for (const name of path) found = found === undefined ? undefined : objectAt(found, name);
  return found;
}
