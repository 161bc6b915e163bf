/** The value with share IDs numbered in the order in which they appear; in life they are drawn. */
export function withNumberedShares(value: unknown): unknown {
  const numbers = new Map<string, string>();
  const visit = (part: unknown, key: string): unknown => {
    if (key === 'shareID' && typeof part === 'string') {
      const known = numbers.get(part) ?? `uuid-${numbers.size + 1}`;
      numbers.set(part, known);
      return known;
    }
    if (Array.isArray(part)) return part.map((item) => visit(item, ''));
    if (typeof part !== 'object' || part === null) return part;
    const names = Object.keys(part).sort();
    return Object.fromEntries(names.map((name) => [name, visit((part as Record<string, unknown>)[name], name)]));
  };
  return visit(value, '');
}
