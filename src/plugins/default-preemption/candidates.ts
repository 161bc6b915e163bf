import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { podStartMillis } from './victims.ts';

/** A node that takes the pod once the victims are gone, with the numbers by which candidates are compared. */
export interface Candidate {
  readonly node: NodeInfo;
  /** Most important first; at least one. */
  readonly victims: readonly PodInfo[];
  /** How many of the victims a PodDisruptionBudget protects. */
  readonly pdbViolations: number;
  /** Of the first victim. */
  readonly highestPriority: number;
  /** Each victim counts its priority + 2^31, so that more victims are never cheaper. */
  readonly prioritySum: number;
  /** Earliest start among the victims of the highest priority. */
  readonly earliestStartMillis: number;
}

const PRIORITY_OFFSET = 2 ** 31;

export function candidateOf(node: NodeInfo, victims: readonly PodInfo[], pdbViolations: number): Candidate {
  const highestPriority = victims[0]?.priority ?? 0;
  let prioritySum = 0;
  let earliestStartMillis = Number.POSITIVE_INFINITY;
  // An extender may have put them in another order; then the first need not have the highest priority.
  let most = highestPriority;
  for (const victim of victims) {
    prioritySum += victim.priority + PRIORITY_OFFSET;
    if (victim.priority > most) earliestStartMillis = Number.POSITIVE_INFINITY;
    most = Math.max(most, victim.priority);
    if (victim.priority === most) earliestStartMillis = Math.min(earliestStartMillis, podStartMillis(victim));
  }
  return { node, victims, pdbViolations, highestPriority, prioritySum, earliestStartMillis };
}

export interface CandidateLimits {
  /** Share of the potential nodes, in percent, that is dry run ... */
  readonly minCandidateNodesPercentage: number;
  /** ... and the number of nodes below which it does not fall. */
  readonly minCandidateNodesAbsolute: number;
}

/** How many candidates a dry run looks for (upstream's calculateNumCandidates). */
export function numCandidates(potentialNodes: number, limits: CandidateLimits): number {
  const share = Math.trunc((potentialNodes * limits.minCandidateNodesPercentage) / 100);
  return Math.min(Math.max(share, limits.minCandidateNodesAbsolute), potentialNodes);
}

/** Candidates found so far, those that violate no budget apart: neither kind may be more than `limit`. */
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

  /** Enough is found: one without violations, and `limit` in all. */
  get isComplete(): boolean {
    const { length } = this.#nonViolating;
    return length > 0 && length + this.#violating.length >= this.#limit;
  }

  all(): Candidate[] {
    return [...this.#nonViolating, ...this.#violating];
  }
}
