import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo, PodRequirements } from '../../framework/pod-info.ts';
import { nominatedAhead } from '../../framework/runtime/framework.ts';
import type { Status } from '../../framework/status.ts';
import { add, type Int64, subtract } from '../../lib/int64.ts';
import { NodeResourcesFit, type RequestedResource } from '../node-resources/fit.ts';
import { amountOf } from '../node-resources/resource-amounts.ts';
import { type Candidate, candidateOf } from './candidates.ts';
import { type DryRun, type DryRunModules, NO_VICTIMS, noVictimNeeded } from './dry-run.ts';
import { sortByImportance } from './victims.ts';

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

/**
 * The same answers as `ObjectDryRun` by sums of requests alone, without copying anything: for pods of which all that
 * evictions change is NodeResourcesFit.
 */
export class NumericDryRun implements DryRun {
  readonly #modules: DryRunModules;
  readonly #memory: DryRunMemory;
  readonly #requested: readonly RequestedResource[];
  readonly #fit: NodeResourcesFit;
  /** Where the pod itself is nominated. */
  readonly #ownNodes: readonly string[];

  /** null when some other plugin's verdict depends on the pods of the node, too. */
  static for(modules: DryRunModules, memory: DryRunMemory): NumericDryRun | null {
    const { filters, state } = modules;
    const fit = filters.find((plugin) => plugin instanceof NodeResourcesFit);
    if (fit === undefined) return null;
    if (filters.some((plugin) => plugin !== fit && plugin.filterReads !== 'node')) return null;
    return new NumericDryRun(modules, memory, fit, fit.requested(state));
  }

  private constructor(
    modules: DryRunModules,
    memory: DryRunMemory,
    fit: NodeResourcesFit,
    requested: readonly RequestedResource[],
  ) {
    this.#modules = modules;
    this.#memory = memory;
    this.#fit = fit;
    this.#requested = requested;
    this.#ownNodes = modules.nominator.nominatedNodesOf(modules.pod);
  }

  run(node: NodeInfo): Candidate | Status {
    const { pod, budgets } = this.#modules;
    // A pod does not stand in its own way: what holds for it on its nominated node holds for no other.
    if (this.#ownNodes.length > 0 && this.#ownNodes.includes(node.name)) return this.#select(node);
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
    const result = this.#select(node);
    const { generation } = node;
    const budgetsVersion = budgets.version;
    this.#memory[node.slot] = { node, generation, budgetsVersion, requirements, priority, result };
    return result;
  }

  #select(node: NodeInfo): Candidate | Status {
    const { pod, budgets } = this.#modules;
    const potential = node.pods.filter((other) => other.priority < pod.priority);
    if (potential.length === 0) return NO_VICTIMS;

    const room = this.#roomWithout(node, potential);
    const rejected = this.#rejected(node, room);
    if (rejected !== null) return rejected;

    sortByImportance(potential);
    const { violating, nonViolating } = budgets.split(potential);
    const victims: PodInfo[] = [];
    for (const other of violating) if (!this.#reprieve(room, other)) victims.push(other);
    const pdbViolations = victims.length;
    for (const other of nonViolating) if (!this.#reprieve(room, other)) victims.push(other);
    if (victims.length === 0) return noVictimNeeded(node);
    if (violating.length > 0 && nonViolating.length > 0) sortByImportance(victims);
    return candidateOf(node, victims, pdbViolations);
  }

  /** What is used once all potential victims are gone and the nominated pods are there. */
  #roomWithout(node: NodeInfo, gone: readonly PodInfo[]): Room {
    const ahead = nominatedAhead(this.#modules.nominator.nominatedPodsForNode(node.name), this.#modules.pod);
    const amounts = this.#requested.map(({ name, request }) => {
      let used: Int64 = amountOf(node.requested, name);
      for (const { requirements } of gone) used = subtract(used, amountOf(requirements.requests, name));
      for (const { requirements } of ahead) used = add(used, amountOf(requirements.requests, name));
      const free = subtract(amountOf(node.allocatable, name), used);
      return { name, request, used, free };
    });
    return { podCount: node.pods.length - gone.length + ahead.length, maxPodCount: node.allowedPodCount, amounts };
  }

  /** As the filters would, in their order. The pass without nominated pods needs no look: it leaves more room. */
  #rejected(node: NodeInfo, { podCount, amounts }: Room): Status | null {
    const { filters, state, pod } = this.#modules;
    const usedOf = (name: string): Int64 => amounts.find((amount) => amount.name === name)?.used ?? 0;
    for (const plugin of filters) {
      const status =
        plugin === this.#fit
          ? this.#fit.verdict(this.#requested, node, podCount, usedOf)
          : plugin.filter(state, pod, node);
      if (status !== null) return status;
    }
    return null;
  }

  /** Takes the room for a pod if the pod to schedule still fits then. */
  #reprieve(room: Room, { requirements }: PodInfo): boolean {
    if (room.podCount + 2 > room.maxPodCount) return false;
    const { requests } = requirements;
    for (const { name, request, free } of room.amounts) {
      if (request > subtract(free, amountOf(requests, name))) return false;
    }
    for (const amount of room.amounts) amount.free = subtract(amount.free, amountOf(requests, amount.name));
    room.podCount++;
    return true;
  }
}

interface Room {
  podCount: number;
  readonly maxPodCount: number;
  readonly amounts: { readonly name: string; readonly request: Int64; readonly used: Int64; free: Int64 }[];
}
