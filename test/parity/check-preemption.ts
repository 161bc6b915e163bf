import type { Explanation, ScheduleResult } from '../../src/index.ts';
import { type Difference, differences } from './differences.ts';
import type { RecordedPreemption } from './read-cases.ts';

/**
 * What PostFilter did, in both forms: as an explanation and as the decision. Upstream nominates any of `nominatedTies`:
 * one of them must be nominated, with the victims that the recording gives for it.
 */
export function preemptionDifferences(
  recorded: RecordedPreemption | undefined,
  { preemption }: Explanation,
  result: ScheduleResult,
): Difference[] {
  if (recorded === undefined || preemption === null) {
    return differences('preemption', recorded, preemption ?? undefined);
  }
  const found = differences('preemption', comparable(recorded), comparable(preemption));
  if (recorded.numCandidates !== undefined && recorded.potentialNodes !== undefined) {
    found.push(...differences('preemption.numCandidates', recorded.numCandidates, preemption.numCandidates));
  }
  found.push(...nominationDifferences('preemption', recorded, preemption.nominatedNode, preemption.victims));
  const { nominatedNode = null, victims = [] } = result.status === 'unschedulable' ? result : {};
  found.push(...nominationDifferences('schedule', recorded, nominatedNode, victims));
  return found;
}

function comparable(preemption: Omit<RecordedPreemption, 'nominatedNode'>): unknown {
  const {
    status,
    message = '',
    potentialNodes = [],
    candidates = [],
    nodeStatus = {},
    nominatedTies = [],
  } = preemption;
  return {
    status,
    message,
    potentialNodes,
    candidates: Object.fromEntries(candidates.map(({ node, ...rest }) => [node, rest])),
    nodeStatus,
    nominatedTies: [...nominatedTies].sort(),
  };
}

function nominationDifferences(
  field: string,
  { nominatedTies = [], candidates = [], extenderCandidates = candidates }: RecordedPreemption,
  node: string | null,
  victims: readonly string[],
): Difference[] {
  if (nominatedTies.length === 0) return differences(`${field}.nominatedNode`, null, node);
  if (node === null || !nominatedTies.includes(node)) {
    return [{ field: `${field}.nominatedNode`, expected: nominatedTies, got: node }];
  }
  const expected = extenderCandidates.find((candidate) => candidate.node === node)?.victims;
  return differences(`${field}.victims`, expected, victims);
}
