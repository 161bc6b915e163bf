import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import { SYSTEM_PRIORITY_CLASSES } from '../api/priority-class.ts';
import { expandWorkloads } from '../expansion/expand-workloads.ts';
import { controllerOf } from '../expansion/present-pods.ts';
import type { WorkloadManifest } from '../manifests/workload-manifest.ts';

/** Makes the pods that DaemonSets would put on new nodes. */
export type DaemonPods = (nodes: readonly Node[]) => readonly Pod[];

/**
 * The pods of the DaemonSets among these workloads, with the priority that those have that are there already.
 *
 * @param present the pods of the cluster
 */
export function daemonPodsOf(workloads: readonly WorkloadManifest[], present: readonly Pod[]): DaemonPods {
  const sets = workloads.filter(({ kind }) => kind === 'DaemonSet');
  if (sets.length === 0) return () => [];
  const priorities = new Map<string, number>();
  for (const pod of present) priorities.set(setKey(pod), pod.spec?.priority ?? 0);
  return (nodes) => {
    const { pods } = expandWorkloads(sets, { nodes, pods: present, others: [] });
    return pods.map((pod): Pod => {
      const { priorityClassName = '', priority } = pod.spec ?? {};
      const known = priorities.get(setKey(pod)) ?? SYSTEM_PRIORITY_CLASSES.get(priorityClassName)?.value;
      return { ...pod, spec: { ...(pod.spec ?? { containers: [] }), priority: priority ?? known ?? 0 } };
    });
  };
}

function setKey(pod: Pod): string {
  const { kind = '', name = '' } = controllerOf(pod) ?? {};
  return kind === 'DaemonSet' ? `${pod.metadata?.namespace}/${name}` : '';
}
