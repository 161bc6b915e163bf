import { type Check, isMissing, isObject, type Problem } from './check.ts';
import { containers, uniqueContainerNames } from './containers.ts';
import { objectMeta } from './metadata.ts';
import { dnsLabel, dnsSubdomain, labelValue, qualifiedName } from './names.ts';
import { podAffinity } from './pod-affinity.ts';
import { podLevelResources, resourceList } from './resources.ts';
import { nodeAffinity } from './selectors.ts';
import {
  all,
  arrayOf,
  boolean,
  INT32_MAX,
  INT32_MIN,
  integer,
  mapOf,
  nonEmpty,
  object,
  oneOf,
  required,
  SAFE_MAX,
  string,
  timestamp,
  unique,
  unlessEmpty,
} from './shapes.ts';
import { tolerations } from './taints.ts';
import { topologySpreadConstraints } from './topology-spread.ts';
import { volumes } from './volumes.ts';

/** Checks a name that may be empty, for a pod on no node or of no class. */
const optionalName: Check = unlessEmpty(dnsSubdomain);

const hostname = unlessEmpty(dnsLabel);
const place = { nodeName: optionalName, hostname };

/** The check of the fields that distinguish pods of one template. */
export const podPlace = object(place);

const podNames = object({ hostname, volumes });

export const podSpec = object(
  {
    ...place,
    schedulerName: string,
    hostNetwork: boolean,
    subdomain: unlessEmpty(dnsLabel),
    restartPolicy: oneOf('restartPolicy', 'Always', 'OnFailure', 'Never', ''),
    terminationGracePeriodSeconds: integer(-SAFE_MAX, SAFE_MAX),
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
    schedulingGates: all(
      arrayOf(object({ name: required(qualifiedName) })),
      unique('scheduling gate', (gate) => (isObject(gate) && typeof gate['name'] === 'string' ? gate['name'] : null)),
    ),
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

const head = {
  apiVersion: oneOf('apiVersion', 'v1'),
  kind: oneOf('kind', 'Pod'),
  metadata: objectMeta,
};

/** The check of a pod's apiVersion and kind. */
export const podType = object({ apiVersion: head.apiVersion, kind: head.kind });

export const podStatus = object({
  phase: oneOf('phase', 'Pending', 'Running', 'Succeeded', 'Failed', 'Unknown', ''),
  startTime: timestamp,
  nominatedNodeName: optionalName,
  conditions: arrayOf(object({ type: required(string), status: required(string), reason: string })),
  containerStatuses,
  initContainerStatuses: containerStatuses,
});

const pod = object({ ...head, spec: required(podSpec), status: podStatus });
const podOfKnownSpec = object({ ...head, status: podStatus });

/**
 * The problems of the scheduling fields of a decoded Pod; empty when it can be used. Other fields are not checked.
 * `path` is put in front of every field and may be ''. Rules: pkg/apis/core/validation/validation.go.
 */
export function validatePod(value: unknown, path = ''): Problem[] {
  if (isMissing(value)) return [{ field: path, reason: 'is required' }];
  const problems: Problem[] = [];
  pod(value, path, problems);
  return problems;
}

/** What is wrong with the members of a spec that may name something of this pod's own: host name and volumes. */
export function validatePodNames(spec: unknown): Problem[] {
  const problems: Problem[] = [];
  podNames(spec, '', problems);
  return problems;
}

/** The problems of a Pod whose spec was checked before with an equal Pod. */
export function validatePodOfKnownSpec(value: unknown): Problem[] {
  const problems: Problem[] = [];
  podOfKnownSpec(value, '', problems);
  return problems;
}
