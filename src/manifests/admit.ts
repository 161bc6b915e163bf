import { defaultStorageClassName, withPriority, withStorageClass } from '../api/admission.ts';
import { defaultNamespace } from '../api/object-defaults.ts';
import type { Pod } from '../api/pod.ts';
import type { PriorityClass } from '../api/priority-class.ts';
import type { ClusterObjects, OtherObject } from './cluster-objects.ts';

/**
 * What an API server would have made of the objects together: pods have the priority of their class, claims the default
 * storage class, and every namespace that is used exists. A pod whose class is missing has finished: it stays as it is.
 */
export function admit(cluster: Required<ClusterObjects>, classes: readonly PriorityClass[]): Required<ClusterObjects> {
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

/** Whatever the input leaves out of a namespace, a selector of namespaces sees its name. */
function missingNamespaces(pods: readonly Pod[], others: readonly OtherObject[]): OtherObject[] {
  const known = new Set(others.map((other) => (other.kind === 'Namespace' ? other.object.metadata?.name : undefined)));
  const used = new Set(pods.map((pod) => pod.metadata?.namespace ?? ''));
  return [...used]
    .filter((name) => name !== '' && !known.has(name))
    .map((name) => ({ kind: 'Namespace', object: defaultNamespace({ metadata: { name } }) }));
}
