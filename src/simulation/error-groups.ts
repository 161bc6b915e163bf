/** Errors of one kind that stopped nothing. */
export interface ErrorGroup {
  /** What was done, without names: `sync job`. */
  readonly activity: string;
  /** The message of the first of them. */
  readonly example: string;
  readonly count: number;
}

/** More groups are of no use to a person. */
const GROUPS_MAX = 100;

/** Counts errors by activity and message; names, numbers and quoted texts in them do not matter. */
export class ErrorGroups {
  readonly #groups = new Map<string, { activity: string; example: string; count: number }>();
  count = 0;

  add(error: unknown, activity: string): void {
    this.count++;
    const example = error instanceof Error ? error.message : String(error);
    const words = activity.split(' ').filter((word) => !/[/\d]/.test(word));
    const kind = words.slice(0, 3).join(' ') || activity;
    const key = `${kind}\n${example.replace(/"[^"]*"|[\w.-]*\d[\w.-]*|[\w.-]+\/[\w.-]+/g, '…')}`;
    const group = this.#groups.get(key);
    if (group !== undefined) group.count++;
    else if (this.#groups.size < GROUPS_MAX) this.#groups.set(key, { activity: kind, example, count: 1 });
  }

  /** The groups, the largest first. */
  groups(): readonly ErrorGroup[] {
    return [...this.#groups.values()].sort((a, b) => b.count - a.count);
  }
}
