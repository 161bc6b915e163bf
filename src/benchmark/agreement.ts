import { groupBy } from '../lib/group-by.ts';
import type { BenchResult } from './result.ts';
import type { CaseRun } from './run-case.ts';
import { variantName } from './variant.ts';

/** Whether all variants that were run on a cluster made the same decisions. */
export interface Agreement {
  /** The result in one sentence. */
  readonly text: string;
  readonly isAgreed: boolean;
}

/**
 * Checks each cluster on which several variants ran: one sentence for the cluster, or one for each variant that decided
 * differently. A variant that placed fewer pods placed the first ones, and is compared with the beginning of the
 * longest run.
 */
export function checkAgreement(runs: readonly CaseRun[]): Agreement[] {
  const groups = groupBy(runs, ({ result }) => `${result.kind} ${result.nodes} ${result.percentageOfNodesScored}`);
  return [...groups.values()].filter((group) => group.length > 1).flatMap(checkGroup);
}

function checkGroup(group: readonly CaseRun[]): Agreement[] {
  const longest = group.reduce((a, b) => (b.result.pods > a.result.pods ? b : a));
  const different = group.filter((run) => hashAt(longest, run.result.pods) !== run.result.decisionHash);
  if (different.length === 0) {
    const names = group.map(({ result }) => variantName(result)).join(', ');
    return [{ text: `${clusterName(group)}: ${names} made the same decisions`, isAgreed: true }];
  }
  return different.map(({ result }) => {
    const pair = `${named(longest.result, hashAt(longest, result.pods))} and ${named(result, result.decisionHash)}`;
    const cluster = `${result.kind}, ${result.nodes} nodes, the first ${result.pods} pods`;
    return { text: `${cluster}: ${pair} made DIFFERENT decisions`, isAgreed: false };
  });
}

function hashAt({ result, prefixes }: CaseRun, podCount: number): string | undefined {
  return podCount === result.pods ? result.decisionHash : prefixes.get(podCount);
}

function named(result: BenchResult, hash = 'none'): string {
  return `${variantName(result)} (${hash.slice(0, 12)})`;
}

function clusterName(group: readonly CaseRun[]): string {
  const { kind, nodes } = (group[0] as CaseRun).result;
  const counts = group.map(({ result }) => result.pods);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  return `${kind}, ${nodes} nodes, ${fewest === most ? most : `${fewest} to ${most}`} pods`;
}
