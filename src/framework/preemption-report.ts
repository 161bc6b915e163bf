import type { Status } from './status.ts';

/** A node on which evicting pods of lower priority makes room. */
export interface PreemptionCandidate {
  readonly node: string;
  /** The keys (namespace/name) of the victims, most important first. */
  readonly victims: readonly string[];
  /** The number of victims that a PodDisruptionBudget protects. */
  readonly pdbViolations: number;
}

/** The results of a dry run over all nodes. */
export interface PreemptionReport {
  /** The nodes on which evictions may help, in snapshot order. */
  readonly potentialNodes: readonly string[];
  /** The number of candidates after which `schedule` stops. */
  readonly numCandidates: number;
  /** The candidates are in snapshot order. */
  readonly candidates: readonly PreemptionCandidate[];
  /** The candidates that remain after the extenders; absent if none was called, or one failed. */
  readonly extenderCandidates?: readonly PreemptionCandidate[];
  /** The status of each potential node that is no candidate. */
  readonly nodeStatus: Readonly<Record<string, Status>>;
  /** The candidates that upstream, which walks the nodes in no fixed order, may nominate, in the order of `addNode`. */
  readonly nominatedTies: readonly string[];
  /** The candidate that `schedule` nominates; null if preemption does not help. */
  readonly nominatedNode: string | null;
  readonly victims: readonly string[];
}
