import type { Status } from './status.ts';

/** A node on which evicting pods of lower priority makes room. */
export interface PreemptionCandidate {
  readonly node: string;
  /** namespace/name, most important first. */
  readonly victims: readonly string[];
  /** How many of the victims a PodDisruptionBudget protects. */
  readonly pdbViolations: number;
}

/** What a dry run over all nodes found. */
export interface PreemptionReport {
  /** Nodes whose rejection evictions might lift, in snapshot order. */
  readonly potentialNodes: readonly string[];
  /** After how many candidates `schedule` stops looking. */
  readonly numCandidates: number;
  /** In snapshot order. */
  readonly candidates: readonly PreemptionCandidate[];
  /** What extenders left of the candidates that were found; absent when none was asked, or one failed. */
  readonly extenderCandidates?: readonly PreemptionCandidate[];
  /** Why the other potential nodes are none. */
  readonly nodeStatus: Readonly<Record<string, Status>>;
  /** The candidates that upstream, which walks the nodes in no fixed order, may nominate; in the order of `addNode`. */
  readonly nominatedTies: readonly string[];
  /** The one that `schedule` nominates; null when preemption does not help. */
  readonly nominatedNode: string | null;
  readonly victims: readonly string[];
}
