import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import type { JsonObject } from '../object/json.ts';
import { certificateWarnings } from './certificates.ts';
import { dnsLabelProblems, isWholeAmount } from './checks.ts';

/** Warnings that accompany a successful write (pkg/api/pod/warnings.go and its kin). */
export function warningsOf(kind: string, object: JsonObject, old: JsonObject | undefined): string[] {
  const spec = objectAt(object, 'spec');
  // Pods are updated too often for warnings, and workloads only when more than their status may have changed.
  if (old !== undefined && (kind === 'Pod' || isSameGeneration(object, old))) return [];
  const names = old === undefined ? nameWarnings(kind, object) : [];
  return [...names, ...warningsOfSpec(kind, object, spec)];
}

/** Whether the object counts the changes of its desired state, and has none. */
function isSameGeneration(object: JsonObject, old: JsonObject): boolean {
  const generation = objectAt(object, 'metadata')?.['generation'];
  return generation !== undefined && generation === objectAt(old, 'metadata')?.['generation'];
}

function warningsOfSpec(kind: string, object: JsonObject, spec: JsonObject | undefined): string[] {
  switch (kind) {
    case 'Pod':
      return podWarnings('spec', spec, annotationWarnings('metadata', objectAt(object, 'metadata')));
    case 'Secret':
      return certificateWarnings(object);
    case 'StatefulSet':
      return [...historyWarnings(spec), ...templateWarnings('spec.template', objectAt(spec, 'template'))];
    case 'Deployment':
    case 'ReplicaSet':
    case 'ReplicationController':
    case 'DaemonSet':
    case 'Job':
      return templateWarnings('spec.template', objectAt(spec, 'template'));
    case 'PodTemplate':
      return templateWarnings('template', objectAt(object, 'template'));
    case 'CronJob':
      return templateWarnings(
        'spec.jobTemplate.spec.template',
        objectAt(objectAt(objectAt(spec, 'jobTemplate'), 'spec'), 'template'),
      );
    case 'Service':
      return serviceWarnings(spec);
    case 'Node':
      return nodeWarnings(object);
    case 'PersistentVolumeClaim':
      return fractionWarnings('spec.resources', objectAt(spec, 'resources'));
    case 'PersistentVolume':
      return volumeWarnings(object);
    case 'StorageClass':
      return topologyWarnings(object);
    default:
      return [];
  }
}

const OLD_ANNOTATIONS: Readonly<Record<string, string>> = {
  'seccomp.security.alpha.kubernetes.io/pod': 'non-functional in v1.27+; use the "seccompProfile" field instead',
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};

function annotationWarnings(field: string, metadata: JsonObject | undefined): string[] {
  const keys = Object.keys(objectAt(metadata, 'annotations') ?? {}).sort();
  return keys.flatMap((key) =>
    Object.hasOwn(OLD_ANNOTATIONS, key) ? [`${field}.annotations[${key}]: ${OLD_ANNOTATIONS[key]}`] : [],
  );
}

/** The kinds whose names become a part of their pods' names. */
const NAMING_PODS = new Set(['Deployment', 'ReplicaSet', 'ReplicationController', 'Job', 'CronJob']);

function nameWarnings(kind: string, object: JsonObject): string[] {
  if (kind !== 'Pod' && !NAMING_PODS.has(kind)) return [];
  const problems = dnsLabelProblems(textAt(objectAt(object, 'metadata'), 'name'));
  if (problems.length === 0) return [];
  const use = kind === 'Pod' ? "the Pod's hostname" : 'Pod names and hostnames';
  const text = `this is used in ${use}, which can result in surprising behavior`;
  return [`metadata.name: ${text}; a DNS label is recommended: [${problems.join(' ')}]`];
}

function templateWarnings(field: string, template: JsonObject | undefined): string[] {
  const annotations = annotationWarnings(`${field}.metadata`, objectAt(template, 'metadata'));
  return podWarnings(`${field}.spec`, objectAt(template, 'spec'), annotations);
}

const OLD_LABELS: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
};

function labelWarnings(field: string, key: string): string[] {
  const text = Object.hasOwn(OLD_LABELS, key) ? OLD_LABELS[key] : undefined;
  return text === undefined ? [] : [`${field}: ${text}`];
}

/** Warnings about the pod come first, those about its annotations next, those about its containers last. */
function podWarnings(field: string, spec: JsonObject | undefined, annotations: readonly string[]): string[] {
  if (spec === undefined) return [...annotations];
  const warnings: string[] = [];
  for (const key of Object.keys(objectAt(spec, 'nodeSelector') ?? {}).sort()) {
    warnings.push(...labelWarnings(`${field}.nodeSelector[${key}]`, key));
  }
  warnings.push(...affinityWarnings(field, spec));
  for (const [i, constraint] of objectsAt(spec, 'topologySpreadConstraints').entries()) {
    const at = `${field}.topologySpreadConstraints[${i}]`;
    const key = textAt(constraint, 'topologyKey');
    const text = Object.hasOwn(OLD_LABELS, key) ? OLD_LABELS[key] : undefined;
    if (text !== undefined) warnings.push(`${at}.topologyKey: ${key} is ${text}`);
    if (constraint['labelSelector'] === undefined) {
      warnings.push(`${at}.labelSelector: a null labelSelector results in matching no pod`);
    }
  }
  for (const [i, secret] of objectsAt(spec, 'imagePullSecrets').entries()) {
    if (textAt(secret, 'name') === '') warnings.push(`${field}.imagePullSecrets[${i}].name: invalid empty name ""`);
  }
  warnings.push(...listWarnings(field, spec), ...annotations);
  for (const name of ['initContainers', 'containers']) {
    for (const [i, container] of objectsAt(spec, name).entries()) {
      warnings.push(...containerWarnings(`${field}.${name}[${i}]`, container));
    }
  }
  return [...warnings, ...portWarnings(field, spec)];
}

const GONE_VOLUMES: Readonly<Record<string, string>> = {
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

function listWarnings(field: string, spec: JsonObject): string[] {
  const warnings: string[] = [];
  const ips = new Set<string>();
  for (const [i, alias] of objectsAt(spec, 'hostAliases').entries()) {
    const ip = textAt(alias, 'ip');
    if (ips.has(ip)) warnings.push(`${field}.hostAliases[${i}].ip: duplicate ip ${JSON.stringify(ip)}`);
    ips.add(ip);
  }
  for (const [i, volume] of objectsAt(spec, 'volumes').entries()) {
    for (const [name, text] of Object.entries(GONE_VOLUMES)) {
      if (volume[name] !== undefined) warnings.push(`${field}.volumes[${i}].${name}: ${text}`);
    }
  }
  return warnings;
}

function affinityWarnings(field: string, spec: JsonObject): string[] {
  const warnings: string[] = [];
  const affinity = objectAt(spec, 'affinity');
  const path = `${field}.affinity.nodeAffinity`;
  const node = objectAt(affinity, 'nodeAffinity');
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  const term = (at: string, each: JsonObject): void => {
    for (const [i, rule] of objectsAt(each, 'matchExpressions').entries()) {
      warnings.push(...labelWarnings(`${at}.matchExpressions[${i}].key`, textAt(rule, 'key')));
    }
  };
  for (const [i, each] of objectsAt(objectAt(node, required), 'nodeSelectorTerms').entries()) {
    term(`${path}.${required}.nodeSelectorTerms[${i}]`, each);
  }
  for (const [i, each] of objectsAt(node, preferred).entries()) {
    term(`${path}.${preferred}[${i}].preference`, objectAt(each, 'preference') ?? {});
  }
  for (const name of ['podAffinity', 'podAntiAffinity']) {
    const pods = objectAt(affinity, name);
    for (const [i, each] of objectsAt(pods, required).entries()) {
      if (each['labelSelector'] !== undefined) continue;
      const at = `${field}.affinity.${name}.${required}[${i}]`;
      warnings.push(`${at}.labelSelector: a null labelSelector results in matching no pod`);
    }
  }
  return warnings;
}

function containerWarnings(path: string, container: JsonObject): string[] {
  const warnings = fractionWarnings(`${path}.resources`, objectAt(container, 'resources'));
  const seen = new Set<string>();
  for (const [i, variable] of objectsAt(container, 'env').entries()) {
    const name = textAt(variable, 'name');
    if (seen.has(name)) {
      const text = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
      warnings.push(`${path}.env[${i}]: ${text}`);
    }
    seen.add(name);
  }
  return warnings;
}

/** Bytes come whole. */
function fractionWarnings(path: string, resources: JsonObject | undefined): string[] {
  const warnings: string[] = [];
  for (const part of ['limits', 'requests']) {
    const amounts = objectAt(resources, part) ?? {};
    for (const name of Object.keys(amounts).sort()) {
      if (name !== 'memory' && name !== 'ephemeral-storage' && name !== 'storage') continue;
      if (isWholeAmount(amounts[name])) continue;
      const text = `fractional byte value ${JSON.stringify(amounts[name])} is invalid, must be an integer`;
      warnings.push(`${path}.${part}[${name}]: ${text}`);
    }
  }
  return warnings;
}

/** Ports that are given twice, and those that differ only in what apply does not look at. */
function portWarnings(field: string, spec: JsonObject): string[] {
  const warnings: string[] = [];
  const seen: { readonly path: string; readonly port: JsonObject }[] = [];
  for (const [c, container] of objectsAt(spec, 'containers').entries()) {
    for (const [p, port] of objectsAt(container, 'ports').entries()) {
      const path = `${field}.containers[${c}].ports[${p}]`;
      const before = seen.find(({ port: other }) => isSamePort(other, port));
      if (before !== undefined) warnings.push(`${path}: duplicate port definition with ${before.path}`);
      const name = textAt(port, 'name');
      const named = name === '' ? undefined : seen.find(({ port: other }) => other['name'] === name);
      if (named !== undefined) {
        const use = `services and probes that select ports by name will use ${named.path}`;
        warnings.push(`${path}: duplicate port name ${JSON.stringify(name)} with ${named.path}, ${use}`);
      }
      seen.push({ path, port });
    }
  }
  return warnings;
}

function isSamePort(a: JsonObject, b: JsonObject): boolean {
  return ['containerPort', 'protocol', 'hostPort', 'hostIP'].every((name) => (a[name] ?? '') === (b[name] ?? ''));
}

function historyWarnings(spec: JsonObject | undefined): string[] {
  if (Number(spec?.['revisionHistoryLimit'] ?? 0) >= 0) return [];
  const text = 'a negative value retains all historical revisions; a value >= 0 is recommended';
  return [`spec.revisionHistoryLimit: ${text}`];
}

function serviceWarnings(spec: JsonObject | undefined): string[] {
  const warnings: string[] = [];
  if (textAt(spec, 'clusterIP') === 'None') {
    if (textAt(spec, 'loadBalancerIP') !== '') warnings.push('spec.loadBalancerIP is ignored for headless services');
    if (textAt(spec, 'sessionAffinity') === 'ClientIP') {
      warnings.push('spec.SessionAffinity is ignored for headless services');
    }
  }
  if (Array.isArray(spec?.['externalIPs']) && spec['externalIPs'].length > 0) {
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  }
  return warnings;
}

function nodeWarnings(node: JsonObject): string[] {
  const spec = objectAt(node, 'spec');
  const warnings: string[] = [];
  const unused = 'this field is deprecated, and is unused by Kubernetes';
  if (textAt(spec, 'externalID') !== '') warnings.push(`spec.externalID: ${unused}`);
  if (spec?.['configSource'] !== undefined) warnings.push(`spec.configSource: the feature is no longer supported`);
  return warnings;
}

function volumeWarnings(volume: JsonObject): string[] {
  const spec = objectAt(volume, 'spec');
  const warnings: string[] = [];
  const key = 'volume.beta.kubernetes.io/storage-class';
  if (objectAt(objectAt(volume, 'metadata'), 'annotations')?.[key] !== undefined) {
    const text = 'deprecated since v1.8; use "storageClassName" attribute instead';
    warnings.push(`metadata.annotations[${key}]: ${text}`);
  }
  if (textAt(spec, 'persistentVolumeReclaimPolicy') === 'Recycle') {
    const text =
      'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
    warnings.push(`spec.persistentVolumeReclaimPolicy: ${text}`);
  }
  const storage = objectAt(spec, 'capacity')?.['storage'];
  if (storage !== undefined && !isWholeAmount(storage)) {
    warnings.push(
      `spec.capacity[storage]: fractional byte value ${JSON.stringify(storage)} is invalid, must be an integer`,
    );
  }
  return warnings;
}

function topologyWarnings(storageClass: JsonObject): string[] {
  return objectsAt(storageClass, 'allowedTopologies').flatMap((term, i) =>
    objectsAt(term, 'matchLabelExpressions').flatMap((rule, e) =>
      labelWarnings(`allowedTopologies[${i}].matchLabelExpressions[${e}].key`, textAt(rule, 'key')),
    ),
  );
}
