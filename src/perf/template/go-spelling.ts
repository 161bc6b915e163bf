/** An object as JSON has it. */
export type Members = Readonly<Record<string, unknown>>;

/** Their members are names of somebody's own. */
const FREE_MAPS: ReadonlySet<string> = new Set([
  ...['labels', 'annotations', 'matchLabels', 'nodeSelector'],
  ...['capacity', 'allocatable', 'requests', 'limits', 'overhead', 'volumeAttributes', 'data', 'stringData'],
]);

/**
 * The object with its fields spelled as in JSON where they are spelled as in Go (`NodeAffinityPolicy`): Go's decoder
 * does not look at the case, and upstream's templates make use of it. Shares what needs no change.
 */
export function withGoSpelling<T>(value: T): T {
  if (Array.isArray(value)) {
    const items = value.map(withGoSpelling);
    return items.some((item, i) => item !== value[i]) ? (items as T) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => {
    const name = key.charAt(0).toLowerCase() + key.slice(1);
    return [name, FREE_MAPS.has(name) ? member : withGoSpelling(member)] as const;
  });
  const isSame = members.every(([name, member]) => (value as Members)[name] === member && Object.hasOwn(value, name));
  return isSame ? value : (Object.fromEntries(members) as T);
}
