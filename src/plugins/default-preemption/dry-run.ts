import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodRequirements } from '../../framework/pod-info.ts';
import { canTally } from '../../framework/runtime/tallied-filters.ts';
import type { Status } from '../../framework/status.ts';
import type { Candidate } from './candidates.ts';
import type { DisruptionBudgets } from './disruption-budgets.ts';
import type { TrialModules } from './node-trial.ts';
import { ObjectTrial } from './object-trial.ts';
import { selectVictimsOnNode, type VictimSelection } from './select-victims.ts';
import { TallyTrial } from './tally-trial.ts';

/** Finds out, node by node, whom a pod would have to push aside. */
export interface DryRun {
  /** A status says why evicting pods of this node does not help. */
  run(node: NodeInfo): Candidate | Status;
}

export interface DryRunModules extends TrialModules {
  readonly budgets: DisruptionBudgets;
}

/** The dry run that every plugin can take part in. */
export function objectDryRun(modules: DryRunModules): DryRun {
  const { pod, budgets } = modules;
  const selection: VictimSelection = { pod, budgets, newTrial: (node) => new ObjectTrial(modules, node) };
  return { run: (node) => selectVictimsOnNode(node, selection) };
}

/** The same answers faster; null when the verdict of some filter on other pods cannot be tallied. */
export function tallyDryRun(modules: DryRunModules, memory: DryRunMemory): DryRun | null {
  return canTally(modules.filters) ? new TallyDryRun(modules, memory) : null;
}

/** A node's answer, for as long as nothing that it was made from has changed. */
interface Remembered {
  readonly node: NodeInfo;
  readonly generation: number;
  readonly budgetsVersion: number;
  readonly requirements: PodRequirements;
  readonly priority: number;
  readonly result: Candidate | Status;
}

/** Answers by slot. Many pods of one kind preempt one after the other, and each changes one node. */
export type DryRunMemory = (Remembered | undefined)[];

class TallyDryRun implements DryRun {
  readonly #memory: DryRunMemory;
  readonly #selection: VictimSelection;
  /** Where the pod itself is nominated. */
  readonly #ownNodes: readonly string[];

  constructor(modules: DryRunModules, memory: DryRunMemory) {
    const { pod, budgets, nominator } = modules;
    this.#memory = memory;
    this.#selection = { pod, budgets, newTrial: (node) => new TallyTrial(modules, node) };
    this.#ownNodes = nominator.nominatedNodesOf(pod);
  }

  run(node: NodeInfo): Candidate | Status {
    const { pod, budgets } = this.#selection;
    // A pod does not stand in its own way: what holds for it on its nominated node holds for no other.
    if (this.#ownNodes.length > 0 && this.#ownNodes.includes(node.name)) {
      return selectVictimsOnNode(node, this.#selection);
    }
    const { requirements, priority } = pod;
    const known = this.#memory[node.slot];
    if (
      known !== undefined &&
      known.requirements === requirements &&
      known.node === node &&
      known.generation === node.generation &&
      known.priority === priority &&
      known.budgetsVersion === budgets.version
    ) {
      return known.result;
    }
    const result = selectVictimsOnNode(node, this.#selection);
    const { generation } = node;
    const budgetsVersion = budgets.version;
    this.#memory[node.slot] = { node, generation, budgetsVersion, requirements, priority, result };
    return result;
  }
}
