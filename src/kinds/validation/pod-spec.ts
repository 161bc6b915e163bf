import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { affinityErrors, spreadErrors, tolerationErrors } from './affinity.ts';
import {
  between,
  dnsLabel,
  dnsLabelProblems,
  dnsSubdomain,
  duplicate,
  ipAddress,
  labels,
  notNegative,
  oneOf,
  qualifiedName,
} from './checks.ts';
import {
  type ContainerContext,
  containerErrors,
  ephemeralContainerErrors,
  idErrors,
  initContainerErrors,
} from './containers.ts';
import { internalJson } from './internal-json.ts';
import { checkedVolumes } from './volumes.ts';

/** Checks of a pod spec, in upstream's order (ValidatePodSpec of pkg/apis/core/validation). */
export function podSpecErrors(field: string, spec: JsonObject): FieldError[] {
  const volumes = checkedVolumes(`${field}.volumes`, objectsAt(spec, 'volumes'));
  const claims = objectsAt(spec, 'resourceClaims');
  const context: ContainerContext = {
    volumes: volumes.valid,
    claimNames: new Set(claims.map((claim) => textAt(claim, 'name'))),
    restartPolicy: textAt(spec, 'restartPolicy'),
  };
  return [
    ...notNegative(`${field}.terminationGracePeriodSeconds`, spec['terminationGracePeriodSeconds']),
    ...volumes.errors,
    ...resourceClaimErrors(`${field}.resourceClaims`, claims),
    ...containerErrors(`${field}.containers`, spec, context),
    ...initContainerErrors(`${field}.initContainers`, spec, context),
    ...ephemeralContainerErrors(`${field}.ephemeralContainers`, spec, context),
    ...oneOf(`${field}.restartPolicy`, spec['restartPolicy'], ['Always', 'OnFailure', 'Never'], true),
    ...dnsErrors(field, spec),
    ...labels(`${field}.nodeSelector`, spec['nodeSelector']),
    ...securityErrors(`${field}.securityContext`, objectAt(spec, 'securityContext')),
    ...affinityErrors(`${field}.affinity`, objectAt(spec, 'affinity')),
    ...gateErrors(field, spec),
    ...spreadErrors(`${field}.topologySpreadConstraints`, objectsAt(spec, 'topologySpreadConstraints')),
    ...identityErrors(field, spec),
  ];
}

function identityErrors(field: string, spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const subdomain = (name: string): void => {
    const text = textAt(spec, name);
    if (text !== '') errors.push(...dnsSubdomain(`${field}.${name}`, text));
  };
  subdomain('serviceAccountName');
  subdomain('nodeName');
  const deadline = spec['activeDeadlineSeconds'];
  errors.push(...between(`${field}.activeDeadlineSeconds`, deadline, 1, 2 ** 31 - 1));
  for (const name of ['hostname', 'subdomain']) {
    const text = textAt(spec, name);
    if (text !== '') errors.push(...dnsLabel(`${field}.${name}`, text));
  }
  errors.push(...tolerationErrors(`${field}.tolerations`, objectsAt(spec, 'tolerations')));
  for (const [i, alias] of objectsAt(spec, 'hostAliases').entries()) {
    errors.push(...ipAddress(`${field}.hostAliases[${i}].ip`, textAt(alias, 'ip')));
    const names = Array.isArray(alias['hostnames']) ? alias['hostnames'] : [];
    for (const name of names) errors.push(...dnsSubdomain(`${field}.hostAliases[${i}].hostnames`, String(name)));
  }
  subdomain('priorityClassName');
  subdomain('runtimeClassName');
  errors.push(...oneOf(`${field}.preemptionPolicy`, spec['preemptionPolicy'], ['PreemptLowerPriority', 'Never']));
  const os = objectAt(spec, 'os');
  if (os !== undefined) errors.push(...osErrors(`${field}.os`, textAt(os, 'name')));
  return errors;
}

function osErrors(field: string, name: string): FieldError[] {
  if (name === '') return [requiredValue(`${field}.name`, 'cannot be empty')];
  return oneOf(field, name, ['linux', 'windows']);
}

const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

function dnsErrors(field: string, spec: JsonObject): FieldError[] {
  const policy = textAt(spec, 'dnsPolicy');
  const config = objectAt(spec, 'dnsConfig');
  const errors = oneOf(`${field}.dnsPolicy`, policy, DNS_POLICIES, true);
  if (policy === 'None' && config === undefined) {
    return [
      ...errors,
      requiredValue(`${field}.dnsConfig`, `must provide \`dnsConfig\` when \`dnsPolicy\` is ${policy}`),
    ];
  }
  const servers = Array.isArray(config?.['nameservers']) ? config['nameservers'] : [];
  if (policy === 'None' && servers.length === 0) {
    const why = `must provide at least one DNS nameserver when \`dnsPolicy\` is ${policy}`;
    errors.push(requiredValue(`${field}.dnsConfig.nameservers`, why));
  }
  for (const [i, server] of servers.entries()) {
    errors.push(...ipAddress(`${field}.dnsConfig.nameservers[${i}]`, String(server)));
  }
  for (const [i, option] of objectsAt(config, 'options').entries()) {
    if (textAt(option, 'name') === '')
      errors.push(requiredValue(`${field}.dnsConfig.options[${i}]`, 'must not be empty'));
  }
  return errors;
}

function securityErrors(field: string, context: JsonObject | undefined): FieldError[] {
  if (context === undefined) return [];
  const policies = ['OnRootMismatch', 'Always'];
  const group = between(`${field}.fsGroup`, context['fsGroup'], 0, 2 ** 31 - 1);
  return [
    ...group,
    ...idErrors(field, context),
    ...oneOf(`${field}.fsGroupChangePolicy`, context['fsGroupChangePolicy'], policies),
  ];
}

function gateErrors(field: string, spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, gate] of objectsAt(spec, 'readinessGates').entries()) {
    errors.push(...qualifiedName(`${field}.readinessGates[${i}].conditionType`, textAt(gate, 'conditionType')));
  }
  const names = new Set<string>();
  for (const [i, gate] of objectsAt(spec, 'schedulingGates').entries()) {
    const name = textAt(gate, 'name');
    const at = `${field}.schedulingGates[${i}]`;
    errors.push(...(name === '' ? [requiredValue(at)] : qualifiedName(at, name)));
    if (names.has(name)) errors.push(duplicate(at, name));
    names.add(name);
  }
  return errors;
}

const CLAIM_SOURCES = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';

function resourceClaimErrors(field: string, claims: readonly JsonObject[]): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [i, claim] of claims.entries()) {
    const at = `${field}[${i}]`;
    const name = textAt(claim, 'name');
    if (name === '') errors.push(requiredValue(`${at}.name`));
    else if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    else errors.push(...dnsLabelProblems(name).map((why) => invalidValue(`${at}.name`, name, why)));
    names.add(name);
    const shown = internalJson('core/v1.PodResourceClaim', claim);
    const [own, template] = [claim['resourceClaimName'], claim['resourceClaimTemplateName']];
    if (own !== undefined && template !== undefined) {
      const why = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      errors.push(invalidValue(at, shown, why));
    } else if (own === undefined && template === undefined) errors.push(invalidValue(at, shown, CLAIM_SOURCES));
    for (const source of ['resourceClaimName', 'resourceClaimTemplateName']) {
      const text = claim[source];
      if (typeof text === 'string') errors.push(...dnsSubdomain(`${at}.${source}`, text));
    }
  }
  return errors;
}

/** What a new pod may not have. */
export function podErrors(pod: JsonObject): FieldError[] {
  const spec = objectAt(pod, 'spec') ?? {};
  const errors = [...podSpecErrors('spec', spec), ...tokenErrors(spec)];
  if (objectsAt(spec, 'ephemeralContainers').length > 0) {
    errors.push(forbiddenField('spec.ephemeralContainers', 'cannot be set on create'));
  }
  if (textAt(spec, 'nodeName') !== '' && objectsAt(spec, 'schedulingGates').length > 0) {
    errors.push(forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
  return errors;
}

/** A token is made for a service account: a pod, unlike a template, must name it. */
export function tokenErrors(spec: JsonObject): FieldError[] {
  if (textAt(spec, 'serviceAccountName') !== '') return [];
  return objectsAt(spec, 'volumes').flatMap((volume, v) =>
    objectsAt(objectAt(volume, 'projected'), 'sources').flatMap((source, s) => {
      if (source['serviceAccountToken'] === undefined) return [];
      const field = `spec.volumes[${v}].projected.sources[${s}].serviceAccountToken`;
      return [forbiddenField(field, 'must not be specified when serviceAccountName is not set')];
    }),
  );
}
