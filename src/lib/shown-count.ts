/** A whole number with separators: `1,234,568`. */
export function whole(value: number): string {
  const rounded = Math.round(value);
  // `toLocaleString` reads the data of all languages at its first call, which takes 15 ms.
  return Number.isSafeInteger(rounded) ? String(rounded).replace(THOUSANDS, ',') : rounded.toLocaleString('en-US');
}

/** Between two digits, before groups of three. */
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/** A number of things: `1 node`, `1,200 nodes`. */
export function plural(count: number, thing: string): string {
  return `${whole(count)} ${thing}${count === 1 ? '' : 's'}`;
}
