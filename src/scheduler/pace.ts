import type { Attempt } from './attempt.ts';

/** Lets attempts take time on the loop's clock; without it an attempt and its writes take none. */
export interface AttemptPace {
  /** How long the decision takes that has been made; it becomes known to others only then. */
  decisionMillis(attempt: Attempt, nodeCount: number): number;
  /** Calls `write`, which binds the pods of an attempt, when the API has come to it. */
  commit(write: () => void): void;
  /** Called when the next steps of an attempt have been taken. */
  concluded(attempt: Attempt): void;
}
