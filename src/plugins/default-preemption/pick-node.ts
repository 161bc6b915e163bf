import type { Candidate } from './candidates.ts';

/**
 * Compares candidates in upstream's order (pickOneNodeForPreemption): fewest violated budgets, least important victim,
 * smallest sum of priorities, fewest victims, latest start. Negative if evicting a's victims does less harm than b's.
 */
export function compareHarm(a: Candidate, b: Candidate): number {
  return (
    a.pdbViolations - b.pdbViolations ||
    a.highestPriority - b.highestPriority ||
    a.prioritySum - b.prioritySum ||
    a.victims.length - b.victims.length ||
    compareLatestFirst(a.earliestStartMillis, b.earliestStartMillis)
  );
}

/** Infinity stands for "not started yet", so the two cannot be subtracted. */
function compareLatestFirst(a: number, b: number): number {
  return a === b ? 0 : a > b ? -1 : 1;
}

/** The candidates that do the least harm, in no particular order. */
export function leastHarmful(candidates: readonly Candidate[]): Candidate[] {
  let best: Candidate[] = [];
  for (const candidate of candidates) {
    const [first] = best;
    const order = first === undefined ? -1 : compareHarm(candidate, first);
    if (order < 0) best = [candidate];
    else if (order === 0) best.push(candidate);
  }
  return best;
}

/** The candidate number `rank` in the order in which their nodes were added to the cluster. */
export function inNodeOrder(candidates: readonly Candidate[], rank: number): Candidate | undefined {
  if (rank > 0) return candidates.toSorted(byNodeOrder)[rank];
  let [first] = candidates;
  for (const candidate of candidates) if (first === undefined || byNodeOrder(candidate, first) < 0) first = candidate;
  return first;
}

function byNodeOrder(a: Candidate, b: Candidate): number {
  return a.node.order - b.node.order;
}

/**
 * Every candidate that upstream can choose. Upstream walks the nodes in an unspecified order and stops after `limit`
 * candidates, so a candidate can win if `limit` candidates can be found among which none is better.
 */
export function everPicked(candidates: readonly Candidate[], limit: number): Candidate[] {
  if (limit === 0) return [];
  const nonViolating = candidates.filter(({ pdbViolations }) => pdbViolations === 0);
  const violatingCount = candidates.length - nonViolating.length;
  // A candidate without violations wins over all others, and the walk goes on until one is found.
  const contenders = nonViolating.length > 0 ? nonViolating : candidates;
  const found = nonViolating.length > 0 ? Math.max(1, limit - violatingCount) : limit;
  const rivals = Math.min(found, contenders.length) - 1;
  const ranked = contenders.toSorted(compareHarm);
  let groupStart = 0;
  const picked = ranked.filter((candidate, rank) => {
    const first = ranked[groupStart];
    if (first !== undefined && compareHarm(first, candidate) < 0) groupStart = rank;
    return ranked.length - 1 - groupStart >= rivals;
  });
  return picked.sort(byNodeOrder);
}
