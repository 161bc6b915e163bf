/** Whether an item passes the test. V8's own `some` takes several times as long for a list that is frozen. */
export function someOf<Item>(list: readonly Item[] | undefined, test: (item: Item) => boolean): boolean {
  if (!list) return false;
  for (let i = 0; i < list.length; i++) if (test(list[i] as Item)) return true;
  return false;
}

/** Whether all items pass the test. V8's own `every` takes several times as long for a list that is frozen. */
export function everyOf<Item>(list: readonly Item[], test: (item: Item) => boolean): boolean {
  for (let i = 0; i < list.length; i++) if (!test(list[i] as Item)) return false;
  return true;
}
