type Members = Readonly<Record<string, unknown>>;

interface Known<Value> {
  readonly names: readonly string[];
  readonly members: readonly unknown[];
  readonly value: Value;
}

/**
 * Values by what a flat object holds, as lists of resources do: its names and members in their order. It knows the few
 * objects that came last, of which many in turn are equal, and finds them without a text of all members.
 */
export class RecentRecords<Value> {
  readonly #most: number;
  readonly #known: Known<Value>[] = [];
  /** The place of the object that was found or added last. */
  #last = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(record: Members): Value | undefined {
    const known = this.#known;
    for (let i = 0; i < known.length; i++) {
      const place = (this.#last + i) % known.length;
      const each = known[place] as Known<Value>;
      if (!isLike(record, each)) continue;
      this.#last = place;
      return each.value;
    }
    return undefined;
  }

  /** Keeps the value of a record that is not known, in the place of the one behind the last. */
  set(record: Members, value: Value): void {
    const names: string[] = [];
    const members: unknown[] = [];
    for (const name in record) {
      names.push(name);
      members.push(record[name]);
    }
    const place = this.#known.length < this.#most ? this.#known.length : (this.#last + 1) % this.#most;
    this.#known[place] = { names, members, value };
    this.#last = place;
  }
}

function isLike(record: Members, { names, members }: Known<unknown>): boolean {
  let i = 0;
  for (const name in record) {
    if (names[i] !== name || members[i] !== record[name]) return false;
    i++;
  }
  return i === names.length;
}
