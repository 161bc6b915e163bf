/** The maximum number of steps in a tree whose entries can be made again. */
const MOST_NODES = 200_000;

/** A step of the tree: a plain value, a key, the begin or end of a list or an object, or an object by its identity. */
type Token = string | number | boolean | null | undefined | symbol | object;

const LIST = Symbol('list');
const MEMBERS = Symbol('members');
const END = Symbol('end');
/** A value that is equal to no token. */
const NOTHING = Symbol('nothing');

/** A place in the tree. Most places have one next step, which is compared without hashing. */
class Place<T> {
  token: Token = NOTHING;
  next: Place<T> | null = null;
  others: Map<Token, Place<T>> | null = null;
  value: T | undefined = undefined;
}

/**
 * A map by sequences of JSON values. A look-up takes time that does not depend on the number of entries, and makes no
 * text or hash of the values: each plain value is one step down the tree.
 *
 *     tree.find();                        // or grow(), which adds missing places
 *     tree.walk(a) && tree.walk(b);       // false: there is no entry
 *     tree.value;
 */
export class SignatureTree<T> {
  readonly #limit: number;
  #root = new Place<T>();
  #size = 0;
  #at: Place<T> = this.#root;
  #grows = false;

  /** `limit`: when there are more steps, all are removed. */
  constructor(limit = MOST_NODES) {
    this.#limit = limit;
  }

  /** Starts a walk that adds no places. */
  find(): void {
    this.#at = this.#root;
    this.#grows = false;
  }

  /** Starts a walk that adds missing places. */
  grow(): void {
    if (this.#size > this.#limit) {
      this.#root = new Place();
      this.#size = 0;
    }
    this.#at = this.#root;
    this.#grows = true;
  }

  /** The value of the sequence that was walked. */
  get value(): T | undefined {
    return this.#at.value;
  }

  set value(value: T | undefined) {
    this.#at.value = value;
  }

  /**
   * Walks a value. Returns false if there is no such place, or the value is not JSON. Keys whose value is undefined are
   * ignored; the order of keys counts.
   */
  walk(value: unknown): boolean {
    if (!this.#grows) {
      const place = descend(this.#at, value);
      if (place === null) return false;
      this.#at = place;
      return true;
    }
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

  /** Begins a list, whose items the caller walks next. */
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

  /** Removes the entry of one value, and the places that led only to it. */
  remove(value: unknown): void {
    const tokens: Token[] = [];
    if (!listTokens(value, tokens)) return;
    const places = [this.#root];
    for (const token of tokens) {
      const at = places.at(-1) as Place<T>;
      const next = nextOf(at, token);
      if (next === null) return;
      places.push(next);
    }
    (places.at(-1) as Place<T>).value = undefined;
    for (let depth = tokens.length; depth > 0; depth--) {
      const { value: kept, next, others } = places[depth] as Place<T>;
      if (kept !== undefined || next !== null || (others?.size ?? 0) > 0) return;
      this.#cut(places[depth - 1] as Place<T>, tokens[depth - 1]);
    }
  }

  #cut(at: Place<T>, token: Token): void {
    if (at.token === token) {
      at.token = NOTHING;
      at.next = null;
    } else at.others?.delete(token);
    this.#size--;
  }

  step(token: Token): boolean {
    const at = this.#at;
    const next = nextOf(at, token);
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

function nextOf<T>(at: Place<T>, token: Token): Place<T> | null {
  if (token === at.token) return at.next;
  return at.others === null ? null : (at.others.get(token) ?? null);
}

/** The place behind a value, where a walk that adds no places comes to; null if there is none. Most walks are such. */
function descend<T>(from: Place<T>, value: unknown): Place<T> | null {
  // What is no JSON was never added.
  if (typeof value !== 'object' || value === null) return nextOf(from, value as Token);
  if (Array.isArray(value)) return descendList(from, value);
  if (value instanceof Date) return null;
  let at = nextOf(from, MEMBERS);
  for (const key in value) {
    if (at === null) return null;
    const member = (value as Members)[key];
    if (member === undefined) continue;
    at = nextOf(at, key);
    if (at === null) return null;
    at = typeof member === 'object' ? descend(at, member) : nextOf(at, member as Token);
  }
  return at === null ? null : nextOf(at, END);
}

function descendList<T>(from: Place<T>, list: readonly unknown[]): Place<T> | null {
  let at = nextOf(from, LIST);
  if (at !== null) at = nextOf(at, list.length);
  for (let i = 0; i < list.length && at !== null; i++) at = descend(at, list[i]);
  return at;
}

/** Lists the steps of a value's walk; returns false if it is not JSON. */
function listTokens(value: unknown, tokens: Token[]): boolean {
  if (typeof value !== 'object' || value === null) {
    tokens.push(value as Token);
    return true;
  }
  if (Array.isArray(value)) {
    tokens.push(LIST, value.length);
    return value.every((item) => listTokens(item, tokens));
  }
  if (value instanceof Date) return false;
  tokens.push(MEMBERS);
  for (const key in value) {
    const member = (value as Members)[key];
    if (member === undefined) continue;
    tokens.push(key);
    if (!listTokens(member, tokens)) return false;
  }
  tokens.push(END);
  return true;
}
