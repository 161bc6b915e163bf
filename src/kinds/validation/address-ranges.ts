/** Ranges of IP addresses as numbers. */

interface Range {
  readonly isIpv6: boolean;
  readonly first: bigint;
  readonly prefixBits: number;
}

/** Whether a range lies within another one, and is smaller. Both are of valid form. */
export function isRangeWithin(part: string, whole: string): boolean {
  const [inner, outer] = [rangeOf(part), rangeOf(whole)];
  if (inner.isIpv6 !== outer.isIpv6 || inner.prefixBits <= outer.prefixBits) return false;
  const rest = BigInt((outer.isIpv6 ? 128 : 32) - outer.prefixBits);
  return inner.first >> rest === outer.first >> rest;
}

function rangeOf(text: string): Range {
  const [address = '', bits] = text.split('/');
  const isIpv6 = address.includes(':');
  return { isIpv6, first: isIpv6 ? ipv6Number(address) : ipv4Number(address), prefixBits: Number(bits) };
}

function ipv4Number(address: string): bigint {
  return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

function ipv6Number(address: string): bigint {
  const [head = '', tail] = address.split('::');
  const groups = (text: string | undefined): bigint[] =>
    (text ?? '').split(':').flatMap((group) => {
      if (group === '') return [];
      if (!group.includes('.')) return [BigInt(`0x${group}`)];
      const embedded = ipv4Number(group);
      return [embedded >> 16n, embedded & 0xffffn];
    });
  const [before, after] = [groups(head), groups(tail)];
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => 0n);
  return [...before, ...zeros, ...after].reduce((sum, group) => sum * 65536n + group, 0n);
}
