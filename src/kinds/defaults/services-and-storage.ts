import type { JsonObject, JsonValue } from '../object/json.ts';
import { fill, fillText, objectAt, objectMadeAt, objectsAt, textAt } from './members.ts';
import { roundResources } from './pod-spec.ts';
import { setVolumeSourceDefaults } from './volumes.ts';

/** Defaults of services, nodes, volumes and policies of the core group and of storage. */

const AFFINITY_SECONDS = 10_800;

export function setServiceDefaults(service: JsonObject): void {
  const spec = objectMadeAt(service, 'spec');
  fillText(spec, 'sessionAffinity', 'None');
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
  if (spec['sessionAffinity'] === 'ClientIP') {
    const config = objectAt(objectAt(spec, 'sessionAffinityConfig'), 'clientIP');
    if (config?.['timeoutSeconds'] === undefined) {
      spec['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: AFFINITY_SECONDS } };
    }
  }
  fillText(spec, 'type', 'ClusterIP');
  for (const port of objectsAt(spec, 'ports')) {
    fillText(port, 'protocol', 'TCP');
    if (!port['targetPort']) port['targetPort'] = port['port'] ?? 0;
  }
  const type = textAt(spec, 'type');
  const isExposed = type === 'NodePort' || type === 'LoadBalancer';
  const hasExternalIps = Array.isArray(spec['externalIPs']) && spec['externalIPs'].length > 0;
  if (isExposed || (type === 'ClusterIP' && hasExternalIps)) fillText(spec, 'externalTrafficPolicy', 'Cluster');
  if (isExposed || type === 'ClusterIP') fill(spec, 'internalTrafficPolicy', 'Cluster');
  if (type === 'LoadBalancer') fill(spec, 'allocateLoadBalancerNodePorts', true);
}

/** Texts given as they are become data. */
export function setSecretDefaults(secret: JsonObject): void {
  fillText(secret, 'type', 'Opaque');
  const texts = objectAt(secret, 'stringData');
  if (texts === undefined) return;
  const data = objectMadeAt(secret, 'data');
  for (const [name, text] of Object.entries(texts)) data[name] = Buffer.from(String(text)).toString('base64');
  delete secret['stringData'];
}

export function setNamespaceDefaults(namespace: JsonObject): void {
  const metadata = objectMadeAt(namespace, 'metadata');
  const name = textAt(metadata, 'name');
  if (name !== '') objectMadeAt(metadata, 'labels')['kubernetes.io/metadata.name'] = name;
  objectMadeAt(namespace, 'spec');
  fillText(objectMadeAt(namespace, 'status'), 'phase', 'Active');
}

export function setNodeDefaults(node: JsonObject): void {
  const spec = objectMadeAt(node, 'spec');
  const range = textAt(spec, 'podCIDR');
  const ranges = Array.isArray(spec['podCIDRs']) ? spec['podCIDRs'] : [];
  if (range !== '' && ranges[0] !== range) spec['podCIDRs'] = [range];
  else if (range === '' && ranges.length > 0) spec['podCIDR'] = ranges[0] as JsonValue;
  delete spec['configSource'];
  const status = objectMadeAt(node, 'status');
  const capacity = objectAt(status, 'capacity');
  if (capacity !== undefined) fill(status, 'allocatable', { ...capacity });
  roundResources(status, 'capacity');
  roundResources(status, 'allocatable');
}

export function setPersistentVolumeDefaults(volume: JsonObject): void {
  const spec = objectMadeAt(volume, 'spec');
  fillText(spec, 'persistentVolumeReclaimPolicy', 'Retain');
  fill(spec, 'volumeMode', 'Filesystem');
  setVolumeSourceDefaults(spec);
  roundResources(spec, 'capacity');
  fillText(objectMadeAt(volume, 'status'), 'phase', 'Pending');
}

export function setEndpointsDefaults(endpoints: JsonObject): void {
  for (const subset of objectsAt(endpoints, 'subsets')) {
    for (const port of objectsAt(subset, 'ports')) fillText(port, 'protocol', 'TCP');
  }
}

export function setEndpointSliceDefaults(slice: JsonObject): void {
  for (const port of objectsAt(slice, 'ports')) {
    fill(port, 'name', '');
    fill(port, 'protocol', 'TCP');
  }
}

/** A limit range is defaulted itself: requests from defaults, and these from the maximum. */
export function setLimitRangeDefaults(range: JsonObject): void {
  for (const item of objectsAt(objectMadeAt(range, 'spec'), 'limits')) {
    if (item['type'] !== 'Container') continue;
    copyAbsent(item, 'max', 'default');
    copyAbsent(item, 'default', 'defaultRequest');
    copyAbsent(item, 'min', 'defaultRequest');
  }
}

function copyAbsent(object: JsonObject, from: string, to: string): void {
  const source = objectAt(object, from);
  if (source === undefined) return;
  const target = objectMadeAt(object, to);
  for (const [name, amount] of Object.entries(source)) fill(target, name, amount as JsonValue);
}

export function setStorageClassDefaults(storageClass: JsonObject): void {
  fill(storageClass, 'reclaimPolicy', 'Delete');
  fill(storageClass, 'volumeBindingMode', 'Immediate');
}

export function setCsiDriverDefaults(driver: JsonObject): void {
  const spec = objectMadeAt(driver, 'spec');
  fill(spec, 'attachRequired', true);
  fill(spec, 'podInfoOnMount', false);
  fill(spec, 'storageCapacity', false);
  fill(spec, 'fsGroupPolicy', 'ReadWriteOnceWithFSType');
  if (!Array.isArray(spec['volumeLifecycleModes']) || spec['volumeLifecycleModes'].length === 0) {
    spec['volumeLifecycleModes'] = ['Persistent'];
  }
  fill(spec, 'requiresRepublish', false);
  fill(spec, 'seLinuxMount', false);
}
