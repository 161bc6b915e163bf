import { KINDS, type KindInfo } from '../../api/kinds.ts';
import type { KubernetesObject, ObjectMeta } from '../../api/meta.ts';
import { type Check, isObject, type Problem, show, type UnknownObject } from '../../api/validation/check.ts';
import { integer, object, required } from '../../api/validation/shapes.ts';
import { RESOURCES, type Resource } from '../../store/objects/resources.ts';

/** An object for the API, as a user submits it. */
export interface SubmittedObject {
  readonly resource: Resource;
  readonly object: KubernetesObject;
}

/** The kinds that can be submitted: those of the store, and Deployments, which become ReplicaSets. */
export const SUBMITTED_KINDS: Readonly<Record<string, KindInfo>> = {
  ...KINDS,
  Job: { apiVersion: 'batch/v1', isNamespaced: true },
  Deployment: { apiVersion: 'apps/v1', isNamespaced: true },
};

const RESOURCE_BY_KIND = new Map<string, Resource>(
  (Object.keys(RESOURCES) as Resource[]).map((resource) => [RESOURCES[resource].kind, resource]),
);

const TEMPLATED: Check = object({
  spec: required(
    object({ replicas: integer(0, 2 ** 31 - 1), selector: required(object({})), template: required(object({})) }),
  ),
});

/**
 * The object to submit for a decoded object of one of `SUBMITTED_KINDS`: its desired state, without the fields that the
 * cluster it was exported from has set. Only a Node keeps its status, which contains its allocatable resources.
 *
 * A Deployment becomes the single ReplicaSet that it has until it is changed.
 */
export function submittedObject(kind: string, value: UnknownObject): SubmittedObject | readonly Problem[] {
  if (kind === 'Deployment') {
    const problems: Problem[] = [];
    TEMPLATED(value, '', problems);
    if (problems.length > 0) return problems;
  }
  const resource = kind === 'Deployment' ? 'replicasets' : RESOURCE_BY_KIND.get(kind);
  if (resource === undefined) return [{ field: 'kind', reason: `unknown kind ${show(kind)}` }];
  const { metadata, status, ...wanted } = value;
  const { apiVersion } = RESOURCES[resource];
  const head = kind === 'Deployment' ? { apiVersion, kind: 'ReplicaSet' } : {};
  return {
    resource,
    object: {
      ...wanted,
      ...head,
      metadata: wantedMetadata(metadata),
      ...(resource === 'nodes' && { status }),
    } as KubernetesObject,
  };
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
];
