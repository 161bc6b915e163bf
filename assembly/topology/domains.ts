/**
 * Work over topology domains (zones, hosts, racks). A domain column holds each slot's domain number, -1 for a node
 * without the label; counters are i32 arrays by domain number.
 * The SIMD build treats four slots a step; counters have to be fetched one by one.
 */

/** A slot stays feasible while the counter of its domain lies in [least, most]; without a domain, as `absent` says. */
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
  let i = from;
  if (ASC_FEATURE_SIMD) {
    const leasts = i32x4.splat(least);
    const mosts = i32x4.splat(most);
    const absents = i32x4.splat(absent);
    for (; i + 4 <= to; i += 4) {
      const offset = usize(i) << 2;
      const lanes = v128.load(domains + offset);
      const values = countsOf(counts, lanes);
      const within = v128.and(i32x4.ge_s(values, leasts), i32x4.le_s(values, mosts));
      const verdicts = v128.bitselect(within, absents, i32x4.ge_s(lanes, i32x4.splat(0)));
      v128.store(feasible + offset, v128.and(v128.load(feasible + offset), verdicts));
    }
  }
  for (; i < to; i++) filterDomainRow(domains, counts, least, most, absent, feasible, i);
}

@inline
function filterDomainRow(
  domains: usize,
  counts: usize,
  least: i32,
  most: i32,
  absent: i32,
  feasible: usize,
  i: i32,
): void {
  const offset = usize(i) << 2;
  const domain = load<i32>(domains + offset);
  let verdict = absent;
  if (domain >= 0) {
    const count = load<i32>(counts + (usize(domain) << 2));
    verdict = i32(count < least || count > most) - 1;
  }
  store<i32>(feasible + offset, load<i32>(feasible + offset) & verdict);
}

/** The counters of four domains; those of a slot without a domain are fetched for domain 0 and not used. */
@inline
function countsOf(counts: usize, domains: v128): v128 {
  const present = i32x4.max_s(domains, i32x4.splat(0));
  let values = v128.load32_zero(counts + (usize(i32x4.extract_lane(present, 0)) << 2));
  values = v128.load32_lane(counts + (usize(i32x4.extract_lane(present, 1)) << 2), values, 1);
  values = v128.load32_lane(counts + (usize(i32x4.extract_lane(present, 2)) << 2), values, 2);
  return v128.load32_lane(counts + (usize(i32x4.extract_lane(present, 3)) << 2), values, 3);
}

/**
 * out (f64) += count * factor + addend, for slots that have a domain. One multiplication, two additions, in this order.
 */
export function addDomainScores(
  domains: usize,
  counts: usize,
  factor: f64,
  addend: f64,
  out: usize,
  from: i32,
  to: i32,
): void {
  let i = from;
  if (ASC_FEATURE_SIMD) {
    const factors = f64x2.splat(factor);
    const addends = f64x2.splat(addend);
    for (; i + 4 <= to; i += 4) {
      const lanes = v128.load(domains + (usize(i) << 2));
      const present = i32x4.ge_s(lanes, i32x4.splat(0));
      const values = countsOf(counts, lanes);
      const at = out + (usize(i) << 3);
      addPair(at, values, present, factors, addends);
      const highValues = i32x4.shuffle(values, values, 2, 3, 2, 3);
      addPair(at + 16, highValues, i32x4.shuffle(present, present, 2, 3, 2, 3), factors, addends);
    }
  }
  for (; i < to; i++) addDomainScoreRow(domains, counts, factor, addend, out, i);
}

@inline
function addDomainScoreRow(
  domains: usize,
  counts: usize,
  factor: f64,
  addend: f64,
  out: usize,
  i: i32,
): void {
  const domain = load<i32>(domains + (usize(i) << 2));
  if (domain < 0) return;
  const at = out + (usize(i) << 3);
  store<f64>(at, load<f64>(at) + (f64(load<i32>(counts + (usize(domain) << 2))) * factor + addend));
}

/** Two slots: a slot without a domain keeps what it has, for adding 0 could turn -0 into 0. */
@inline
function addPair(at: usize, values: v128, present: v128, factors: v128, addends: v128): void {
  const old = v128.load(at);
  const sum = f64x2.add(old, f64x2.add(f64x2.mul(f64x2.convert_low_i32x4_s(values), factors), addends));
  v128.store(at, v128.bitselect(sum, old, i64x2.extend_low_i32x4_s(present)));
}

/** The smallest counter among domains with members; i32.MAX_VALUE when there is none. */
export function leastDomainCount(counts: usize, members: usize, domainCount: i32): i32 {
  let least = i32.MAX_VALUE;
  for (let domain = 0; domain < domainCount; domain++) {
    const offset = usize(domain) << 2;
    if (load<i32>(members + offset) == 0) continue;
    least = min(least, load<i32>(counts + offset));
  }
  return least;
}

/**
 * How many different domains the slots with `scored` != 0 lie in; those without a domain count as one more if
 * `countAbsent`. `marks` (i32 by domain) must not hold `stamp` yet and holds it afterwards where a slot was seen.
 */
export function countDomains(
  domains: usize,
  scored: usize,
  marks: usize,
  stamp: i32,
  countAbsent: i32,
  from: i32,
  to: i32,
): i32 {
  let count = 0;
  let absent = 0;
  for (let i = from; i < to; i++) {
    const offset = usize(i) << 2;
    if (load<i32>(scored + offset) == 0) continue;
    const domain = load<i32>(domains + offset);
    if (domain < 0) {
      absent = countAbsent;
      continue;
    }
    const mark = marks + (usize(domain) << 2);
    if (load<i32>(mark) == stamp) continue;
    store<i32>(mark, stamp);
    count++;
  }
  return count + absent;
}
