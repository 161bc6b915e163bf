import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { FilterPlugin, PodNominator } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { PluginsRunner } from '../../framework/post-filter.ts';
import { errorStatus, type Status, unresolvable } from '../../framework/status.ts';
import { type Candidate, candidateOf } from './candidates.ts';
import type { DisruptionBudgets } from './disruption-budgets.ts';
import { sortByImportance } from './victims.ts';

/** Finds out, node by node, whom a pod would have to push aside. */
export interface DryRun {
  /** A status says why evicting pods of this node does not help. */
  run(node: NodeInfo): Candidate | Status;
}

export interface DryRunModules {
  readonly framework: PluginsRunner;
  readonly nominator: PodNominator;
  readonly budgets: DisruptionBudgets;
  /** As PreFilter left it. */
  readonly state: CycleState;
  readonly filters: readonly FilterPlugin[];
  readonly pod: PodInfo;
}

export const NO_VICTIMS = unresolvable('', 'No preemption victims found for incoming pod');

/** The node takes the pod as it is: then it should not have been rejected. */
export function noVictimNeeded(node: NodeInfo): Status {
  return errorStatus('', `expected at least one victim pod on node "${node.name}"`);
}

export function isCandidate(result: Candidate | Status): result is Candidate {
  return 'victims' in result;
}

/** Works on copies of the node and of the PreFilter state, with every plugin (upstream's SelectVictimsOnNode). */
export class ObjectDryRun implements DryRun {
  readonly #modules: DryRunModules;

  constructor(modules: DryRunModules) {
    this.#modules = modules;
  }

  run(original: NodeInfo): Candidate | Status {
    const { pod, budgets, state } = this.#modules;
    const potential = original.pods.filter((other) => other.priority < pod.priority);
    if (potential.length === 0) return NO_VICTIMS;

    const copy = { node: original.clone(), state: state.clone() };
    for (const victim of potential) {
      const failure = this.#remove(copy, victim);
      if (failure !== null) return failure;
    }
    const rejected = this.#filter(copy);
    if (rejected !== null) return rejected;

    sortByImportance(potential);
    const { violating, nonViolating } = budgets.split(potential);
    const victims: PodInfo[] = [];
    // Those that a budget protects are the first to be spared, in each group the most important first.
    for (const other of [...violating, ...nonViolating]) {
      const failure = this.#reprieve(copy, other, victims);
      if (failure !== null) return failure;
    }
    if (victims.length === 0) return noVictimNeeded(original);
    const protectedPods = new Set(violating);
    const pdbViolations = victims.filter((victim) => protectedPods.has(victim)).length;
    if (violating.length > 0 && nonViolating.length > 0) sortByImportance(victims);
    return candidateOf(original, victims, pdbViolations);
  }

  /** Puts the pod back if the other one still fits then; otherwise it is a victim. */
  #reprieve(copy: NodeCopy, other: PodInfo, victims: PodInfo[]): Status | null {
    const { framework, pod } = this.#modules;
    copy.node.addPod(other);
    const failure = framework.runAddPod(copy.state, pod, other, copy.node);
    if (failure !== null) return failure;
    if (this.#filter(copy) === null) return null;
    victims.push(other);
    return this.#remove(copy, other);
  }

  #remove(copy: NodeCopy, victim: PodInfo): Status | null {
    copy.node.removePod(victim);
    return this.#modules.framework.runRemovePod(copy.state, this.#modules.pod, victim, copy.node);
  }

  #filter({ node, state }: NodeCopy): Status | null {
    const { framework, filters, pod, nominator } = this.#modules;
    return framework.runFilterWithNominatedPods(filters, state, pod, node, nominator);
  }
}

interface NodeCopy {
  readonly node: NodeInfo;
  readonly state: CycleState;
}
