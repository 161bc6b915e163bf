import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { errorStatus, type Status, unresolvable } from '../../framework/status.ts';
import { type Candidate, candidateOf } from './candidates.ts';
import type { DisruptionBudgets } from './disruption-budgets.ts';
import type { NodeTrial } from './node-trial.ts';
import { sortByImportance } from './victims.ts';

export const NO_VICTIMS = unresolvable('', 'No preemption victims found for incoming pod');

export interface VictimSelection {
  /** The pod to schedule. */
  readonly pod: PodInfo;
  readonly budgets: DisruptionBudgets;
  readonly newTrial: (node: NodeInfo) => NodeTrial;
}

/**
 * Finds whom the pod would have to push aside on the node (upstream's SelectVictimsOnNode): all pods of lower priority
 * leave, and whoever fits in beside the pod is put back. A status says why evicting pods of this node does not help.
 */
export function selectVictimsOnNode(node: NodeInfo, selection: VictimSelection): Candidate | Status {
  const { pod, budgets, newTrial } = selection;
  const potential = node.pods.filter((other) => other.priority < pod.priority);
  if (potential.length === 0) return NO_VICTIMS;

  const trial = newTrial(node);
  for (const victim of potential) {
    const failure = trial.remove(victim);
    if (failure !== null) return failure;
  }
  const rejected = trial.rejection();
  if (rejected !== null) return rejected;

  sortByImportance(potential);
  // Those that a budget protects are the first to be spared, in each group the most important first.
  const { violating, nonViolating } = budgets.split(potential);
  const victims: PodInfo[] = [];
  for (const other of violating) {
    const failure = reprieve(trial, other, victims);
    if (failure !== null) return failure;
  }
  const pdbViolations = victims.length;
  for (const other of nonViolating) {
    const failure = reprieve(trial, other, victims);
    if (failure !== null) return failure;
  }
  // The node takes the pod as it is: then it should not have been rejected.
  if (victims.length === 0) return errorStatus('', `expected at least one victim pod on node "${node.name}"`);
  if (violating.length > 0 && nonViolating.length > 0) sortByImportance(victims);
  return candidateOf(node, victims, pdbViolations);
}

/** Puts the other pod back if the pod to schedule still fits then; otherwise the other one is a victim. */
function reprieve(trial: NodeTrial, other: PodInfo, victims: PodInfo[]): Status | null {
  const failure = trial.addBack(other);
  if (failure !== null) return failure;
  if (trial.fits()) return null;
  victims.push(other);
  return trial.remove(other);
}
