import { isIpAddress } from '../../lib/ip-address.ts';
import { jsonFormOf } from '../../lib/json-form.ts';
import { isObject, problemsOf, type UnknownObject } from './check.ts';
import { areAmounts } from './plain-amounts.ts';
import { isPlainMetadata } from './plain-metadata.ts';
import { arePlainConstraints, arePlainGates, arePlainTolerations, isPlainAffinity } from './plain-placement.ts';
import {
  areLabels,
  isFilled,
  isFlagOrNone,
  isListOfObjects,
  isOneOrNone,
  isPlainName,
  isPlainNameOrNone,
  isTextOrNone,
  isWhole,
} from './plain-values.ts';
import { podLevelResources, resourceRequirements } from './resources.ts';
import { INT32_MAX, INT32_MIN, isTimestampText, SAFE_MAX } from './shapes.ts';
import { volumesStructure } from './structure.ts';
import { volumes } from './volumes.ts';

const PORT_MAX = 65535;
const PROTOCOLS = ['TCP', 'UDP', 'SCTP', ''] as const;
const RESTART_POLICIES = ['Always', 'OnFailure', 'Never', ''] as const;
const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never', ''] as const;
const PHASES = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown', ''] as const;

/**
 * Whether the pod is valid at a glance: it passes all checks of pods, thorough or not, and holds no null. Pods that are
 * not are left to the checks, which may accept them.
 */
export function isPlainPod(pod: unknown): boolean {
  return isObject(pod) && isPlainBesideSpec(pod) && isPlainSpec(pod['spec']) && jsonFormOf(pod) === 'plain';
}

/** Whether all but the spec is valid at a glance; a null may be where none of the checks looks. */
export function isPlainBesideSpec({ apiVersion, kind, metadata, status }: UnknownObject): boolean {
  return (
    (apiVersion === undefined || apiVersion === 'v1') &&
    (kind === undefined || kind === 'Pod') &&
    isPlainMetadata(metadata) &&
    (status === undefined || isPlainStatus(status))
  );
}

/** What a status says of resources of the pod as a whole, and of claims, is left to the checks. */
function isPlainStatus(status: unknown): boolean {
  if (!isObject(status)) return false;
  const { phase, startTime, nominatedNodeName, conditions, containerStatuses, initContainerStatuses } = status;
  return (
    isOneOrNone(phase, PHASES) &&
    (startTime === undefined || (typeof startTime === 'string' && isTimestampText(startTime))) &&
    isPlainNameOrNone(nominatedNodeName) &&
    (conditions === undefined || isListOfObjects(conditions, isPlainCondition)) &&
    (containerStatuses === undefined || isListOfObjects(containerStatuses, isPlainContainerStatus)) &&
    (initContainerStatuses === undefined || isListOfObjects(initContainerStatuses, isPlainContainerStatus)) &&
    status['resources'] === undefined &&
    status['allocatedResources'] === undefined &&
    status['resourceClaimStatuses'] === undefined
  );
}

function isPlainCondition({ type, status, reason }: UnknownObject): boolean {
  return isFilled(type) && isFilled(status) && isTextOrNone(reason);
}

function isPlainContainerStatus({ name, resources, allocatedResources }: UnknownObject): boolean {
  return (
    isFilled(name) &&
    (allocatedResources === undefined || areAmounts(allocatedResources)) &&
    (resources === undefined || arePlainLists(resources))
  );
}

/** Whether both lists have valid amounts. Those of a running container may be above its limits. */
function arePlainLists(resources: unknown): boolean {
  if (!isObject(resources)) return false;
  const { requests, limits } = resources;
  return (requests === undefined || areAmounts(requests)) && (limits === undefined || areAmounts(limits));
}

/**
 * The checks of the members of a spec. Those that are there are enumerated: to look for each of these names in specs of
 * hundreds of hidden classes would take several times as long.
 */
const SPEC_CHECKS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['nodeName', isPlainNameOrNone],
  ['hostname', isPlainNameOrNone],
  ['subdomain', isPlainNameOrNone],
  ['priorityClassName', isPlainNameOrNone],
  ['schedulerName', isTextOrNone],
  ['hostNetwork', isFlagOrNone],
  ['hostUsers', isFlagOrNone],
  ['restartPolicy', (value) => isOneOrNone(value, RESTART_POLICIES)],
  ['preemptionPolicy', (value) => isOneOrNone(value, PREEMPTION_POLICIES)],
  ['priority', (value) => isWhole(value, INT32_MIN, INT32_MAX)],
  ['terminationGracePeriodSeconds', (value) => isWhole(value, -SAFE_MAX, SAFE_MAX)],
  ['activeDeadlineSeconds', (value) => isWhole(value, 1, INT32_MAX)],
  ['overhead', areAmounts],
  ['resources', isPlainPodLevel],
  ['schedulingGroup', (value) => isObject(value) && isTextOrNone(value['podGroupName'])],
  ['containers', arePlainContainers],
  ['initContainers', arePlainContainers],
  ['nodeSelector', areLabels],
  ['affinity', isPlainAffinity],
  ['tolerations', arePlainTolerations],
  ['topologySpreadConstraints', arePlainConstraints],
  ['schedulingGates', arePlainGates],
  ['volumes', arePlainVolumes],
  ['resourceClaims', (value) => isListOfObjects(value, isPlainClaim)],
]);

function isPlainSpec(spec: unknown): boolean {
  // Members that a class defines for its objects are not enumerated.
  if (!isObject(spec) || !Object.hasOwn(spec, 'containers')) return false;
  for (const name in spec) {
    const value = spec[name];
    if (value !== undefined && SPEC_CHECKS.get(name)?.(value) === false) return false;
  }
  const { containers = NONE, initContainers = NONE } = spec as Record<string, readonly UnknownObject[] | undefined>;
  return containers.length > 0 && haveOwnNames(containers, initContainers);
}

const NONE: readonly UnknownObject[] = [];

function isPlainPodLevel(resources: unknown): boolean {
  return arePlainResources(resources) && problemsOf(podLevelResources, resources).length === 0;
}

function arePlainContainers(containers: unknown): boolean {
  return isListOfObjects(containers, isPlainContainer);
}

function isPlainContainer(container: UnknownObject): boolean {
  const { name, image, ports, resources, restartPolicyRules: rules } = container;
  return (
    isPlainName(name) &&
    isTextOrNone(image) &&
    (ports === undefined || isListOfObjects(ports, isPlainPort)) &&
    (resources === undefined || arePlainResources(resources)) &&
    isOneOrNone(container['restartPolicy'], RESTART_POLICIES) &&
    (rules === undefined || isListOfObjects(rules, ({ action }) => isFilled(action)))
  );
}

function isPlainPort({ containerPort, hostPort, hostIP, protocol }: UnknownObject): boolean {
  return (
    (containerPort === undefined || isWhole(containerPort, 1, PORT_MAX)) &&
    (hostPort === undefined || isWhole(hostPort, 0, PORT_MAX)) &&
    (hostIP === undefined || hostIP === '' || (typeof hostIP === 'string' && isIpAddress(hostIP))) &&
    isOneOrNone(protocol, PROTOCOLS)
  );
}

function arePlainResources(resources: unknown): boolean {
  if (!isObject(resources)) return false;
  const { requests, limits } = resources;
  if (requests !== undefined && !areAmounts(requests)) return false;
  if (limits === undefined) return true;
  return areAmounts(limits) && (requests === undefined || problemsOf(resourceRequirements, resources).length === 0);
}

/** Whether no two containers have one name. Pods have few of them. */
function haveOwnNames(containers: readonly UnknownObject[], initContainers: readonly UnknownObject[]): boolean {
  for (let i = 0; i < containers.length; i++) {
    const name = containers[i]?.['name'];
    if (isNamedBefore(name, containers, i) || isNamedBefore(name, initContainers, initContainers.length)) return false;
  }
  for (let i = 1; i < initContainers.length; i++) {
    if (isNamedBefore(initContainers[i]?.['name'], initContainers, i)) return false;
  }
  return true;
}

/** Whether one of the first items has the name. */
function isNamedBefore(name: unknown, items: readonly UnknownObject[], end: number): boolean {
  for (let i = 0; i < end; i++) if (items[i]?.['name'] === name) return true;
  return false;
}

function arePlainVolumes(list: unknown): boolean {
  if (isListOfObjects(list, isPlainVolume)) {
    const items = list as readonly UnknownObject[];
    return items.every(({ name }, i) => !isNamedBefore(name, items, i));
  }
  return problemsOf(volumes, list).length + volumesStructure(list).length === 0;
}

/** Whether the volume has a name, and perhaps a claim, but no other source that is checked. */
function isPlainVolume(volume: UnknownObject): boolean {
  const { name, persistentVolumeClaim: claim } = volume;
  return (
    isPlainName(name) &&
    (claim === undefined || (isObject(claim) && isPlainName(claim['claimName']))) &&
    volume['gcePersistentDisk'] === undefined &&
    volume['awsElasticBlockStore'] === undefined &&
    volume['azureDisk'] === undefined &&
    volume['azureFile'] === undefined &&
    volume['cinder'] === undefined &&
    volume['portworxVolume'] === undefined &&
    volume['vsphereVolume'] === undefined &&
    volume['iscsi'] === undefined &&
    volume['rbd'] === undefined &&
    volume['csi'] === undefined &&
    volume['image'] === undefined &&
    volume['ephemeral'] === undefined
  );
}

function isPlainClaim({ name, resourceClaimName, resourceClaimTemplateName }: UnknownObject): boolean {
  return isTextOrNone(name) && isTextOrNone(resourceClaimName) && isTextOrNone(resourceClaimTemplateName);
}
