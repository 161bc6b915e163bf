import { isIpAddress } from '../../lib/ip-address.ts';
import type { PodStatus } from '../pod.ts';
import {
  type Check,
  isMissing,
  isObject,
  type ObjectCheck,
  type Problem,
  problemsOf,
  quote,
  type UnknownObject,
} from './check.ts';
import { objectMeta } from './metadata.ts';
import { dnsLabel, dnsSubdomain, labelValue, qualifiedName } from './names.ts';
import { podAffinity, tolerations, topologySpreadConstraints } from './placement.ts';
import { podLevelResources, resourceList, resourceRequirements } from './resources.ts';
import { nodeAffinity } from './selectors.ts';
import {
  all,
  arrayOf,
  boolean,
  INT32_MAX,
  INT32_MIN,
  int64,
  integer,
  mapOf,
  nonEmpty,
  object,
  oneOf,
  present,
  required,
  string,
  timestamp,
  uniqueBy,
  unlessEmpty,
} from './shapes.ts';
import { volumes } from './volumes.ts';

const PORT_MAX = 65535;

const ipAddress: Check = (value, field, problems) => {
  if (isMissing(value) || value === '') return;
  if (typeof value !== 'string') string(value, field, problems);
  else if (!isIpAddress(value)) problems.push({ field, reason: `bad IP address ${quote(value)}` });
};

const port = object({
  containerPort: integer(1, PORT_MAX),
  hostPort: integer(0, PORT_MAX),
  hostIP: ipAddress,
  protocol: oneOf('protocol', 'TCP', 'UDP', 'SCTP', ''),
});

const container = object({
  name: dnsLabel,
  image: string,
  ports: arrayOf(port),
  resources: resourceRequirements,
  restartPolicy: oneOf('restartPolicy', 'Always', 'OnFailure', 'Never', ''),
  restartPolicyRules: arrayOf(object({ action: required(string) })),
});

const containers: Check = arrayOf(container);

/** Names are unique over both kinds of containers. */
const uniqueContainerNames: ObjectCheck = (value, field, problems) => {
  const seen = new Set<string>();
  for (const list of ['initContainers', 'containers']) {
    const items = value[list];
    if (!Array.isArray(items)) continue;
    for (let i = 0; i < items.length; i++) {
      const name: unknown = isObject(items[i]) ? items[i].name : undefined;
      if (typeof name !== 'string') continue;
      if (seen.has(name)) {
        problems.push({ field: `${field}.${list}[${i}].name`, reason: `duplicate container name ${quote(name)}` });
      }
      seen.add(name);
    }
  }
};

/** Checks a name that may be empty, for a pod on no node or of no class. */
const optionalName: Check = unlessEmpty(dnsSubdomain);

const hostname = unlessEmpty(dnsLabel);
const place = { nodeName: optionalName, hostname };

/** The check of the fields that distinguish pods of one template. */
export const podOwnMembers = object({ ...place, volumes });

const podNames = object({ hostname, volumes });

export const podSpec = object(
  {
    ...place,
    schedulerName: string,
    hostNetwork: boolean,
    hostUsers: boolean,
    subdomain: unlessEmpty(dnsLabel),
    restartPolicy: oneOf('restartPolicy', 'Always', 'OnFailure', 'Never', ''),
    terminationGracePeriodSeconds: int64,
    activeDeadlineSeconds: integer(1, INT32_MAX),
    priority: integer(INT32_MIN, INT32_MAX),
    priorityClassName: optionalName,
    preemptionPolicy: oneOf('preemptionPolicy', 'PreemptLowerPriority', 'Never', ''),
    containers: nonEmpty(containers),
    initContainers: containers,
    overhead: resourceList,
    resources: podLevelResources,
    nodeSelector: mapOf(qualifiedName, labelValue),
    affinity: object({ nodeAffinity, podAffinity, podAntiAffinity: podAffinity }),
    tolerations,
    topologySpreadConstraints,
    schedulingGates: all(arrayOf(object({ name: required(qualifiedName) })), uniqueBy('name', 'scheduling gate')),
    volumes,
  },
  uniqueContainerNames,
);

const containerStatuses = arrayOf(
  object({
    name: required(string),
    resources: object({ requests: resourceList, limits: resourceList }),
    allocatedResources: resourceList,
  }),
);

const type = { apiVersion: oneOf('apiVersion', 'v1'), kind: oneOf('kind', 'Pod') };
const head = { ...type, metadata: objectMeta };

/** The check of a pod's apiVersion and kind. */
export const podType = object(type);

const PHASES = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'];

export const podStatus = object({
  phase: oneOf('phase', ...PHASES, ''),
  startTime: timestamp,
  nominatedNodeName: optionalName,
  conditions: arrayOf(object({ type: required(string), status: required(string), reason: string })),
  containerStatuses,
  initContainerStatuses: containerStatuses,
});

const nomination = object({ nominatedNodeName: optionalName });

/** Checks the parts of a status that are not the very parts of `known`, a valid one. */
export function checkChangedStatus(status: PodStatus, known: PodStatus, problems: Problem[]): void {
  if (isChangedWell(status, known)) return;
  if (
    status.phase !== known.phase ||
    status.startTime !== known.startTime ||
    status.conditions !== known.conditions ||
    status.containerStatuses !== known.containerStatuses ||
    status.initContainerStatuses !== known.initContainerStatuses
  ) {
    podStatus(status, 'status', problems);
  } else if (status.nominatedNodeName !== known.nominatedNodeName) nomination(status, 'status', problems);
}

/** Whether the parts that differ are obviously valid, as those that node agents report; else they are to be checked. */
function isChangedWell(status: PodStatus, known: PodStatus): boolean {
  return (
    (status.phase === known.phase || PHASES.includes(status.phase ?? '')) &&
    (status.startTime === known.startTime || problemsOf(timestamp, status.startTime).length === 0) &&
    status.nominatedNodeName === known.nominatedNodeName &&
    (status.conditions === known.conditions || areWell(status.conditions, known.conditions, isWellCondition)) &&
    (status.containerStatuses === known.containerStatuses ||
      areWell(status.containerStatuses, known.containerStatuses, isWellContainer)) &&
    (status.initContainerStatuses === known.initContainerStatuses ||
      areWell(status.initContainerStatuses, known.initContainerStatuses, isWellContainer))
  );
}

/** Whether all items that the known list has not at their places are well; a missing list is left to the checks. */
function areWell(
  list: unknown,
  known: readonly unknown[] | undefined,
  isWell: (item: UnknownObject) => boolean,
): boolean {
  if (!Array.isArray(list)) return false;
  for (let i = 0; i < list.length; i++) {
    const item: unknown = list[i];
    if (item !== known?.[i] && !(isObject(item) && isWell(item))) return false;
  }
  return true;
}

function isWellCondition({ type, status, reason }: UnknownObject): boolean {
  return isText(type) && isText(status) && (reason === undefined || typeof reason === 'string');
}

function isWellContainer({ name, resources, allocatedResources }: UnknownObject): boolean {
  return isText(name) && resources === undefined && allocatedResources === undefined;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

const pod = present(object({ ...head, spec: required(podSpec), status: podStatus }));
const podOfKnownSpec = object({ ...head, status: podStatus });

/**
 * The problems of the scheduling fields of a decoded Pod; empty when it can be used. Other fields are not checked.
 * `path` is put in front of every field and may be ''. Rules: pkg/apis/core/validation/validation.go.
 */
export function validatePod(value: unknown, path = ''): Problem[] {
  return problemsOf(pod, value, path);
}

/** Whether `spec.nodeName` may have this value. */
export function isNodeName(value: unknown): boolean {
  return problemsOf(optionalName, value).length === 0;
}

/** What is wrong with the members of a spec that may name something of this pod's own: host name and volumes. */
export function validatePodNames(spec: unknown): Problem[] {
  return problemsOf(podNames, spec);
}

/** The problems of a Pod whose spec was checked before with an equal Pod. */
export function validatePodOfKnownSpec(value: unknown): Problem[] {
  return problemsOf(podOfKnownSpec, value);
}
