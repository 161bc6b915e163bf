const V4_PART = /^(0|[1-9]\d{0,2})$/;

/** Whether the text is an IPv4 address in decimal, or an IPv6 address without a zone. */
export function isIpAddress(text: string): boolean {
  return parseAddress(text) !== null;
}

/** The bytes of an IPv4 or IPv6 address, 4 or 16 of them; null for addresses with zones and malformed texts. */
export function parseAddress(text: string): number[] | null {
  return text.includes(':') ? parseV6(text) : parseV4(text);
}

/** Whether the address is one of IPv4 in the form of IPv6. */
export function isMapped(bytes: readonly number[]): boolean {
  return bytes.length === 16 && bytes.slice(0, 12).every((byte, i) => byte === (i < 10 ? 0 : 0xff));
}

function parseV4(text: string): number[] | null {
  const parts = text.split('.');
  const bytes = parts.map((part) => (V4_PART.test(part) ? Number(part) : 256));
  return parts.length === 4 && bytes.every((byte) => byte < 256) ? bytes : null;
}

function parseV6(text: string): number[] | null {
  // The last two groups may be written as an IPv4 address.
  const colon = text.lastIndexOf(':');
  if (text.includes('.')) {
    const tail = parseV4(text.slice(colon + 1));
    if (tail === null) return null;
    const [a = 0, b = 0, c = 0, d = 0] = tail;
    return parseV6(`${text.slice(0, colon + 1)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`);
  }
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const groups = [...(head ?? []), ...(tail ?? [])];
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return null;
  const missing = 8 - groups.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  const all = [...(head ?? []), ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...(tail ?? [])];
  return all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]);
}

/** The canonical text (RFC 5952): the longest run of zero groups, of two or more, is left out. */
export function formatAddress(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0));
  let [start, length] = [-1, 1];
  for (let i = 0; i < groups.length; i++) {
    let end = i;
    while (groups[end] === 0) end++;
    if (end - i > length) [start, length] = [i, end - i];
  }
  const texts = groups.map((group) => group.toString(16));
  if (start < 0) return texts.join(':');
  return `${texts.slice(0, start).join(':')}::${texts.slice(start + length).join(':')}`;
}
