const BYTE = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const V4 = String.raw`${BYTE}(?:\.${BYTE}){3}`;
const IS_V4 = new RegExp(`^${V4}$`);
const HAS_V4_END = new RegExp(`:${V4}$`);
const GROUP = /^[0-9a-f]{1,4}$/i;
const GROUPS = 8;

/** Whether the text is an IPv4 address in decimal, or an IPv6 address without a zone. */
export function isIpAddress(text: string): boolean {
  return IS_V4.test(text) || isV6(text);
}

function isV6(text: string): boolean {
  // An IPv4 address at the end stands for two groups.
  const inGroups = HAS_V4_END.test(text) ? text.replace(HAS_V4_END, ':0:0') : text;
  const sides = inGroups.split('::');
  if (sides.length > 2) return false;
  const groups = sides.flatMap((side) => (side === '' ? [] : side.split(':')));
  if (!groups.every((group) => GROUP.test(group))) return false;
  return sides.length === 2 ? groups.length < GROUPS : groups.length === GROUPS;
}
