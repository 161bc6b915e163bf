/** The maximum number of steps in a tree whose entries can be made again. */
const MOST_STEPS = 200_000;

/** A step of the tree: a plain value, a key, the begin or end of a list or an object, or an object by its identity. */
type Token = string | number | boolean | null | undefined | symbol | object;

const LIST = Symbol('list');
const MEMBERS = Symbol('members');
const END = Symbol('end');

/**
 * A row of steps that all sequences through it share, and what comes behind it. The steps lie in one array, because a
 * sequence mostly has its last branching far before its end: to walk it reads memory in its order.
 */
class Branch<T> {
  tokens: readonly Token[];
  value: T | undefined = undefined;
  /** Most branches have at most one branch behind them, which is compared without hashing. */
  next: Branch<T> | null = null;
  /** The other branches behind this one, by their first step. */
  others: Map<Token, Branch<T>> | null = null;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }
}

const NO_TOKENS: readonly Token[] = [];

/**
 * A map by sequences of JSON values. A look-up takes time that does not depend on the number of entries, and makes no
 * text or hash of the values: each plain value is one step down the tree.
 *
 *     tree.find();                        // or grow(), which adds what is missing when the value is set
 *     tree.walk(a) && tree.walk(b);       // false: there is no entry
 *     tree.value;
 */
export class SignatureTree<T> {
  readonly #limit: number;
  #root = new Branch<T>(NO_TOKENS);
  #size = 0;
  #grows = false;
  /** The branch of the walk, its steps, and how many of them are walked. */
  #branch = this.#root;
  #tokens = NO_TOKENS;
  #at = 0;
  /** The steps of the walk that are not in the tree; the branch was left after `#leftAt` steps. */
  readonly #tail: Token[] = [];
  #tailLength = 0;
  #leftAt = 0;

  /** `limit`: when there are more steps, all are removed. */
  constructor(limit = MOST_STEPS) {
    this.#limit = limit;
  }

  /** Starts a walk that adds nothing. */
  find(): void {
    this.#start(false);
  }

  /** Starts a walk whose missing steps are added when the value is set. */
  grow(): void {
    if (this.#size > this.#limit) {
      this.#root = new Branch(NO_TOKENS);
      this.#size = 0;
    }
    this.#start(true);
  }

  #start(grows: boolean): void {
    this.#grows = grows;
    this.#enter(this.#root, 0);
    this.#tailLength = 0;
  }

  #enter(branch: Branch<T>, at: number): void {
    this.#branch = branch;
    this.#tokens = branch.tokens;
    this.#at = at;
  }

  /** The value of the sequence that was walked. */
  get value(): T | undefined {
    return this.#tailLength === 0 && this.#at === this.#tokens.length ? this.#branch.value : undefined;
  }

  set value(value: T | undefined) {
    if (this.#tailLength > 0) this.#addTail();
    else if (this.#at < this.#tokens.length) this.#split(this.#branch, this.#at);
    this.#branch.value = value;
  }

  #addTail(): void {
    const [branch, length] = [this.#branch, this.#tailLength];
    if (this.#leftAt < branch.tokens.length) this.#split(branch, this.#leftAt);
    const added = new Branch<T>(this.#tail.slice(0, length));
    // The scratch array must not keep objects alive.
    this.#tail.fill(undefined, 0, length);
    if (branch.next === null) branch.next = added;
    else {
      branch.others ??= new Map();
      branch.others.set(added.tokens[0], added);
    }
    this.#size += length;
    this.#tailLength = 0;
    this.#enter(added, length);
  }

  /** Makes the steps of a branch from `at` on a branch of their own. */
  #split(branch: Branch<T>, at: number): void {
    const behind = new Branch<T>(branch.tokens.slice(at));
    behind.value = branch.value;
    behind.next = branch.next;
    behind.others = branch.others;
    branch.tokens = branch.tokens.slice(0, at);
    branch.value = undefined;
    branch.next = behind;
    branch.others = null;
    this.#enter(branch, at);
  }

  /**
   * Walks a value. Returns false if there is no such sequence, or the value is not JSON. Keys whose value is undefined
   * are ignored; the order of keys counts.
   */
  walk(value: unknown): boolean {
    this.#at = this.#follow(value, this.#at);
    return this.#at >= 0;
  }

  /** Begins a list, whose items the caller walks next. */
  beginList(length: number): boolean {
    return this.step(LIST) && this.step(length);
  }

  step(token: Token): boolean {
    this.#at = this.#next(token, this.#at);
    return this.#at >= 0;
  }

  /** Walks a value from a place in the branch on; returns the place behind it, or -1. */
  #follow(value: unknown, at: number): number {
    if (typeof value !== 'object' || value === null) {
      // What is no JSON must not be added, so that it is never found.
      return this.#grows && !isPlain(value) ? -1 : this.#next(value as Token, at);
    }
    return Array.isArray(value) ? this.#followList(value, at) : this.#followMembers(value as Members, at);
  }

  #followList(list: readonly unknown[], at: number): number {
    let next = this.#next(LIST, at);
    if (next >= 0) next = this.#next(list.length, next);
    for (let i = 0; i < list.length && next >= 0; i++) next = this.#follow(list[i], next);
    return next;
  }

  #followMembers(members: Members, at: number): number {
    if (members instanceof Date) return -1;
    let next = this.#next(MEMBERS, at);
    for (const key in members) {
      const value = members[key];
      if (value === undefined) continue;
      if (next >= 0) next = this.#next(key, next);
      if (next >= 0) next = this.#follow(value, next);
      if (next < 0) return -1;
    }
    return next < 0 ? -1 : this.#next(END, next);
  }

  #next(token: Token, at: number): number {
    return at < this.#tokens.length && this.#tokens[at] === token ? at + 1 : this.#cross(token, at);
  }

  /** Steps on from the end of a branch, or of the tail, or leaves the branch. */
  #cross(token: Token, at: number): number {
    if (this.#tailLength > 0) {
      this.#tail[this.#tailLength++] = token;
      return 0;
    }
    const next = at < this.#tokens.length ? null : behind(this.#branch, token);
    if (next !== null) {
      this.#enter(next, 1);
      return 1;
    }
    if (!this.#grows) return -1;
    this.#leftAt = at;
    this.#tokens = NO_TOKENS;
    this.#tail[0] = token;
    this.#tailLength = 1;
    return 0;
  }

  /** Removes the entry of one value, and the branches that led only to it. */
  remove(value: unknown): void {
    const path = this.#pathOf(value);
    const entry = path.at(-1);
    if (entry === undefined) return;
    entry.value = undefined;
    for (let depth = path.length - 1; depth > 0; depth--) {
      const [from, branch] = [path[depth - 1] as Branch<T>, path[depth] as Branch<T>];
      if (branch.value !== undefined || branch.next !== null || (branch.others?.size ?? 0) > 0) return;
      if (from.next === branch) from.next = null;
      else from.others?.delete(branch.tokens[0]);
      this.#size -= branch.tokens.length;
    }
  }

  /** The branches from the root to the entry of a value; none if there is no entry. */
  #pathOf(value: unknown): readonly Branch<T>[] {
    this.find();
    if (!this.walk(value) || this.value === undefined) return [];
    const entry = this.#branch;
    const tokens: Token[] = [];
    listTokens(value, tokens);
    const path = [this.#root];
    for (let i = 0, at: Branch<T> | null = this.#root; at !== null && at !== entry; i += at?.tokens.length ?? 0) {
      at = behind(at, tokens[i]);
      if (at !== null) path.push(at);
    }
    return path;
  }
}

type Members = Readonly<Record<string, unknown>>;

/** The branch behind another one that begins with the step; null if there is none. */
function behind<T>({ next, others }: Branch<T>, token: Token): Branch<T> | null {
  if (next !== null && next.tokens[0] === token) return next;
  return others === null ? null : (others.get(token) ?? null);
}

function isPlain(value: unknown): boolean {
  switch (typeof value) {
    case 'number':
      return !Number.isNaN(value);
    case 'object':
    case 'string':
    case 'boolean':
    case 'undefined':
      return true;
    default:
      return false;
  }
}

/** Lists the steps of a value's walk. */
function listTokens(value: unknown, tokens: Token[]): void {
  if (typeof value !== 'object' || value === null) tokens.push(value as Token);
  else if (Array.isArray(value)) {
    tokens.push(LIST, value.length);
    for (const item of value) listTokens(item, tokens);
  } else {
    tokens.push(MEMBERS);
    for (const key in value) {
      const member = (value as Members)[key];
      if (member === undefined) continue;
      tokens.push(key);
      listTokens(member, tokens);
    }
    tokens.push(END);
  }
}
