/** Runs the task for every item, and throws the first error afterwards: no item goes without because of another. */
export function forAll<Item>(items: Iterable<Item>, task: (item: Item) => void): void {
  const errors: unknown[] = [];
  for (const item of items) {
    try {
      task(item);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
