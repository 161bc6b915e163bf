import { defaultStorageClassName, withPriority, withStorageClass } from '../api/admission.ts';
import { defaultNamespace } from '../api/object-defaults.ts';
import type { Pod } from '../api/pod.ts';
import type { PriorityClass } from '../api/priority-class.ts';
import type { ClusterManifest, OtherObject } from './cluster-manifest.ts';

/**
 * Completes the objects as an API server would have: pods get the priority of their class, claims the default storage
 * class, and every used namespace exists. A pod whose class is missing must have finished, and stays as it is.
 */
export function admit(
  cluster: Required<ClusterManifest>,
  classes: readonly PriorityClass[],
): Required<ClusterManifest> {
  const byName = new Map(classes.map((priorityClass) => [priorityClass.metadata?.name ?? '', priorityClass]));
  const globalDefault = classes.find((priorityClass) => priorityClass.globalDefault === true) ?? null;
  const pods = cluster.pods.map((pod) => withPriority(pod, byName, globalDefault) ?? pod);
  const others = withDefaultClass(cluster.others);
  return { nodes: cluster.nodes, pods, others: [...missingNamespaces(pods, others), ...others] };
}

function withDefaultClass(others: readonly OtherObject[]): readonly OtherObject[] {
  const classes = others.flatMap((other) => (other.kind === 'StorageClass' ? [other.object] : []));
  const className = defaultStorageClassName(classes);
  if (className === null) return others;
  return others.map((other) =>
    other.kind === 'PersistentVolumeClaim' ? { ...other, object: withStorageClass(other.object, className) } : other,
  );
}

/** The namespaces that are used but missing in the input. A selector of namespaces sees their names. */
function missingNamespaces(pods: readonly Pod[], others: readonly OtherObject[]): OtherObject[] {
  const known = new Set(others.map((other) => (other.kind === 'Namespace' ? other.object.metadata?.name : undefined)));
  const used = new Set(pods.map((pod) => pod.metadata?.namespace ?? ''));
  return [...used]
    .filter((name) => name !== '' && !known.has(name))
    .map((name) => ({ kind: 'Namespace', object: defaultNamespace({ metadata: { name } }) }));
}
