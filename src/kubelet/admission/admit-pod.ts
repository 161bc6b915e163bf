import type { Node } from '../../api/node.ts';
import { compileRequiredNodeAffinity, type RequiredNodeAffinity } from '../../api/node-selector.ts';
import type { Container, ContainerPort, Pod, PodSpec } from '../../api/pod.ts';
import { findUntoleratedTaint } from '../../api/taints.ts';
import { someOf } from '../../lib/frozen-lists.ts';
import type { PodFailure } from '../status/pod-status.ts';
import type { NodeLoad } from './node-load.ts';
import { findShortage } from './node-room.ts';

/**
 * Why a node rejects a pod that was bound to it, given the pods that it already has; undefined if it accepts the pod.
 * The scheduler has checked the same, but its view may have been stale.
 *
 * The checks, in order: resources (`OutOfcpu`, `OutOfpods`), node selector and affinity (`NodeAffinity`), node name
 * (`NodeName`), host ports (`NodePorts`), taints with effect NoExecute (`TaintToleration`).
 *
 * Upstream: predicateAdmitHandler in pkg/kubelet/lifecycle/predicate.go.
 */
export function refusalOf(node: Node, load: NodeLoad, pod: Pod): PodFailure | undefined {
  const shortage = findShortage(node, load, pod);
  if (shortage !== undefined) {
    const { resource, requested, used, capacity } = shortage;
    const amounts = `requested: ${requested}, used: ${used}, capacity: ${capacity}`;
    return { reason: `OutOf${resource}`, message: `Node didn't have enough resource: ${resource}, ${amounts}` };
  }
  if (!isOfWantedNodes(pod.spec, node)) {
    return failedPredicate('NodeAffinity', "node(s) didn't match Pod's node affinity/selector");
  }
  if (pod.spec?.nodeName !== node.metadata?.name) {
    return failedPredicate('NodeName', "node(s) didn't match the requested node name");
  }
  if (!hasFreePorts(load, pod)) {
    return failedPredicate('NodePorts', "node(s) didn't have free ports for the requested pod ports");
  }
  const taint = findUntoleratedTaint(node.spec?.taints, pod.spec?.tolerations, (effect) => effect === 'NoExecute');
  return taint && failedPredicate('TaintToleration', 'node(s) had taints that the pod did not tolerate');
}

/** The last affinity that was compiled: pods of one template share it. */
let compiled: CompiledAffinity | undefined;

interface CompiledAffinity {
  readonly nodeSelector: unknown;
  readonly affinity: unknown;
  readonly required: RequiredNodeAffinity;
}

function isOfWantedNodes(spec: PodSpec = {}, node: Node): boolean {
  const { nodeSelector, affinity } = spec;
  if (nodeSelector === undefined && affinity?.nodeAffinity === undefined) return true;
  const last = compiled;
  if (last !== undefined && last.nodeSelector === nodeSelector && last.affinity === affinity)
    return last.required.match(node);
  const required = compileRequiredNodeAffinity(spec);
  if (Object.isFrozen(nodeSelector) && Object.isFrozen(affinity)) compiled = { nodeSelector, affinity, required };
  return required.match(node);
}

function failedPredicate(reason: string, why: string): PodFailure {
  return { reason, message: `Predicate ${reason} failed: ${why}` };
}

const ANY_IP = '0.0.0.0';

function hasFreePorts(load: NodeLoad, pod: Pod): boolean {
  if (!someOf(pod.spec?.containers, namesPorts)) return true;
  const wanted = hostPortsOf(pod);
  if (wanted.length === 0) return true;
  const taken = [...load.pods()].flatMap(hostPortsOf);
  return !wanted.some((port) => taken.some((other) => areInConflict(port, other)));
}

function namesPorts({ ports }: Container): boolean {
  return ports !== undefined;
}

function hostPortsOf({ spec }: Pod): ContainerPort[] {
  return (spec?.containers ?? []).flatMap(({ ports = [] }) => ports.filter(({ hostPort }) => hostPort));
}

function areInConflict(a: ContainerPort, b: ContainerPort): boolean {
  if (a.hostPort !== b.hostPort || (a.protocol || 'TCP') !== (b.protocol || 'TCP')) return false;
  const [first, second] = [a.hostIP || ANY_IP, b.hostIP || ANY_IP];
  return first === second || first === ANY_IP || second === ANY_IP;
}
