/**
 * Defaults that the API server fills in for objects besides nodes and pods, as far as scheduling reads them
 * (pkg/apis/core/v1/defaults.go, pkg/apis/storage/v1/defaults.go). Nothing is mutated.
 */
import { KINDS, type Kind, type Kinds } from './kinds.ts';
import type { StorageClass } from './storage.ts';
import type { Namespace, ReplicationController } from './workloads.ts';

/** The label that contains the name of every namespace. */
const NAMESPACE_NAME_LABEL = 'kubernetes.io/metadata.name';

const DEFAULT_NAMESPACE = 'default';

type DefaultedKind = Exclude<Kind, 'Node' | 'Pod'>;

const DEFAULTS: { readonly [K in DefaultedKind]?: (object: Kinds[K]) => Kinds[K] } = {
  Namespace: defaultNamespace,
  ReplicationController: defaultReplicationController,
  StorageClass: defaultStorageClass,
};

export function defaultObject<K extends DefaultedKind>(kind: K, object: Kinds[K]): Kinds[K] {
  const fill = DEFAULTS[kind] as ((object: Kinds[K]) => Kinds[K]) | undefined;
  const placed = KINDS[kind].isNamespaced ? inNamespace(object) : object;
  return fill === undefined ? placed : fill(placed);
}

function inNamespace<T extends Kinds[DefaultedKind]>(object: T): T {
  if (object.metadata?.namespace) return object;
  return { ...object, metadata: { ...object.metadata, namespace: DEFAULT_NAMESPACE } };
}

export function defaultNamespace(namespace: Namespace): Namespace {
  const { metadata = {} } = namespace;
  const labels = { ...metadata.labels, [NAMESPACE_NAME_LABEL]: metadata.name ?? '' };
  return { ...namespace, metadata: { ...metadata, labels } };
}

function defaultReplicationController(controller: ReplicationController): ReplicationController {
  const { spec } = controller;
  const selector = spec?.template?.metadata?.labels;
  if (selector === undefined || Object.keys(spec?.selector ?? {}).length > 0) return controller;
  return { ...controller, spec: { ...spec, selector } };
}

function defaultStorageClass(storageClass: StorageClass): StorageClass {
  return storageClass.volumeBindingMode ? storageClass : { ...storageClass, volumeBindingMode: 'Immediate' };
}
