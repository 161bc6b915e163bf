import { roundedToMilli } from '../../api/quantity-text.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import { pullPolicyOf } from './image-pull-policy.ts';
import { fill, fillText, objectAt, objectMadeAt, objectsAt, textAt } from './members.ts';
import { setVolumeDefaults } from './volumes.ts';

/** Defaults of pods and pod templates (pkg/apis/core/v1/defaults.go). */
export function setPodSpecDefaults(spec: JsonObject): void {
  fillText(spec, 'dnsPolicy', 'ClusterFirst');
  fillText(spec, 'restartPolicy', 'Always');
  fill(spec, 'securityContext', {});
  fill(spec, 'terminationGracePeriodSeconds', 30);
  fillText(spec, 'schedulerName', 'default-scheduler');
  mirrorServiceAccount(spec);
  roundResources(spec, 'overhead');
  const podResources = objectAt(spec, 'resources');
  if (podResources !== undefined) roundRequirements(podResources);
  for (const volume of objectsAt(spec, 'volumes')) setVolumeDefaults(volume);
  for (const name of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of objectsAt(spec, name)) {
      setContainerDefaults(container);
      if (spec['hostNetwork'] === true && name !== 'ephemeralContainers') mirrorHostPorts(container);
    }
  }
}

/** What only pods get, not the templates of workloads. */
export function setPodDefaults(pod: JsonObject): void {
  const spec = objectMadeAt(pod, 'spec');
  for (const name of ['initContainers', 'containers']) {
    for (const container of objectsAt(spec, name)) limitsBecomeRequests(objectAt(container, 'resources'));
  }
  setPodSpecDefaults(spec);
  if (Number(spec['terminationGracePeriodSeconds']) < 0) spec['terminationGracePeriodSeconds'] = 1;
  fill(spec, 'enableServiceLinks', true);
  setPodLevelRequests(spec);
  fillText(objectMadeAt(pod, 'status'), 'phase', 'Pending');
}

/** The old name of the field always has the same value. */
function mirrorServiceAccount(spec: JsonObject): void {
  const name = textAt(spec, 'serviceAccountName') || textAt(spec, 'serviceAccount');
  if (name === '') return;
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
}

function mirrorHostPorts(container: JsonObject): void {
  for (const port of objectsAt(container, 'ports')) {
    if (!port['hostPort'] && port['containerPort']) port['hostPort'] = port['containerPort'];
  }
}

function setContainerDefaults(container: JsonObject): void {
  fillText(container, 'imagePullPolicy', pullPolicyOf(textAt(container, 'image')));
  fillText(container, 'terminationMessagePath', '/dev/termination-log');
  fillText(container, 'terminationMessagePolicy', 'File');
  roundRequirements(objectMadeAt(container, 'resources'));
  for (const port of objectsAt(container, 'ports')) fillText(port, 'protocol', 'TCP');
  for (const variable of objectsAt(container, 'env')) {
    const field = objectAt(objectAt(variable, 'valueFrom'), 'fieldRef');
    if (field !== undefined) fillText(field, 'apiVersion', 'v1');
  }
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = objectAt(container, name);
    if (probe !== undefined) setProbeDefaults(probe);
  }
  for (const name of ['postStart', 'preStop']) {
    const get = objectAt(objectAt(objectAt(container, 'lifecycle'), name), 'httpGet');
    if (get !== undefined) setHttpGetDefaults(get);
  }
}

function setProbeDefaults(probe: JsonObject): void {
  for (const [name, value] of PROBE_DEFAULTS) if (!probe[name]) probe[name] = value;
  const get = objectAt(probe, 'httpGet');
  if (get !== undefined) setHttpGetDefaults(get);
  const grpc = objectAt(probe, 'grpc');
  if (grpc !== undefined) fill(grpc, 'service', '');
}

const PROBE_DEFAULTS: readonly (readonly [string, number])[] = [
  ['timeoutSeconds', 1],
  ['periodSeconds', 10],
  ['successThreshold', 1],
  ['failureThreshold', 3],
];

function setHttpGetDefaults(get: JsonObject): void {
  fillText(get, 'path', '/');
  fillText(get, 'scheme', 'HTTP');
}

function limitsBecomeRequests(resources: JsonObject | undefined): void {
  const limits = objectAt(resources, 'limits');
  if (resources === undefined || limits === undefined) return;
  const requests = objectMadeAt(resources, 'requests');
  for (const [name, amount] of Object.entries(limits)) fill(requests, name, amount as JsonValue);
}

function roundRequirements(resources: JsonObject): void {
  roundResources(resources, 'limits');
  roundResources(resources, 'requests');
}

/** Amounts are kept in thousandths at the finest. */
export function roundResources(object: JsonObject, name: string): void {
  const amounts = objectAt(object, name);
  if (amounts === undefined) return;
  for (const [resource, amount] of Object.entries(amounts)) {
    if (typeof amount === 'string' && /[nu]$/.test(amount)) amounts[resource] = roundedToMilli(amount);
  }
}

/** Limits of the pod as a whole become its requests where neither it nor a container asks for the resource. */
function setPodLevelRequests(spec: JsonObject): void {
  const resources = objectAt(spec, 'resources');
  const limits = objectAt(resources, 'limits');
  if (resources === undefined || limits === undefined) return;
  const requests = objectMadeAt(resources, 'requests');
  const containers = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
  for (const [name, amount] of Object.entries(limits)) {
    const isAsked = containers.some((each) => objectAt(objectAt(each, 'resources'), 'requests')?.[name] !== undefined);
    if (!isAsked) fill(requests, name, amount as JsonValue);
  }
}
