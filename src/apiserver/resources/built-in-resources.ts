import { createHash } from 'node:crypto';
import type { ApiResource, ApiSubresource } from '../../kinds/object/api-resource.ts';

const CHANGE_VERBS = ['get', 'patch', 'update'];
const PROXY_VERBS = ['create', 'delete', 'get', 'patch', 'update'];
const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** Kinds that are stored in another version, or another group, than the one that is served. */
const STORAGE_KINDS: Readonly<Record<string, string>> = {
  'events.k8s.io/v1/Event': '/v1/Event',
  'autoscaling/v1/HorizontalPodAutoscaler': 'autoscaling/v2/HorizontalPodAutoscaler',
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicy':
    'admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding':
    'admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicyBinding',
  'apiextensions.k8s.io/v1/CustomResourceDefinition': 'apiextensions.k8s.io/v1beta1/CustomResourceDefinition',
};

interface Row extends Partial<Omit<ApiResource, 'subresources'>> {
  readonly resource: string;
  readonly kind: string;
  readonly subresources?: readonly SubresourceRow[];
}

interface SubresourceRow extends Omit<ApiSubresource, 'kind'> {
  /** Absent: the kind of the resource. */
  readonly kind?: string;
}

function row(resource: string, kind: string, more: Omit<Row, 'resource' | 'kind'> = {}): Row {
  return { resource, kind, ...more };
}

/** A subresource that reads and writes the resource's own kind. */
function own(name: string): SubresourceRow {
  return { name, verbs: CHANGE_VERBS };
}

/** A subresource of another kind: `Binding`, `policy/v1.Eviction`. */
function sub(name: string, kind: string, verbs: readonly string[]): SubresourceRow {
  const match = /^(?<group>[^/]*)\/(?<version>[^.]*)\.(?<kind>.*)$/.exec(kind)?.groups;
  return { name, kind, verbs, ...match };
}

const STATUS = own('status');
const SCALE = sub('scale', 'autoscaling/v1.Scale', CHANGE_VERBS);

/** Every built-in resource, by group and version in the order of discovery; others have all verbs and a namespace. */
const TABLE: Readonly<Record<string, readonly Row[]>> = {
  v1: [
    row('bindings', 'Binding', { verbs: ['create'] }),
    row('componentstatuses', 'ComponentStatus', { isNamespaced: false, shortNames: ['cs'], verbs: ['get', 'list'] }),
    row('configmaps', 'ConfigMap', { shortNames: ['cm'] }),
    row('endpoints', 'Endpoints', { shortNames: ['ep'] }),
    row('events', 'Event', { shortNames: ['ev'] }),
    row('limitranges', 'LimitRange', { shortNames: ['limits'] }),
    row('namespaces', 'Namespace', {
      isNamespaced: false,
      shortNames: ['ns'],
      verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
      subresources: [sub('finalize', 'Namespace', ['update']), STATUS],
    }),
    row('nodes', 'Node', {
      isNamespaced: false,
      shortNames: ['no'],
      subresources: [sub('proxy', 'NodeProxyOptions', PROXY_VERBS), STATUS],
    }),
    row('persistentvolumeclaims', 'PersistentVolumeClaim', { shortNames: ['pvc'], subresources: [STATUS] }),
    row('persistentvolumes', 'PersistentVolume', { isNamespaced: false, shortNames: ['pv'], subresources: [STATUS] }),
    row('pods', 'Pod', {
      shortNames: ['po'],
      categories: ['all'],
      subresources: [
        sub('attach', 'PodAttachOptions', ['create', 'get']),
        sub('binding', 'Binding', ['create']),
        own('ephemeralcontainers'),
        sub('eviction', 'policy/v1.Eviction', ['create']),
        sub('exec', 'PodExecOptions', ['create', 'get']),
        sub('log', 'Pod', ['get']),
        sub('portforward', 'PodPortForwardOptions', ['create', 'get']),
        sub('proxy', 'PodProxyOptions', PROXY_VERBS),
        own('resize'),
        STATUS,
      ],
    }),
    row('podtemplates', 'PodTemplate'),
    row('replicationcontrollers', 'ReplicationController', {
      shortNames: ['rc'],
      categories: ['all'],
      subresources: [SCALE, STATUS],
    }),
    row('resourcequotas', 'ResourceQuota', { shortNames: ['quota'], subresources: [STATUS] }),
    row('secrets', 'Secret'),
    row('serviceaccounts', 'ServiceAccount', {
      shortNames: ['sa'],
      subresources: [sub('token', 'authentication.k8s.io/v1.TokenRequest', ['create'])],
    }),
    row('services', 'Service', {
      shortNames: ['svc'],
      categories: ['all'],
      subresources: [sub('proxy', 'ServiceProxyOptions', PROXY_VERBS), STATUS],
    }),
  ],
  'apiregistration.k8s.io/v1': [
    row('apiservices', 'APIService', { isNamespaced: false, categories: ['api-extensions'], subresources: [STATUS] }),
  ],
  'apps/v1': [
    row('controllerrevisions', 'ControllerRevision'),
    row('daemonsets', 'DaemonSet', { shortNames: ['ds'], categories: ['all'], subresources: [STATUS] }),
    row('deployments', 'Deployment', { shortNames: ['deploy'], categories: ['all'], subresources: [SCALE, STATUS] }),
    row('replicasets', 'ReplicaSet', { shortNames: ['rs'], categories: ['all'], subresources: [SCALE, STATUS] }),
    row('statefulsets', 'StatefulSet', { shortNames: ['sts'], categories: ['all'], subresources: [SCALE, STATUS] }),
  ],
  'events.k8s.io/v1': [row('events', 'Event', { shortNames: ['ev'] })],
  'authentication.k8s.io/v1': [
    row('selfsubjectreviews', 'SelfSubjectReview', { isNamespaced: false, verbs: ['create'] }),
    row('tokenreviews', 'TokenReview', { isNamespaced: false, verbs: ['create'] }),
  ],
  'authorization.k8s.io/v1': [
    row('localsubjectaccessreviews', 'LocalSubjectAccessReview', { verbs: ['create'] }),
    row('selfsubjectaccessreviews', 'SelfSubjectAccessReview', { isNamespaced: false, verbs: ['create'] }),
    row('selfsubjectrulesreviews', 'SelfSubjectRulesReview', { isNamespaced: false, verbs: ['create'] }),
    row('subjectaccessreviews', 'SubjectAccessReview', { isNamespaced: false, verbs: ['create'] }),
  ],
  'autoscaling/v2': [
    row('horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
      shortNames: ['hpa'],
      categories: ['all'],
      subresources: [STATUS],
    }),
  ],
  'autoscaling/v1': [
    row('horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
      shortNames: ['hpa'],
      categories: ['all'],
      subresources: [STATUS],
    }),
  ],
  'batch/v1': [
    row('cronjobs', 'CronJob', { shortNames: ['cj'], categories: ['all'], subresources: [STATUS] }),
    row('jobs', 'Job', { categories: ['all'], subresources: [STATUS] }),
  ],
  'certificates.k8s.io/v1': [
    row('certificatesigningrequests', 'CertificateSigningRequest', {
      isNamespaced: false,
      shortNames: ['csr'],
      subresources: [own('approval'), STATUS],
    }),
  ],
  'networking.k8s.io/v1': [
    row('ingressclasses', 'IngressClass', { isNamespaced: false }),
    row('ingresses', 'Ingress', { shortNames: ['ing'], subresources: [STATUS] }),
    row('ipaddresses', 'IPAddress', { isNamespaced: false, shortNames: ['ip'] }),
    row('networkpolicies', 'NetworkPolicy', { shortNames: ['netpol'] }),
    row('servicecidrs', 'ServiceCIDR', { isNamespaced: false, subresources: [STATUS] }),
  ],
  'policy/v1': [row('poddisruptionbudgets', 'PodDisruptionBudget', { shortNames: ['pdb'], subresources: [STATUS] })],
  'rbac.authorization.k8s.io/v1': [
    row('clusterrolebindings', 'ClusterRoleBinding', { isNamespaced: false }),
    row('clusterroles', 'ClusterRole', { isNamespaced: false }),
    row('rolebindings', 'RoleBinding'),
    row('roles', 'Role'),
  ],
  'storage.k8s.io/v1': [
    row('csidrivers', 'CSIDriver', { isNamespaced: false }),
    row('csinodes', 'CSINode', { isNamespaced: false }),
    row('csistoragecapacities', 'CSIStorageCapacity'),
    row('storageclasses', 'StorageClass', { isNamespaced: false, shortNames: ['sc'] }),
    row('volumeattachments', 'VolumeAttachment', { isNamespaced: false, subresources: [STATUS] }),
    row('volumeattributesclasses', 'VolumeAttributesClass', { isNamespaced: false, shortNames: ['vac'] }),
  ],
  'admissionregistration.k8s.io/v1': [
    row('mutatingadmissionpolicies', 'MutatingAdmissionPolicy', {
      isNamespaced: false,
      categories: ['api-extensions'],
    }),
    row('mutatingadmissionpolicybindings', 'MutatingAdmissionPolicyBinding', {
      isNamespaced: false,
      categories: ['api-extensions'],
    }),
    row('mutatingwebhookconfigurations', 'MutatingWebhookConfiguration', {
      isNamespaced: false,
      categories: ['api-extensions'],
    }),
    row('validatingadmissionpolicies', 'ValidatingAdmissionPolicy', {
      isNamespaced: false,
      categories: ['api-extensions'],
      subresources: [STATUS],
    }),
    row('validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding', {
      isNamespaced: false,
      categories: ['api-extensions'],
    }),
    row('validatingwebhookconfigurations', 'ValidatingWebhookConfiguration', {
      isNamespaced: false,
      categories: ['api-extensions'],
    }),
  ],
  'apiextensions.k8s.io/v1': [
    row('customresourcedefinitions', 'CustomResourceDefinition', {
      isNamespaced: false,
      shortNames: ['crd', 'crds'],
      categories: ['api-extensions'],
      subresources: [STATUS],
    }),
  ],
  'scheduling.k8s.io/v1': [row('priorityclasses', 'PriorityClass', { isNamespaced: false, shortNames: ['pc'] })],
  'coordination.k8s.io/v1': [row('leases', 'Lease')],
  'node.k8s.io/v1': [row('runtimeclasses', 'RuntimeClass', { isNamespaced: false })],
  'discovery.k8s.io/v1': [row('endpointslices', 'EndpointSlice')],
  'resource.k8s.io/v1': [
    row('deviceclasses', 'DeviceClass', { isNamespaced: false }),
    row('resourceclaims', 'ResourceClaim', { subresources: [STATUS] }),
    row('resourceclaimtemplates', 'ResourceClaimTemplate'),
    row('resourceslices', 'ResourceSlice', { isNamespaced: false }),
  ],
  'flowcontrol.apiserver.k8s.io/v1': [
    row('flowschemas', 'FlowSchema', { isNamespaced: false, subresources: [STATUS] }),
    row('prioritylevelconfigurations', 'PriorityLevelConfiguration', { isNamespaced: false, subresources: [STATUS] }),
  ],
};

/** What is served with the feature gate GenericWorkload alone. */
const GROUPS_OF_PODS: typeof TABLE = {
  'scheduling.k8s.io/v1alpha2': [
    row('podgroups', 'PodGroup', { subresources: [STATUS] }),
    row('workloads', 'Workload'),
  ],
};

export const BUILT_IN_RESOURCES = resourcesOf(TABLE);
export const POD_GROUP_RESOURCES = resourcesOf(GROUPS_OF_PODS);

function resourcesOf(table: typeof TABLE): readonly ApiResource[] {
  return Object.entries(table).flatMap(([groupVersion, rows]) => {
    const [first, second] = groupVersion.split('/') as [string, string | undefined];
    const [group, version] = second === undefined ? ['', first] : [first, second];
    return rows.map((one) => resourceOf(group, version, one));
  });
}

function resourceOf(group: string, version: string, { resource, kind, subresources = [], ...more }: Row): ApiResource {
  const verbs = more.verbs ?? ALL_VERBS;
  return {
    group,
    version,
    resource,
    kind,
    singular: kind.toLowerCase(),
    listKind: `${kind}List`,
    isNamespaced: true,
    verbs,
    shortNames: [],
    categories: [],
    subresources: subresources.map((one) => ({ ...one, kind: one.kind ?? kind })),
    storageVersionHash: verbs.includes('update') ? storageVersionHash(group, version, kind) : undefined,
    isCustom: false,
    ...more,
  };
}

/** Upstream: StorageVersionHash in apiserver/pkg/endpoints/discovery. */
function storageVersionHash(group: string, version: string, kind: string): string {
  const served = `${group}/${version}/${kind}`;
  const digest = createHash('sha256')
    .update(STORAGE_KINDS[served] ?? served)
    .digest();
  return digest.subarray(0, 8).toString('base64');
}
