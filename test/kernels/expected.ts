/**
 * The kernels' answers, worked out in the plainest way: BigInt where upstream has int64, doubles where it has float64.
 */
import type { ResourceAnswers, ResourceColumns, ResourceSlots, ScoreAnswers, ScoreSlots } from './cases.ts';

export function expectedResourceAnswers(slots: ResourceSlots): ResourceAnswers {
  const indices = slots.mask.map((_, index) => index);
  const feasible = indices.map((i) =>
    slots.mask[i] !== 0 && slots.resources.every((r) => reason(r, i) === 0) ? -1 : 0,
  );
  return {
    feasible,
    feasibleCount: feasible.filter((value) => value === -1).length,
    reasons: slots.resources.map((r) => indices.map((i) => reason(r, i))),
    least: indices.map((i) => weightedMean(slots, i, leastShare)),
    most: indices.map((i) => weightedMean(slots, i, mostShare)),
    ratio: indices.map((i) => capacityRatio(slots, i)),
    balanced: indices.map((i) => 50 + Math.trunc((50 + evenness(slots, i, true) - evenness(slots, i, false)) / 2)),
  };
}

interface Amounts {
  readonly allocatable: number;
  readonly requested: number;
  readonly capacity: bigint;
  readonly total: bigint;
  readonly weight: bigint;
}

function amounts(r: ResourceColumns, i: number): Amounts {
  const allocatable = r.allocatable[i] as number;
  const requested = r.requested[i] as number;
  const total = BigInt(requested) + BigInt(r.podRequest);
  return { allocatable, requested, capacity: BigInt(allocatable), total, weight: BigInt(r.weight) };
}

function reason(r: ResourceColumns, i: number): number {
  const { allocatable, requested } = amounts(r, i);
  if (r.podRequest > allocatable) return 2;
  return BigInt(r.podRequest) > BigInt(allocatable) - BigInt(requested) ? 1 : 0;
}

function leastShare({ capacity, total }: Amounts): bigint {
  return total > capacity ? 0n : ((capacity - total) * 100n) / capacity;
}

function mostShare({ capacity, total }: Amounts): bigint {
  return ((total > capacity ? capacity : total) * 100n) / capacity;
}

function weightedMean(slots: ResourceSlots, i: number, share: (amount: Amounts) => bigint): number {
  const counted = slots.resources.map((r) => amounts(r, i)).filter(({ capacity }) => capacity !== 0n);
  const weights = counted.reduce((sum, { weight }) => sum + weight, 0n);
  const sum = counted.reduce((total, amount) => total + share(amount) * amount.weight, 0n);
  return weights === 0n ? 0 : Number(sum / weights);
}

function capacityRatio(slots: ResourceSlots, i: number): number {
  let sum = 0n;
  let weights = 0n;
  for (const { capacity, total, weight } of slots.resources.map((r) => amounts(r, i))) {
    if (capacity === 0n) continue;
    const percent = total > capacity ? 100 : Number((total * 100n) / capacity);
    const score = BigInt(slots.table[percent] as number);
    if (score <= 0n) continue;
    sum += score * weight;
    weights += weight;
  }
  return weights === 0n ? 0 : Number((2n * sum + weights) / (2n * weights));
}

function evenness(slots: ResourceSlots, i: number, withPod: boolean): number {
  const fractions: number[] = [];
  for (const r of slots.resources) {
    const { allocatable, requested } = amounts(r, i);
    if (allocatable === 0) continue;
    fractions.push(Math.min(1, (withPod ? requested + r.podRequest : requested) / allocatable));
  }
  return Math.trunc((1 - standardDeviation(fractions)) * 100);
}

function standardDeviation(fractions: readonly number[]): number {
  if (fractions.length < 2) return 0;
  if (fractions.length === 2) return Math.abs(((fractions[0] as number) - (fractions[1] as number)) / 2);
  const mean = fractions.reduce((sum, f) => sum + f, 0) / fractions.length;
  return Math.sqrt(fractions.reduce((sum, f) => sum + (f - mean) * (f - mean), 0) / fractions.length);
}

/** `value` is what `fill` writes. */
export function expectedScoreAnswers(slots: ScoreSlots, value: number): ScoreAnswers {
  const { raw, feasible, total, order, max, weight, best } = slots;
  const eligible = raw.map((_, index) => index).filter((index) => feasible[index]);
  const bestTotal = Math.max(...eligible.map((index) => total[index] as number));
  const winners = eligible.filter((index) => total[index] === bestTotal);
  // sort is stable: equal orders leave the lower slot first.
  const [winner] = winners.toSorted((a, b) => (order[a] as number) - (order[b] as number));
  const percent = (score: number): bigint => (BigInt(score) * 100n) / BigInt(max);
  const sums = raw.map((score, index) => int32(BigInt(total[index] as number) + BigInt(score) * BigInt(weight)));
  return {
    maxFeasible: Math.max(0, ...eligible.map((index) => raw[index] as number)),
    normalized: raw.map((score) => (max === 0 ? score : int32(percent(score)))),
    reversed: raw.map((score) => (max === 0 ? 100 : int32(100n - percent(score)))),
    weighted: sums,
    summed: sums,
    filled: raw.map(() => value),
    selected: winner === undefined ? [0, 0, -1] : [bestTotal, winners.length, winner],
    ties: eligible.filter((index) => total[index] === best),
  };
}

function int32(value: bigint): number {
  return Number(BigInt.asIntN(32, value));
}
