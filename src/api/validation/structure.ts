/**
 * What scheduling cannot do without in objects that nobody has validated: every field that it reads is of the right
 * type, amounts can be read, and maps have no holes. What the values mean is not looked at: that is for validation.
 */
import { type Check, isMissing, isObject, member, type Problem, problemsOf, show } from './check.ts';
import { isPlainMetadata } from './plain-metadata.ts';
import { isPlainAmount, readableQuantity } from './resources.ts';
import { arrayOf, boolean, int64, object, present, string } from './shapes.ts';

/** A map in which every name has a value of one type. */
function fullMap(what: string, isFit: (entry: unknown) => boolean, item: Check): Check {
  return (value, field, problems) => {
    if (isMissing(value)) return;
    if (!isObject(value)) {
      problems.push({ field, reason: `must be a map, not ${show(value)}` });
      return;
    }
    for (const name of Object.keys(value)) {
      const entry = value[name];
      if (isMissing(entry)) problems.push({ field: member(field, name), reason: `must be ${what}, not nothing` });
      else if (!isFit(entry)) item(entry, member(field, name), problems);
    }
  };
}

const wholeNumber = int64;
const moment: Check = (value, field, problems) => {
  if (!(value instanceof Date)) string(value, field, problems);
};
const strings = arrayOf(string);
export const quantity: Check = readableQuantity;
export const quantities = fullMap('a quantity such as "100m" or "2Gi"', isPlainAmount, quantity);
export const texts = fullMap('a string', (entry) => typeof entry === 'string', string);

const metadata = object({
  name: present(string),
  namespace: string,
  uid: string,
  resourceVersion: string,
  labels: texts,
  annotations: texts,
  creationTimestamp: moment,
  deletionTimestamp: moment,
  ownerReferences: arrayOf(
    object({ apiVersion: string, kind: string, name: string, uid: string, controller: boolean }),
  ),
});

const presentMetadata = present(metadata);

/** `metadata`, by which the object is known. */
export const knownMetadata: Check = (value, field, problems) => {
  if (!isPlainMetadata(value)) presentMetadata(value, field, problems);
};

const requirement = object({ key: present(string), operator: present(string), values: strings });
const requirements = arrayOf(requirement);

export const labelSelector = object({ matchLabels: texts, matchExpressions: requirements });

const nodeSelectorTerm = object({ matchExpressions: requirements, matchFields: requirements });
export const nodeSelector = object({ nodeSelectorTerms: arrayOf(nodeSelectorTerm) });

const nodeAffinity = object({
  requiredDuringSchedulingIgnoredDuringExecution: nodeSelector,
  preferredDuringSchedulingIgnoredDuringExecution: arrayOf(
    object({ weight: present(wholeNumber), preference: present(nodeSelectorTerm) }),
  ),
});

const podAffinityTerm = object({
  topologyKey: string,
  labelSelector,
  namespaces: strings,
  namespaceSelector: labelSelector,
  matchLabelKeys: strings,
  mismatchLabelKeys: strings,
});

const podAffinity = object({
  requiredDuringSchedulingIgnoredDuringExecution: arrayOf(podAffinityTerm),
  preferredDuringSchedulingIgnoredDuringExecution: arrayOf(
    object({ weight: present(wholeNumber), podAffinityTerm: present(podAffinityTerm) }),
  ),
});

const resources = object({ requests: quantities, limits: quantities });

const containers = arrayOf(
  object({
    name: string,
    image: string,
    resources,
    restartPolicy: string,
    restartPolicyRules: arrayOf(object({ action: string })),
    ports: arrayOf(object({ hostPort: wholeNumber, containerPort: wholeNumber, hostIP: string, protocol: string })),
  }),
);

const disk = object({ pdName: string, volumeID: string, iqn: string, readOnly: boolean });

/** Sources that a pod and a persistent volume share. */
export const volumeSources = {
  gcePersistentDisk: disk,
  awsElasticBlockStore: disk,
  azureDisk: object({ diskName: string, diskURI: string }),
  azureFile: object({}),
  cinder: disk,
  portworxVolume: disk,
  vsphereVolume: object({}),
  iscsi: disk,
  rbd: object({ monitors: strings, pool: string, image: string, readOnly: boolean }),
  csi: object({ driver: string, volumeHandle: string }),
};

const volumes = arrayOf(
  object({
    ...volumeSources,
    name: string,
    image: object({ reference: string }),
    persistentVolumeClaim: object({ claimName: string }),
    ephemeral: object({}),
  }),
);

const podSpec = object({
  nodeName: string,
  schedulerName: string,
  hostNetwork: boolean,
  hostUsers: boolean,
  priority: wholeNumber,
  preemptionPolicy: string,
  containers,
  initContainers: containers,
  overhead: quantities,
  resources,
  nodeSelector: texts,
  affinity: object({ nodeAffinity, podAffinity, podAntiAffinity: podAffinity }),
  tolerations: arrayOf(object({ key: string, operator: string, value: string, effect: string })),
  topologySpreadConstraints: arrayOf(
    object({
      maxSkew: present(wholeNumber),
      topologyKey: present(string),
      whenUnsatisfiable: present(string),
      labelSelector,
      minDomains: wholeNumber,
      nodeAffinityPolicy: string,
      nodeTaintsPolicy: string,
      matchLabelKeys: strings,
    }),
  ),
  schedulingGates: arrayOf(object({ name: present(string) })),
  volumes,
  resourceClaims: arrayOf(object({ name: string, resourceClaimName: string, resourceClaimTemplateName: string })),
  schedulingGroup: object({ podGroupName: string }),
});

const containerStatuses = arrayOf(object({ name: string, resources, allocatedResources: quantities }));

const podStatus = object({
  phase: string,
  startTime: moment,
  nominatedNodeName: string,
  conditions: arrayOf(object({ type: string, status: string, reason: string })),
  resources,
  allocatedResources: quantities,
  containerStatuses,
  initContainerStatuses: containerStatuses,
  resourceClaimStatuses: arrayOf(object({ name: string, resourceClaimName: string })),
});

const pod = present(object({ metadata: knownMetadata, spec: podSpec, status: podStatus }));
const podOfKnownSpec = present(object({ metadata: knownMetadata, status: podStatus }));

const node = present(
  object({
    metadata: knownMetadata,
    spec: object({
      unschedulable: boolean,
      taints: arrayOf(object({ key: string, value: string, effect: string, timeAdded: moment })),
    }),
    status: object({
      allocatable: quantities,
      images: arrayOf(object({ names: strings, sizeBytes: wholeNumber })),
      declaredFeatures: strings,
    }),
  }),
);

export function nodeStructure(value: unknown): Problem[] {
  return problemsOf(node, value);
}

export function podStructure(value: unknown): Problem[] {
  return problemsOf(pod, value);
}

/** Without the spec, which has been looked at. */
export function podStructureOfKnownSpec(value: unknown): Problem[] {
  return problemsOf(podOfKnownSpec, value);
}

/** The problems of the volumes of a pod's spec. */
export function volumesStructure(value: unknown): Problem[] {
  return problemsOf(volumes, value);
}
