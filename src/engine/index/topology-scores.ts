import { goLog } from '../../lib/go-log.ts';
import type { DomainCount } from '../../memory/domain-counter.ts';
import type { AffinityScore, DomainRule, SpreadScore } from '../topology/topology-rules.ts';

/** Returns the number of pods of a count in some place; -1 if the place is in no domain. */
export type CountReader = (count: DomainCount) => number;

/** Whether the rule is fulfilled by the counts that `read` returns. */
export function accepts({ count, absentFits, least, most }: DomainRule, read: CountReader): boolean {
  const pods = read(count);
  return pods < 0 ? absentFits : pods >= least() && pods <= most();
}

/** PodTopologySpread's raw score; `sizes` are the numbers of scored domains by constraint. */
export function rawSpread(scores: readonly SpreadScore[], sizes: readonly number[], read: CountReader): number {
  let raw = 0;
  for (let i = 0; i < scores.length; i++) {
    const { count, maxSkew } = scores[i] as SpreadScore;
    raw += read(count) * goLog((sizes[i] ?? 0) + 2) + (maxSkew - 1);
  }
  const whole = Math.trunc(raw);
  return whole + (Math.abs(raw - whole) >= 0.5 ? Math.sign(raw) : 0);
}

/** PodTopologySpread's normalised score, which is best for the least raw score. */
export function normalizedSpread(raw: number, least: number, most: number): number {
  return most === 0 ? 100 : Math.trunc((100 * (most + least - raw)) / most);
}

/** InterPodAffinity's raw score. */
export function rawAffinity(scores: readonly AffinityScore[], read: CountReader): number {
  let raw = 0;
  for (const { count, weight } of scores) {
    const pods = read(count);
    if (pods > 0) raw += pods * weight;
  }
  return raw;
}

/** InterPodAffinity's normalised score, which is best for the most raw score. */
export function normalizedAffinity(raw: number, least: number, most: number): number {
  const span = most - least;
  return span > 0 ? Math.trunc(100 * ((raw - least) / span)) : 0;
}
