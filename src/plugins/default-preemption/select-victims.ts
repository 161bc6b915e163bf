import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { errorStatus, type Status, unresolvable } from '../../framework/status.ts';
import { type Candidate, candidateOf } from './candidates.ts';
import type { DisruptionBudgets } from './disruption-budgets.ts';
import type { DryRunNode } from './dry-run-node.ts';
import { sortByImportance } from './victims.ts';

export const NO_VICTIMS = unresolvable('', 'No preemption victims found for incoming pod');

export interface VictimSelection {
  /** The pod to schedule. */
  readonly pod: PodInfo;
  readonly budgets: DisruptionBudgets;
  readonly newDryRunNode: (node: NodeInfo) => DryRunNode;
}

/**
 * Selects the victims of the pod on the node (upstream's SelectVictimsOnNode): all pods of lower priority are removed,
 * and those that fit beside the pod are added back. Returns a status if evicting pods of this node does not help.
 */
export function selectVictimsOnNode(node: NodeInfo, selection: VictimSelection): Candidate | Status {
  const { pod, budgets, newDryRunNode } = selection;
  const potential = node.pods.filter((other) => other.priority < pod.priority);
  if (potential.length === 0) return NO_VICTIMS;

  const dryRunNode = newDryRunNode(node);
  for (const victim of potential) {
    const failure = dryRunNode.remove(victim);
    if (failure !== null) return failure;
  }
  const rejected = dryRunNode.rejection();
  if (rejected !== null) return rejected;

  sortByImportance(potential);
  // Pods that a budget protects are added back first, and in each group the most important ones.
  const { violating, nonViolating } = budgets.split(potential);
  const victims: PodInfo[] = [];
  for (const other of violating) {
    const failure = reprieve(dryRunNode, other, victims);
    if (failure !== null) return failure;
  }
  const pdbViolations = victims.length;
  for (const other of nonViolating) {
    const failure = reprieve(dryRunNode, other, victims);
    if (failure !== null) return failure;
  }
  // The node fits the pod with all its pods, although it was rejected before.
  if (victims.length === 0) return errorStatus('', `expected at least one victim pod on node "${node.name}"`);
  if (violating.length > 0 && nonViolating.length > 0) sortByImportance(victims);
  return candidateOf(node, victims, pdbViolations);
}

/** Adds the other pod back; if the pod to schedule then does not fit, the other pod becomes a victim. */
function reprieve(dryRunNode: DryRunNode, other: PodInfo, victims: PodInfo[]): Status | null {
  const failure = dryRunNode.addBack(other);
  if (failure !== null) return failure;
  if (dryRunNode.fits()) return null;
  victims.push(other);
  return dryRunNode.remove(other);
}
