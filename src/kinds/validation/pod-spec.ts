import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, tooLong } from '../object/field-errors.ts';
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
  oneOf,
  qualifiedName,
  underscoredDomain,
} from './checks.ts';
import { podResourceErrors, resourceErrors } from './compute-resources.ts';
import {
  type ContainerContext,
  containerErrors,
  ephemeralContainerErrors,
  imageSpaceErrors,
  initContainerErrors,
} from './containers.ts';
import { internalJson } from './internal-json.ts';
import { appArmorMatchErrors, podAnnotationErrors } from './pod-annotations.ts';
import { hostUserErrors, podSecurityErrors } from './security-contexts.ts';
import { checkedVolumes } from './volumes.ts';
import { hostProcessErrors, operatingSystemErrors } from './windows-options.ts';

/** Checks of a pod spec, in upstream's order (ValidatePodSpec of pkg/apis/core/validation). `isPod`: of no template. */
export function podSpecErrors(field: string, spec: JsonObject, isPod = false): FieldError[] {
  const volumes = checkedVolumes(`${field}.volumes`, objectsAt(spec, 'volumes'));
  const claims = objectsAt(spec, 'resourceClaims');
  const claimNames = new Set(claims.map((claim) => textAt(claim, 'name')).filter((name) => name !== ''));
  const grace = spec['terminationGracePeriodSeconds'];
  const context: ContainerContext = {
    volumes: volumes.valid,
    claimNames,
    restartPolicy: textAt(spec, 'restartPolicy'),
    graceSeconds: typeof grace === 'number' ? grace : undefined,
    hasHostUsers: spec['hostUsers'] !== false,
  };
  return [
    ...volumes.errors,
    ...resourceClaimErrors(`${field}.resourceClaims`, claims),
    ...containerErrors(`${field}.containers`, spec, context),
    ...initContainerErrors(`${field}.initContainers`, spec, context),
    ...ephemeralContainerErrors(`${field}.ephemeralContainers`, spec, context),
    ...podResourceErrors(`${field}.resources`, spec, claimNames),
    ...hostNetworkErrors(`${field}.containers`, spec, isPod),
    ...oneOf(`${field}.restartPolicy`, spec['restartPolicy'], ['Always', 'OnFailure', 'Never'], true),
    ...oneOf(`${field}.dnsPolicy`, spec['dnsPolicy'], DNS_POLICIES, true),
    ...labels(`${field}.nodeSelector`, spec['nodeSelector']),
    ...podSecurityErrors(`${field}.securityContext`, spec),
    ...affinityErrors(`${field}.affinity`, objectAt(spec, 'affinity')),
    ...dnsErrors(field, spec),
    ...gateErrors(field, spec),
    ...spreadErrors(`${field}.topologySpreadConstraints`, objectsAt(spec, 'topologySpreadConstraints')),
    ...hostProcessErrors(field, spec),
    ...hostUserErrors(field, spec),
    ...identityErrors(field, spec),
  ];
}

/** In the network of the host, a port of a container is one of the host. A template may leave that to its pods. */
function hostNetworkErrors(field: string, spec: JsonObject, isPod: boolean): FieldError[] {
  if (spec['hostNetwork'] !== true) return [];
  return objectsAt(spec, 'containers').flatMap((container, i) =>
    objectsAt(container, 'ports').flatMap((port, p) => {
      const [host, own] = [port['hostPort'] ?? 0, port['containerPort'] ?? 0];
      if (host === own || (host === 0 && !isPod)) return [];
      const why = 'must match `containerPort` when `hostNetwork` is true';
      return [invalidValue(`${field}[${i}].ports[${p}].hostPort`, host, why)];
    }),
  );
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
  errors.push(...hostnameErrors(`${field}.hostnameOverride`, spec));
  errors.push(...tolerationErrors(`${field}.tolerations`, objectsAt(spec, 'tolerations')));
  for (const [i, alias] of objectsAt(spec, 'hostAliases').entries()) {
    errors.push(...ipAddress(`${field}.hostAliases[${i}].ip`, textAt(alias, 'ip')));
    const names = Array.isArray(alias['hostnames']) ? alias['hostnames'] : [];
    for (const [n, name] of names.entries()) {
      errors.push(...dnsSubdomain(`${field}.hostAliases[${i}].hostnames[${n}]`, String(name)));
    }
  }
  subdomain('priorityClassName');
  subdomain('runtimeClassName');
  errors.push(...oneOf(`${field}.preemptionPolicy`, spec['preemptionPolicy'], ['PreemptLowerPriority', 'Never']));
  const overhead = objectAt(spec, 'overhead');
  if (overhead !== undefined) errors.push(...resourceErrors(`${field}.overhead`, { limits: overhead }, new Set()));
  const os = objectAt(spec, 'os');
  if (os !== undefined) errors.push(...osErrors(field, spec, textAt(os, 'name')));
  return errors;
}

function osErrors(field: string, spec: JsonObject, name: string): FieldError[] {
  if (name === '') return [requiredValue(`${field}.os.name`, 'cannot be empty')];
  const errors = oneOf(`${field}.os`, name, ['linux', 'windows']);
  return errors.length > 0 ? errors : operatingSystemErrors(field, spec, name);
}

const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const DNS_SERVERS_MAX = 3;
const DNS_SEARCHES_MAX = 32;
const DNS_SEARCH_LENGTH_MAX = 2048;

function dnsErrors(field: string, spec: JsonObject): FieldError[] {
  const policy = textAt(spec, 'dnsPolicy');
  const config = objectAt(spec, 'dnsConfig');
  const path = `${field}.dnsConfig`;
  const listAt = (name: string): string[] => (Array.isArray(config?.[name]) ? config[name].map(String) : []);
  const [servers, searches] = [listAt('nameservers'), listAt('searches')];
  if (policy === 'None' && config === undefined) {
    return [requiredValue(path, `must provide \`dnsConfig\` when \`dnsPolicy\` is ${policy}`)];
  }
  if (policy === 'None' && servers.length === 0) {
    const why = `must provide at least one DNS nameserver when \`dnsPolicy\` is ${policy}`;
    return [requiredValue(`${path}.nameservers`, why)];
  }
  const errors: FieldError[] = [];
  if (servers.length > DNS_SERVERS_MAX) {
    errors.push(invalidValue(`${path}.nameservers`, servers, `must not have more than ${DNS_SERVERS_MAX} nameservers`));
  }
  for (const [i, server] of servers.entries()) errors.push(...ipAddress(`${path}.nameservers[${i}]`, server));
  if (searches.length > DNS_SEARCHES_MAX) {
    const why = `must not have more than ${DNS_SEARCHES_MAX} search paths`;
    errors.push(invalidValue(`${path}.searches`, searches, why));
  }
  if (Buffer.byteLength(searches.join(' ')) > DNS_SEARCH_LENGTH_MAX) {
    const why = `must not have more than ${DNS_SEARCH_LENGTH_MAX} characters (including spaces) in the search list`;
    errors.push(invalidValue(`${path}.searches`, searches, why));
  }
  for (const [i, search] of searches.entries()) {
    if (search !== '.') errors.push(...underscoredDomain(`${path}.searches[${i}]`, search.replace(/\.$/, '')));
  }
  for (const [i, option] of objectsAt(config, 'options').entries()) {
    if (textAt(option, 'name') === '') errors.push(requiredValue(`${path}.options[${i}]`, 'must not be empty'));
  }
  return errors;
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
    errors.push(...qualifiedName(at, name));
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

const HOSTNAME_MAX = 64;

/** A hostname in place of the one that follows from the pod's name (validatePodHostName). */
function hostnameErrors(field: string, spec: JsonObject): FieldError[] {
  const name = spec['hostnameOverride'];
  if (typeof name !== 'string') return [];
  const errors = ['setHostnameAsFQDN', 'hostNetwork']
    .filter((other) => spec[other] === true)
    .map((other) => forbiddenField(field, `may not be specified when ${other} is true`));
  if (Buffer.byteLength(name) > HOSTNAME_MAX) errors.push(tooLong(field, `may not be more than ${HOSTNAME_MAX} bytes`));
  return [...errors, ...dnsSubdomain(field, name)];
}

/** Checks of a whole pod, some of which do not hold for templates (validatePodMetadataAndSpec). */
export function wholePodErrors(pod: JsonObject): FieldError[] {
  const spec = objectAt(pod, 'spec') ?? {};
  const images = ['containers', 'initContainers'].flatMap((name) =>
    objectsAt(spec, name).flatMap((container, i) => imageSpaceErrors(`spec.${name}[${i}]`, container)),
  );
  return [
    ...podAnnotationErrors('metadata.annotations', pod),
    ...podSpecErrors('spec', spec, true),
    ...tokenErrors(spec),
    ...images,
  ];
}

/** What a new pod may not have. */
export function podErrors(pod: JsonObject): FieldError[] {
  const spec = objectAt(pod, 'spec') ?? {};
  const errors = wholePodErrors(pod);
  if (objectsAt(spec, 'ephemeralContainers').length > 0) {
    errors.push(forbiddenField('spec.ephemeralContainers', 'cannot be set on create'));
  }
  if (textAt(spec, 'nodeName') !== '' && objectsAt(spec, 'schedulingGates').length > 0) {
    errors.push(forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
  return [...errors, ...appArmorMatchErrors(pod)];
}

/** A token is made for a service account: a pod, unlike a template, must name it. */
function tokenErrors(spec: JsonObject): FieldError[] {
  if (textAt(spec, 'serviceAccountName') !== '') return [];
  return objectsAt(spec, 'volumes').flatMap((volume, v) =>
    objectsAt(objectAt(volume, 'projected'), 'sources').flatMap((source, s) => {
      if (source['serviceAccountToken'] === undefined) return [];
      const field = `spec.volumes[${v}].projected.sources[${s}].serviceAccountToken`;
      return [forbiddenField(field, 'must not be specified when serviceAccountName is not set')];
    }),
  );
}
