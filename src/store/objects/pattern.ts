import { inheritsMembers } from './frozen-copy.ts';

/**
 * A frozen copy, laid out so that an equal value is recognised in one walk over it, without a look-up:
 *
 *   { app: 'web', ports: [80] }    keys   app      ports
 *                                  items  'web'    pattern of [80]
 *
 * The members must come in the same order: an equal value with another order does not match, which only costs a copy.
 */
export class Pattern {
  /** The member names of an object; undefined for a list. */
  readonly #keys: readonly string[] | undefined;
  readonly #items: readonly Item[];

  /** `copy`: a list or an object that `frozenCopy` made. */
  constructor(copy: object) {
    this.#keys = Array.isArray(copy) ? undefined : Object.keys(copy);
    this.#items = Object.values(copy).map(itemOf);
  }

  /** Whether a frozen copy of the value would be equal, not counting members with the ignored names. */
  matches(value: unknown, ignored?: ReadonlySet<string>): boolean {
    if (typeof value !== 'object' || value === null) return false;
    const keys = this.#keys;
    if (keys === undefined) return Array.isArray(value) && this.#matchesList(value);
    if (Array.isArray(value) || value instanceof Date) return false;
    return this.#matchesMembers(value as Members, keys, ignored);
  }

  #matchesList(list: readonly unknown[]): boolean {
    const items = this.#items;
    if (list.length !== items.length) return false;
    for (let i = 0; i < items.length; i++) if (!isMatch(list[i], items[i] as Item)) return false;
    return true;
  }

  #matchesMembers(members: Members, keys: readonly string[], ignored?: ReadonlySet<string>): boolean {
    const inherits = inheritsMembers(members);
    let next = 0;
    for (const key in members) {
      if (ignored?.has(key) || (inherits && !Object.hasOwn(members, key))) continue;
      const member = members[key];
      if (key === keys[next]) {
        if (!isMatch(member, this.#items[next] as Item)) return false;
        next++;
      } else if (member !== undefined && member !== null) return false;
    }
    return next === keys.length;
  }
}

/** A nested pattern, or the primitive value itself. */
type Item = Pattern | string | number | boolean | null;

type Members = Readonly<Record<string, unknown>>;

function itemOf(member: unknown): Item {
  return typeof member === 'object' && member !== null ? new Pattern(member) : (member as Item);
}

function isMatch(value: unknown, item: Item): boolean {
  return value === item || (typeof item === 'object' && item !== null && item.matches(value));
}
