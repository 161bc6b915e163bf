import type { NodeInfo } from '../../framework/node-info.ts';
import type { Status } from '../../framework/status.ts';
import type { Candidate } from './candidates.ts';
import type { DryRun } from './dry-run.ts';
import { NO_VICTIMS } from './select-victims.ts';

interface Lowest {
  readonly node: NodeInfo;
  readonly generation: number;
  readonly priority: number;
}

/** The priority of the least important pod of each node, for as long as nothing changes there. */
export class LowestPriorities {
  readonly #bySlot: (Lowest | undefined)[] = [];

  /** Infinity for an empty node. */
  of(node: NodeInfo): number {
    const { slot, generation } = node;
    const known = this.#bySlot[slot];
    if (known !== undefined && known.node === node && known.generation === generation) return known.priority;
    let priority = Number.POSITIVE_INFINITY;
    for (const pod of node.pods) priority = Math.min(priority, pod.priority);
    this.#bySlot[slot] = { node, generation, priority };
    return priority;
  }
}

/**
 * Looks only at nodes on which somebody is less important. What the dry run of such a node takes, counts of all pods
 * perhaps, is made for the first of them: most pods that fit nowhere find none.
 */
export class NeededDryRun implements DryRun {
  readonly #priority: number;
  readonly #lowest: LowestPriorities;
  readonly #make: () => DryRun;
  #made: DryRun | null = null;

  constructor(priority: number, lowest: LowestPriorities, make: () => DryRun) {
    this.#priority = priority;
    this.#lowest = lowest;
    this.#make = make;
  }

  run(node: NodeInfo): Candidate | Status {
    if (this.#lowest.of(node) >= this.#priority) return NO_VICTIMS;
    this.#made ??= this.#make();
    return this.#made.run(node);
  }
}
