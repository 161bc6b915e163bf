/** A whole number with separators: `1,234,568`. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** A number of things: `1 node`, `1,200 nodes`. */
export function plural(count: number, thing: string): string {
  return `${whole(count)} ${thing}${count === 1 ? '' : 's'}`;
}
