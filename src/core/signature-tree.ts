/** Steps of all values that are kept; when there are more, all are forgotten. */
const MOST_NODES = 500_000;

/** What a value is made of: plain values and keys as they are, and where lists and objects begin and end. */
type Token = string | number | boolean | null | undefined | symbol;

const LIST = Symbol('list');
const MEMBERS = Symbol('members');
const END = Symbol('end');
/** Equal to no token. */
const NOTHING = Symbol('nothing');

/** A place in the tree. Most have one way on, which is compared without hashing it. */
class Place<T> {
  token: Token = NOTHING;
  next: Place<T> | null = null;
  others: Map<Token, Place<T>> | null = null;
  value: T | undefined = undefined;
}

/**
 * Finds what is kept for a row of JSON values, in time that does not depend on how many rows are kept. The values are
 * walked as they are, without making a text or a hash of them: each plain value is one step down the tree.
 *
 *     tree.find();                        // or grow(), to make a place where there is none
 *     tree.walk(a) && tree.walk(b);       // false: nothing is kept
 *     tree.value;
 */
export class SignatureTree<T> {
  #root = new Place<T>();
  #size = 0;
  #at: Place<T> = this.#root;
  #grows = false;

  /** Starts a walk that only looks. */
  find(): void {
    this.#at = this.#root;
    this.#grows = false;
  }

  /** Starts a walk that makes its way. */
  grow(): void {
    if (this.#size > MOST_NODES) {
      this.#root = new Place();
      this.#size = 0;
    }
    this.#at = this.#root;
    this.#grows = true;
  }

  /** What is kept for the values that were walked. */
  get value(): T | undefined {
    return this.#at.value;
  }

  set value(value: T) {
    this.#at.value = value;
  }

  /**
   * Goes on by a value; false where that leads nowhere, and for what is no JSON. A key without a value is as good as
   * none; the order of keys counts.
   */
  walk(value: unknown): boolean {
    switch (typeof value) {
      case 'object':
        if (value === null) return this.step(null);
        return Array.isArray(value) ? this.#walkList(value) : this.#walkMembers(value as Members);
      case 'number':
        return !Number.isNaN(value) && this.step(value);
      case 'string':
      case 'boolean':
      case 'undefined':
        return this.step(value);
      default:
        return false;
    }
  }

  #walkList(list: readonly unknown[]): boolean {
    if (!this.beginList(list.length)) return false;
    for (let i = 0; i < list.length; i++) if (!this.walk(list[i])) return false;
    return true;
  }

  /** The items are to follow. */
  beginList(length: number): boolean {
    return this.step(LIST) && this.step(length);
  }

  #walkMembers(members: Members): boolean {
    if (members instanceof Date || !this.step(MEMBERS)) return false;
    for (const key in members) {
      const value = members[key];
      if (value !== undefined && !(this.step(key) && this.walk(value))) return false;
    }
    return this.step(END);
  }

  step(token: Token): boolean {
    const at = this.#at;
    const next = token === at.token ? at.next : (at.others?.get(token) ?? null);
    if (next === null) return this.#grows && this.#add(at, token);
    this.#at = next;
    return true;
  }

  #add(at: Place<T>, token: Token): boolean {
    const next = new Place<T>();
    if (at.next === null) {
      at.token = token;
      at.next = next;
    } else {
      at.others ??= new Map();
      at.others.set(token, next);
    }
    this.#size++;
    this.#at = next;
    return true;
  }
}

type Members = Readonly<Record<string, unknown>>;
