/** A decoded JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** Members that are maps with arbitrary keys, whose spelling must be kept. */
const FREE_MAPS: ReadonlySet<string> = new Set([
  ...['labels', 'annotations', 'matchLabels', 'nodeSelector'],
  ...['capacity', 'allocatable', 'requests', 'limits', 'overhead', 'volumeAttributes', 'data', 'stringData'],
]);

/**
 * The object with its field names spelled as in JSON where they are spelled as in Go (`NodeAffinityPolicy`): Go's
 * decoder ignores the case, and some of upstream's templates rely on that. Parts that need no change are shared.
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
