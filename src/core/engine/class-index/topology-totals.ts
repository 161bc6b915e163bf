import { goLog } from '../../../lib/go-log.ts';
import { NO_DOMAIN } from '../../../memory/topology-domains.ts';
import type { AffinityScore, DomainCount, DomainRule, SpreadScore, TopologyRules } from '../topology/topology-rules.ts';
import { isShared, type NodeKind, type NodeKinds } from './node-kinds.ts';

/** Whether all of these counts are by shared domains, none is, or some are. */
export type Level = 'shared' | 'node' | 'none' | 'mixed';

export function levelOf(scores: readonly { readonly count: DomainCount }[]): Level {
  if (scores.length === 0) return 'none';
  const shared = scores.filter(({ count }) => isShared(count.domains)).length;
  if (shared === 0) return 'node';
  return shared === scores.length ? 'shared' : 'mixed';
}

/** Reads counts of a place: of a partition for shared domains, of a kind for nodes. */
export type CountReader = (count: DomainCount) => number;

/** `domains`: of each of the shared topology keys. */
export function partitionReader({ split }: NodeKinds, domains: readonly number[]): CountReader {
  return (count) => {
    const domain = domains[split.shared.indexOf(count.domains)] ?? NO_DOMAIN;
    return domain === NO_DOMAIN ? -1 : count.countAt(-1, domain);
  };
}

export function kindReader({ split }: NodeKinds, { counts }: NodeKind): CountReader {
  return (count) => counts[split.nodeCounts.indexOf(count)] ?? -1;
}

/** Whether every rule is kept where counts are read so; -1 stands for no domain. */
export function accepts(rules: readonly DomainRule[], read: CountReader): boolean {
  return rules.every(({ count, least, most, absentFits }) => {
    const pods = read(count);
    return pods < 0 ? absentFits : pods >= least && pods <= most;
  });
}

/** PodTopologySpread's raw score; `sizes`: how many domains are scored, by constraint. */
export function rawSpread(scores: readonly SpreadScore[], sizes: readonly number[], read: CountReader): number {
  let raw = 0;
  scores.forEach(({ count, maxSkew }, i) => {
    raw += read(count) * goLog((sizes[i] ?? 0) + 2) + (maxSkew - 1);
  });
  const whole = Math.trunc(raw);
  return whole + (Math.abs(raw - whole) >= 0.5 ? Math.sign(raw) : 0);
}

/** Fewer is better. */
export function normalizedSpread(raw: number, least: number, most: number): number {
  return most === 0 ? 100 : Math.trunc((100 * (most + least - raw)) / most);
}

/** InterPodAffinity's raw score. */
export function rawAffinity(scores: readonly AffinityScore[], read: CountReader): number {
  let raw = 0;
  for (const { count, weight } of scores) raw += Math.max(read(count), 0) * weight;
  return raw;
}

export function normalizedAffinity(raw: number, least: number, most: number): number {
  const span = most - least;
  return span > 0 ? Math.trunc(100 * ((raw - least) / span)) : 0;
}

/** Every count that the rules and scores read. */
export function countsOf({ rules, spread, affinity }: TopologyRules): DomainCount[] {
  return [...rules, ...spread, ...affinity].map(({ count }) => count);
}
