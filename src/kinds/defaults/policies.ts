import type { JsonObject } from '../object/json.ts';
import { fill, fillText, objectAt, objectMadeAt, objectsAt, textAt } from './members.ts';

/** Defaults of networking, access control, devices, webhooks and definitions of custom resources. */

const RBAC_GROUP = 'rbac.authorization.k8s.io';

export function setNetworkPolicyDefaults(policy: JsonObject): void {
  const spec = objectMadeAt(policy, 'spec');
  const egress = objectsAt(spec, 'egress');
  fill(spec, 'policyTypes', egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress']);
  for (const rule of [...objectsAt(spec, 'ingress'), ...egress]) {
    for (const port of objectsAt(rule, 'ports')) fill(port, 'protocol', 'TCP');
  }
}

export function setIngressClassDefaults(ingressClass: JsonObject): void {
  const parameters = objectAt(objectAt(ingressClass, 'spec'), 'parameters');
  if (parameters !== undefined) fill(parameters, 'scope', 'Cluster');
}

export function setBindingDefaults(binding: JsonObject): void {
  fillText(objectMadeAt(binding, 'roleRef'), 'apiGroup', RBAC_GROUP);
  for (const subject of objectsAt(binding, 'subjects')) {
    if (subject['kind'] === 'User' || subject['kind'] === 'Group') fillText(subject, 'apiGroup', RBAC_GROUP);
  }
}

export function setPriorityClassDefaults(priorityClass: JsonObject): void {
  fill(priorityClass, 'preemptionPolicy', 'PreemptLowerPriority');
}

export function setResourceClaimDefaults(claim: JsonObject): void {
  setDeviceClaimDefaults(objectAt(objectMadeAt(claim, 'spec'), 'devices'));
}

export function setResourceClaimTemplateDefaults(template: JsonObject): void {
  setDeviceClaimDefaults(objectAt(objectAt(objectMadeAt(template, 'spec'), 'spec'), 'devices'));
}

function setDeviceClaimDefaults(devices: JsonObject | undefined): void {
  for (const request of objectsAt(devices, 'requests')) {
    const exact = objectAt(request, 'exactly');
    for (const each of [...(exact === undefined ? [] : [exact]), ...objectsAt(request, 'firstAvailable')]) {
      fillText(each, 'allocationMode', 'ExactCount');
      if (each['allocationMode'] === 'ExactCount' && !each['count']) each['count'] = 1;
      for (const toleration of objectsAt(each, 'tolerations')) fillText(toleration, 'operator', 'Equal');
    }
  }
}

export function setWebhooksDefaults(configuration: JsonObject): void {
  for (const webhook of objectsAt(configuration, 'webhooks')) {
    fill(webhook, 'failurePolicy', 'Fail');
    fill(webhook, 'matchPolicy', 'Equivalent');
    fill(webhook, 'namespaceSelector', {});
    fill(webhook, 'objectSelector', {});
    fill(webhook, 'timeoutSeconds', 10);
    if (textAt(configuration, 'kind').startsWith('Mutating')) fill(webhook, 'reinvocationPolicy', 'Never');
    const service = objectAt(objectAt(webhook, 'clientConfig'), 'service');
    if (service !== undefined) fill(service, 'port', 443);
    for (const rule of objectsAt(webhook, 'rules')) fill(rule, 'scope', '*');
  }
}

export function setAdmissionPolicyDefaults(policy: JsonObject): void {
  const spec = objectMadeAt(policy, 'spec');
  fill(spec, 'failurePolicy', 'Fail');
  setMatchDefaults(objectAt(spec, 'matchConstraints'));
}

export function setAdmissionPolicyBindingDefaults(binding: JsonObject): void {
  setMatchDefaults(objectAt(objectAt(binding, 'spec'), 'matchResources'));
}

function setMatchDefaults(match: JsonObject | undefined): void {
  if (match === undefined) return;
  fill(match, 'matchPolicy', 'Equivalent');
  fill(match, 'namespaceSelector', {});
  fill(match, 'objectSelector', {});
  for (const rule of [...objectsAt(match, 'resourceRules'), ...objectsAt(match, 'excludeResourceRules')]) {
    fill(rule, 'scope', '*');
  }
}

export function setFlowSchemaDefaults(schema: JsonObject): void {
  const spec = objectMadeAt(schema, 'spec');
  if (!spec['matchingPrecedence']) spec['matchingPrecedence'] = 1000;
}

export function setPriorityLevelDefaults(level: JsonObject): void {
  const limited = objectAt(objectAt(level, 'spec'), 'limited');
  if (limited === undefined) return;
  fill(limited, 'nominalConcurrencyShares', 30);
  fill(limited, 'lendablePercent', 0);
  const queuing = objectAt(objectAt(limited, 'limitResponse'), 'queuing');
  if (queuing === undefined) return;
  if (!queuing['handSize']) queuing['handSize'] = 8;
  if (!queuing['queues']) queuing['queues'] = 64;
  if (!queuing['queueLengthLimit']) queuing['queueLengthLimit'] = 50;
}

export function setCustomResourceDefinitionDefaults(definition: JsonObject): void {
  const spec = objectMadeAt(definition, 'spec');
  const names = objectMadeAt(spec, 'names');
  const kind = textAt(names, 'kind');
  fillText(names, 'singular', kind.toLowerCase());
  if (kind !== '') fillText(names, 'listKind', `${kind}List`);
  fill(spec, 'conversion', { strategy: 'None' });
  const webhook = objectAt(objectAt(objectAt(spec, 'conversion'), 'webhook'), 'clientConfig');
  const service = objectAt(webhook, 'service');
  if (service !== undefined) fill(service, 'port', 443);
}

/** Members of elections that are switched off by default. */
export function setLeaseDefaults(lease: JsonObject): void {
  const spec = objectMadeAt(lease, 'spec');
  delete spec['strategy'];
  delete spec['preferredHolder'];
}
