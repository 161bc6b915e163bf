/** Maps a list; returns the list itself when every element stayed what it was. */
export function mapKeeping<Item>(
  list: readonly Item[] | undefined,
  change: (item: Item) => Item,
): readonly Item[] | undefined {
  const changed = list?.map(change);
  return changed?.every((item, index) => item === list?.[index]) ? list : changed;
}

/** The object with these members, except for those that are undefined; the object itself when it has them already. */
export function withMembers<T extends object>(object: T, members: Partial<T>): T {
  let changed: T | undefined;
  for (const key in members) {
    const member = members[key];
    if (member === undefined || member === object[key]) continue;
    changed ??= { ...object };
    changed[key] = member;
  }
  return changed ?? object;
}
