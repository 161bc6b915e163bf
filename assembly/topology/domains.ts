/**
 * Work over topology domains (zones, hosts, racks). A domain column holds each slot's domain number, -1 for a node
 * without the label; counters are i32 arrays by domain number.
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
  for (let i = from; i < to; i++) filterDomainRow(domains, counts, least, most, absent, feasible, i);
}

@inline
export function filterDomainRow(
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
  for (let i = from; i < to; i++) addDomainScoreRow(domains, counts, factor, addend, out, i);
}

@inline
export function addDomainScoreRow(
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
