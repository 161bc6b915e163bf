import { type Check, isMissing, isObject, type Problem } from './check.ts';
import { containers, uniqueContainerNames } from './containers.ts';
import { objectMeta } from './metadata.ts';
import { dnsSubdomain, labelValue, qualifiedName } from './names.ts';
import { podLevelResources, resourceList } from './resources.ts';
import { nodeAffinity, podAffinity, topologySpreadConstraints } from './selectors.ts';
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
  string,
  unique,
} from './shapes.ts';
import { tolerations } from './taints.ts';

/** Empty means: on no node (yet). */
const nodeName: Check = (value, field, problems) => {
  if (value !== '') dnsSubdomain(value, field, problems);
};

const spec = object(
  {
    nodeName,
    schedulerName: string,
    hostNetwork: boolean,
    priority: integer(INT32_MIN, INT32_MAX),
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
    volumes: arrayOf(object({ name: string, image: object({ reference: string }) })),
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

const pod = object({
  apiVersion: oneOf('apiVersion', 'v1'),
  kind: oneOf('kind', 'Pod'),
  metadata: objectMeta,
  spec: required(spec),
  status: object({
    phase: oneOf('phase', 'Pending', 'Running', 'Succeeded', 'Failed', 'Unknown', ''),
    nominatedNodeName: nodeName,
    conditions: arrayOf(object({ type: required(string), status: required(string), reason: string })),
    containerStatuses,
    initContainerStatuses: containerStatuses,
  }),
});

/**
 * Everything that is wrong with the scheduling fields of a decoded Pod; empty when it can be used. Other fields are
 * not looked at. `path` stands before every field and may be ''. Rules: pkg/apis/core/validation/validation.go.
 */
export function validatePod(value: unknown, path = ''): Problem[] {
  if (isMissing(value)) return [{ field: path, reason: 'is required' }];
  const problems: Problem[] = [];
  pod(value, path, problems);
  return problems;
}
