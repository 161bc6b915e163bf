import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { NodeVictims } from '../../framework/post-filter.ts';
import type { DefaultPreemptionArgs } from './args.ts';
import { podStartMillis } from './victims.ts';

/** A node that fits the pod once the victims are gone, with the numbers by which candidates are compared. */
export interface Candidate extends NodeVictims {
  /** The priority of the first victim. */
  readonly highestPriority: number;
  /** The sum of (priority + 2^31) of all victims, so that more victims are never cheaper. */
  readonly prioritySum: number;
  /** The earliest start among the victims of the highest priority. */
  readonly earliestStartMillis: number;
}

const PRIORITY_OFFSET = 2 ** 31;

export function candidateOf(node: NodeInfo, victims: readonly PodInfo[], pdbViolations: number): Candidate {
  const highestPriority = victims[0]?.priority ?? 0;
  let prioritySum = 0;
  let earliestStartMillis = Number.POSITIVE_INFINITY;
  // An extender may have reordered the victims; then the first need not have the highest priority.
  let most = highestPriority;
  for (const victim of victims) {
    prioritySum += victim.priority + PRIORITY_OFFSET;
    if (victim.priority > most) earliestStartMillis = Number.POSITIVE_INFINITY;
    most = Math.max(most, victim.priority);
    if (victim.priority === most) earliestStartMillis = Math.min(earliestStartMillis, podStartMillis(victim));
  }
  return { node, victims, pdbViolations, highestPriority, prioritySum, earliestStartMillis };
}

/** The number of candidates that a dry run looks for (upstream's calculateNumCandidates). */
export function numCandidates(potentialNodes: number, limits: DefaultPreemptionArgs): number {
  const share = Math.trunc((potentialNodes * limits.minCandidateNodesPercentage) / 100);
  return Math.min(Math.max(share, limits.minCandidateNodesAbsolute), potentialNodes);
}

/**
 * The candidates that were found so far: at most `limit` that violate no budget, and at most `limit` that violate one.
 */
export class CandidateList {
  readonly #limit: number;
  readonly #nonViolating: Candidate[] = [];
  readonly #violating: Candidate[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(candidate: Candidate): void {
    const list = candidate.pdbViolations === 0 ? this.#nonViolating : this.#violating;
    if (list.length < this.#limit) list.push(candidate);
  }

  /** Whether enough candidates were found: one without violations, and `limit` in all. */
  get isComplete(): boolean {
    const { length } = this.#nonViolating;
    return length > 0 && length + this.#violating.length >= this.#limit;
  }

  all(): Candidate[] {
    return [...this.#nonViolating, ...this.#violating];
  }
}
