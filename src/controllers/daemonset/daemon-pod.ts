import type { DaemonSet } from '../../api/daemon-set.ts';
import type { Node } from '../../api/node.ts';
import {
  compileRequiredNodeAffinity,
  type NodeSelectorTerm,
  type RequiredNodeAffinity,
} from '../../api/node-selector.ts';
import type { Pod, PodSpec } from '../../api/pod.ts';
import type { PodTemplate } from '../../api/pod-template.ts';
import { REVISION_HASH_KEY } from '../../api/stateful-set.ts';
import { DO_NOT_SCHEDULE, findUntoleratedTaint, type Toleration } from '../../api/taints.ts';
import { memoized } from '../../lib/memoized.ts';
import { podOfTemplate } from '../owned-pods/pod-writes.ts';

const NODE_NAME_FIELD = 'metadata.name';

/** Upstream: AddOrUpdateDaemonPodTolerations in pkg/controller/daemon/util/daemonset_util.go. */
const TOLERATIONS: readonly Toleration[] = [
  ...['not-ready', 'unreachable'].map((name) => tolerationOf(name, 'NoExecute')),
  ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((name) =>
    tolerationOf(name, 'NoSchedule'),
  ),
];
const HOST_NETWORK_TOLERATION = tolerationOf('network-unavailable', 'NoSchedule');

function tolerationOf(name: string, effect: string): Toleration {
  return { key: `node.kubernetes.io/${name}`, operator: 'Exists', effect };
}

/** The template with the tolerations of all daemon pods; equal ones of its own are replaced. */
const daemonSpec = memoized((spec: PodSpec): PodSpec => {
  const added = spec.hostNetwork === true ? [...TOLERATIONS, HOST_NETWORK_TOLERATION] : TOLERATIONS;
  const own = (spec.tolerations ?? []).map(
    (each) =>
      added.find(({ key, effect }) => each.key === key && each.effect === effect && each.operator === 'Exists') ?? each,
  );
  return { ...spec, tolerations: [...new Set([...own, ...added])] };
});

/** The pod for this node: the scheduler may place it only there. Upstream: ReplaceDaemonSetPodNodeNameNodeAffinity. */
export function daemonPod(set: DaemonSet, hash: string, nodeName: string): Pod {
  const template: PodTemplate = set.spec?.template ?? {};
  const pod = podOfTemplate({ apiVersion: 'apps/v1', kind: 'DaemonSet', object: set }, template);
  const spec = daemonSpec(template.spec ?? {});
  const term: NodeSelectorTerm = { matchFields: [{ key: NODE_NAME_FIELD, operator: 'In', values: [nodeName] }] };
  const nodeAffinity = {
    ...spec.affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] },
  };
  const generation = set.metadata?.annotations?.['deprecated.daemonset.template.generation'];
  const labels = { ...(generation && { 'pod-template-generation': generation }), [REVISION_HASH_KEY]: hash };
  return {
    metadata: { ...pod.metadata, labels: { ...pod.metadata?.labels, ...labels } },
    spec: { ...spec, affinity: { ...spec.affinity, nodeAffinity } },
  };
}

/** The node that the pod is on, or for which it was made; undefined if neither is known. */
export function targetNodeOf({ spec }: Pod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  for (const { matchFields = [] } of required?.nodeSelectorTerms ?? []) {
    const [field] = matchFields.filter(({ key, operator }) => key === NODE_NAME_FIELD && operator === 'In');
    const [name] = field?.values ?? [];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Whether a node is to get a daemon pod, and whether it may keep one. */
export interface NodeFit {
  readonly shouldRun: boolean;
  readonly mayContinue: boolean;
}

const requiredAffinity = memoized((spec: PodSpec): RequiredNodeAffinity => compileRequiredNodeAffinity(spec));

const NO: NodeFit = { shouldRun: false, mayContinue: false };
const YES: NodeFit = { shouldRun: true, mayContinue: true };
const KEEP: NodeFit = { shouldRun: false, mayContinue: true };

/** Upstream: NodeShouldRunDaemonPod in pkg/controller/daemon/daemon_controller.go. */
export function nodeFit(set: DaemonSet, node: Node): NodeFit {
  const spec = daemonSpec(set.spec?.template?.spec ?? {});
  if (spec.nodeName && spec.nodeName !== node.metadata?.name) return NO;
  if (!requiredAffinity(spec).match(node)) return NO;
  const { taints } = node.spec ?? {};
  if (findUntoleratedTaint(taints, spec.tolerations, DO_NOT_SCHEDULE) === undefined) return YES;
  return findUntoleratedTaint(taints, spec.tolerations, (effect) => effect === 'NoExecute') === undefined ? KEEP : NO;
}
