/** Maps a list; returns the list itself when every element stayed what it was. */
export function mapKeeping<Item>(
  list: readonly Item[] | undefined,
  change: (item: Item) => Item,
): readonly Item[] | undefined {
  const changed = list?.map(change);
  return changed?.every((item, index) => item === list?.[index]) ? list : changed;
}
