import { CONTROLLER_UID_KEY, JOB_NAME_KEY } from '../../api/job-defaults.ts';
import { KINDS, type KindInfo } from '../../api/kinds.ts';
import type { KubernetesObject, ObjectMeta } from '../../api/meta.ts';
import { isObject, type Problem, show, type UnknownObject } from '../../api/validation/check.ts';
import { RESOURCES, type Resource } from '../../store/objects/resources.ts';

/** An object for the API, as a user submits it. */
export interface SubmittedObject {
  readonly resource: Resource;
  readonly object: KubernetesObject;
}

/** An object, and where its user finds it. */
export interface NamedObject {
  readonly submitted: SubmittedObject;
  /** The file and the title, such as `pi.yaml: Job default/pi`. */
  readonly place: string;
  /** Whether the object was read from a cluster, and is no manifest. */
  readonly isLive?: boolean;
}

/** The kinds that can be submitted: those of the store. */
export const SUBMITTED_KINDS: Readonly<Record<string, KindInfo>> = {
  ...KINDS,
  Job: { apiVersion: 'batch/v1', isNamespaced: true },
  CronJob: { apiVersion: 'batch/v1', isNamespaced: true },
  Deployment: { apiVersion: 'apps/v1', isNamespaced: true },
  DaemonSet: { apiVersion: 'apps/v1', isNamespaced: true },
  ResourceClaimTemplate: { apiVersion: 'resource.k8s.io/v1', isNamespaced: true },
  ControllerRevision: { apiVersion: 'apps/v1', isNamespaced: true },
};

const RESOURCE_BY_KIND = new Map<string, Resource>(
  (Object.keys(RESOURCES) as Resource[]).map((resource) => [RESOURCES[resource].kind, resource]),
);

/**
 * The object to submit for a decoded object of one of `SUBMITTED_KINDS`: its desired state, without the fields that the
 * cluster it was exported from has set. Only a Node keeps its status, which contains its allocatable resources.
 */
export function submittedObject(kind: string, value: UnknownObject): SubmittedObject | readonly Problem[] {
  const resource = RESOURCE_BY_KIND.get(kind);
  if (resource === undefined) return [{ field: 'kind', reason: `unknown kind ${show(kind)}` }];
  const { metadata, status, ...wanted } = value;
  return {
    resource,
    object: {
      ...wanted,
      ...(resource === 'jobs' && { spec: withoutGeneratedSelector(value['spec']) }),
      ...(resource === 'persistentvolumes' && { spec: withoutClaimUid(value['spec']) }),
      metadata: wantedMetadata(metadata),
      ...(resource === 'nodes' && { status }),
    } as KubernetesObject,
  };
}

const GENERATED_KEYS: ReadonlySet<string> = new Set([
  ...['controller-uid', CONTROLLER_UID_KEY, 'job-name', JOB_NAME_KEY],
]);

/** The spec of a Job without the selector and labels that its cluster generated, which name its uid there. */
function withoutGeneratedSelector(spec: unknown): unknown {
  if (!isObject(spec) || spec['manualSelector'] === true || !isObject(spec['template'])) return spec;
  const { selector: _, ...rest } = spec;
  const { template } = spec;
  const metadata = isObject(template['metadata']) ? template['metadata'] : {};
  if (!isObject(metadata['labels'])) return rest;
  const own = Object.entries(metadata['labels']).filter(([key]) => !GENERATED_KEYS.has(key));
  return { ...rest, template: { ...template, metadata: { ...metadata, labels: Object.fromEntries(own) } } };
}

/** The spec of a volume that is kept for a claim of this name, which gets another uid here. */
function withoutClaimUid(spec: unknown): unknown {
  if (!isObject(spec) || !isObject(spec['claimRef'])) return spec;
  const { uid: _uid, resourceVersion: _version, ...claimRef } = spec['claimRef'];
  return { ...spec, claimRef };
}

function wantedMetadata(metadata: unknown): ObjectMeta {
  if (!isObject(metadata)) return {};
  const { name, generateName, namespace, labels, annotations, finalizers } = metadata as ObjectMeta;
  const all = { name, generateName, namespace, labels, annotations, finalizers };
  return Object.fromEntries(Object.entries(all).filter(([, member]) => member !== undefined));
}

/** The position of a kind in the order of creation: objects that others refer to come first. */
export function creationRank({ resource }: SubmittedObject): number {
  const rank = CREATION_ORDER.indexOf(resource);
  return rank < 0 ? CREATION_ORDER.length : rank;
}

const CREATION_ORDER: readonly Resource[] = [
  ...(['namespaces', 'priorityclasses', 'storageclasses', 'nodes', 'csidrivers', 'csinodes'] as const),
  ...(['persistentvolumes', 'persistentvolumeclaims', 'services', 'poddisruptionbudgets'] as const),
  ...(['controllerrevisions', 'daemonsets', 'statefulsets', 'deployments', 'replicasets'] as const),
];
