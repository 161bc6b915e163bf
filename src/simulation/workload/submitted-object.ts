import { KINDS, type KindTraits } from '../../api/kinds.ts';
import type { KubernetesObject, ObjectMeta } from '../../api/meta.ts';
import { type Check, isObject, type Problem, show, type UnknownObject } from '../../api/validation/check.ts';
import { integer, object, required } from '../../api/validation/shapes.ts';
import { RESOURCES, type Resource } from '../../store/objects/resources.ts';

/** An object for the API, as a user submits it. */
export interface SubmittedObject {
  readonly resource: Resource;
  readonly object: KubernetesObject;
}

/** What can be submitted: the kinds of the store, and Deployments, which become ReplicaSets. */
export const SUBMITTED_KINDS: Readonly<Record<string, KindTraits>> = {
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
 * What is to be submitted for a decoded object of one of `SUBMITTED_KINDS`: what its user wants of it, without what a
 * cluster that it was taken from said of it. Only a Node brings its status along, which says what it offers.
 *
 * A Deployment becomes the one ReplicaSet that it would have as long as nobody changes it.
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

/** Where in the order of creation a kind stands: what others refer to comes first. */
export function creationRank({ resource }: SubmittedObject): number {
  const rank = CREATION_ORDER.indexOf(resource);
  return rank < 0 ? CREATION_ORDER.length : rank;
}

const CREATION_ORDER: readonly Resource[] = [
  ...(['namespaces', 'priorityclasses', 'storageclasses', 'nodes', 'csidrivers', 'csinodes'] as const),
  ...(['persistentvolumes', 'persistentvolumeclaims', 'services', 'poddisruptionbudgets'] as const),
];
