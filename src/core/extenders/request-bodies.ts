import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { NodeVictims } from '../../framework/post-filter.ts';
import { memoized } from '../../lib/memoized.ts';
import type { Extender } from './extender.ts';

/**
 * The bodies of requests (k8s.io/kube-scheduler/extender/v1) have capitalised fields; fields that are not used are
 * null. Objects have the fields that Go always writes, and no kind, which Go does not write.
 */

/** The body for filter and prioritize. */
export function nodesBody({ isNodeCacheCapable }: Extender, pod: Pod, nodes: readonly NodeInfo[]): string {
  const [full, names] = isNodeCacheCapable
    ? ['null', JSON.stringify(nodes.map(({ name }) => name))]
    : [`{"metadata":{},"items":[${nodes.map(({ node }) => nodeText(node)).join(',')}]}`, 'null'];
  return `{"Pod":${podText(pod)},"Nodes":${full},"NodeNames":${names}}`;
}

export function preemptBody({ isNodeCacheCapable }: Extender, pod: Pod, candidates: readonly NodeVictims[]): string {
  const byNode = (podOf: (victim: PodInfo) => string): string => {
    // Go writes maps by key.
    const sorted = candidates.toSorted((a, b) => (a.node.name < b.node.name ? -1 : 1));
    const entries = sorted.map(({ node, victims, pdbViolations }) => {
      const pods = victims.map(podOf).join(',');
      return `${JSON.stringify(node.name)}:{"Pods":[${pods}],"NumPDBViolations":${pdbViolations}}`;
    });
    return `{${entries.join(',')}}`;
  };
  const [full, meta] = isNodeCacheCapable
    ? ['null', byNode((victim) => JSON.stringify({ UID: victim.uid }))]
    : [byNode((victim) => podText(victim.pod)), 'null'];
  return `{"Pod":${podText(pod)},"NodeNameToVictims":${full},"NodeNameToMetaVictims":${meta}}`;
}

export function bindBody({ uid, namespace, name }: PodInfo, nodeName: string): string {
  return JSON.stringify({ PodName: name, PodNamespace: namespace, PodUID: uid, Node: nodeName });
}

const podText = memoized((pod: Pod): string => {
  const { apiVersion: _version, kind: _kind, metadata = {}, spec = { containers: null }, status = {}, ...rest } = pod;
  return JSON.stringify({ metadata, spec, status, ...rest });
});

const EMPTY_NODE_INFO = {
  machineID: '',
  systemUUID: '',
  bootID: '',
  kernelVersion: '',
  osImage: '',
  containerRuntimeVersion: '',
  kubeletVersion: '',
  kubeProxyVersion: '',
  operatingSystem: '',
  architecture: '',
};
const ALWAYS_IN_STATUS = { daemonEndpoints: { kubeletEndpoint: { Port: 0 } }, nodeInfo: EMPTY_NODE_INFO };

/** The text of a node is kept because all nodes are sent for every pod. */
const nodeText = memoized((node: Node): string => {
  const { apiVersion: _version, kind: _kind, metadata = {}, spec = {}, status = {}, ...rest } = node;
  return JSON.stringify({ metadata, spec, status: { ...status, ...missingFrom(status) }, ...rest });
});

function missingFrom(status: object): object {
  return Object.fromEntries(Object.entries(ALWAYS_IN_STATUS).filter(([key]) => !(key in status)));
}
