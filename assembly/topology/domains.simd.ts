/** The SIMD twins: domains and verdicts four slots a step; counters have to be fetched one by one. */
import { addDomainScoreRow, filterDomainRow } from './domains';

/** The counters of four domains; those of a slot without a domain are fetched for domain 0 and not used. */
@inline
function countsOf(counts: usize, domains: v128): v128 {
  const present = i32x4.max_s(domains, i32x4.splat(0));
  let values = v128.load32_zero(counts + (usize(i32x4.extract_lane(present, 0)) << 2));
  values = v128.load32_lane(counts + (usize(i32x4.extract_lane(present, 1)) << 2), values, 1);
  values = v128.load32_lane(counts + (usize(i32x4.extract_lane(present, 2)) << 2), values, 2);
  return v128.load32_lane(counts + (usize(i32x4.extract_lane(present, 3)) << 2), values, 3);
}

export function filterDomains(
  domains: usize,
  counts: usize,
  least: i32,
  most: i32,
  absent: i32,
  feasible: usize,
  from: i32,
  to: i32,
): void {
  const leasts = i32x4.splat(least);
  const mosts = i32x4.splat(most);
  const absents = i32x4.splat(absent);
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const offset = usize(i) << 2;
    const lanes = v128.load(domains + offset);
    const values = countsOf(counts, lanes);
    const within = v128.and(i32x4.ge_s(values, leasts), i32x4.le_s(values, mosts));
    const verdicts = v128.bitselect(within, absents, i32x4.ge_s(lanes, i32x4.splat(0)));
    v128.store(feasible + offset, v128.and(v128.load(feasible + offset), verdicts));
  }
  for (; i < to; i++) filterDomainRow(domains, counts, least, most, absent, feasible, i);
}

export function addDomainScores(
  domains: usize,
  counts: usize,
  factor: f64,
  addend: f64,
  out: usize,
  from: i32,
  to: i32,
): void {
  const factors = f64x2.splat(factor);
  const addends = f64x2.splat(addend);
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const lanes = v128.load(domains + (usize(i) << 2));
    const present = i32x4.ge_s(lanes, i32x4.splat(0));
    const values = countsOf(counts, lanes);
    const at = out + (usize(i) << 3);
    addPair(at, values, present, factors, addends);
    const highValues = i32x4.shuffle(values, values, 2, 3, 2, 3);
    addPair(at + 16, highValues, i32x4.shuffle(present, present, 2, 3, 2, 3), factors, addends);
  }
  for (; i < to; i++) addDomainScoreRow(domains, counts, factor, addend, out, i);
}

/** Two slots: a slot without a domain keeps what it has, for adding 0 could turn -0 into 0. */
@inline
function addPair(at: usize, values: v128, present: v128, factors: v128, addends: v128): void {
  const old = v128.load(at);
  const sum = f64x2.add(old, f64x2.add(f64x2.mul(f64x2.convert_low_i32x4_s(values), factors), addends));
  v128.store(at, v128.bitselect(sum, old, i64x2.extend_low_i32x4_s(present)));
}
