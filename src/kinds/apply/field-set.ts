import { combined } from '../../lib/combined.ts';
import { isJsonObject, type JsonObject } from '../object/json.ts';
import { setMember } from '../schema/decode.ts';
import { sortedElements } from './element-order.ts';

/**
 * A set of fields of an object, as a tree of path elements: `f:spec` a member, `k:{"name":"a"}` an item of a list by
 * its keys, `v:"x"` an item by its value. Upstream: sigs.k8s.io/structured-merge-diff/fieldpath. Sets are not changed
 * once they are shared; operations make new ones.
 */
export class FieldSet {
  readonly members: ReadonlySet<string>;
  readonly children: ReadonlyMap<string, FieldSet>;
  #json: JsonObject | undefined;

  constructor(members: Iterable<string> = [], children: Iterable<readonly [string, FieldSet]> = []) {
    this.members = new Set(members);
    this.children = new Map([...children].filter(([, child]) => !child.isEmpty));
  }

  /** Reads the form of `fieldsV1`; what is not understood is left out. */
  static fromJson(json: unknown): FieldSet {
    if (!isJsonObject(json)) return EMPTY;
    const members: string[] = [];
    const children: [string, FieldSet][] = [];
    for (const [element, value] of Object.entries(json)) {
      if (element === '.') continue;
      const child = FieldSet.fromJson(value);
      const isMember = isJsonObject(value) && (value['.'] !== undefined || Object.keys(value).length === 0);
      if (isMember) members.push(element);
      children.push([element, child]);
    }
    return new FieldSet(members, children);
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && this.children.size === 0;
  }

  /** The form of `fieldsV1`; it is made once, and frozen, since objects of one template share it. */
  toJson(): JsonObject {
    this.#json ??= this.#newJson();
    return this.#json;
  }

  #newJson(): JsonObject {
    const json: JsonObject = {};
    for (const element of sortedElements(new Set([...this.members, ...this.children.keys()]))) {
      const child = this.children.get(element);
      const isMember = this.members.has(element);
      if (child === undefined) setMember(json, element, NOTHING);
      else
        setMember(json, element, isMember ? Object.freeze(combined({ '.': NOTHING }, child.toJson())) : child.toJson());
    }
    return Object.freeze(json);
  }

  union(other: FieldSet): FieldSet {
    const children = new Map(this.children);
    for (const [element, child] of other.children) {
      const mine = children.get(element);
      children.set(element, mine === undefined ? child : mine.union(child));
    }
    return new FieldSet([...this.members, ...other.members], children);
  }

  intersection(other: FieldSet): FieldSet {
    const members = [...this.members].filter((element) => other.members.has(element));
    const children: [string, FieldSet][] = [];
    for (const [element, child] of this.children) {
      const theirs = other.children.get(element);
      if (theirs !== undefined) children.push([element, child.intersection(theirs)]);
    }
    return new FieldSet(members, children);
  }

  difference(other: FieldSet): FieldSet {
    const members = [...this.members].filter((element) => !other.members.has(element));
    const children: [string, FieldSet][] = [];
    for (const [element, child] of this.children) {
      const theirs = other.children.get(element);
      children.push([element, theirs === undefined ? child : child.difference(theirs)]);
    }
    return new FieldSet(members, children);
  }

  /** The set without these first elements and everything below them. */
  without(elements: readonly string[]): FieldSet {
    const members = [...this.members].filter((element) => !elements.includes(element));
    return new FieldSet(
      members,
      [...this.children].filter(([element]) => !elements.includes(element)),
    );
  }

  /** The set with another one below an element. */
  replaced(element: string, child: FieldSet): FieldSet {
    const children = new Map(this.children);
    children.set(element, child);
    return new FieldSet(this.members, children);
  }

  equals(other: FieldSet): boolean {
    return this.difference(other).isEmpty && other.difference(this).isEmpty;
  }

  /** The paths as conflicts name them: `.spec.containers[name="a"].image`. */
  paths(prefix = ''): string[] {
    const own = sortedElements(this.members).map((element) => prefix + elementText(element));
    const below = sortedElements(this.children.keys());
    return [...own, ...below.flatMap((element) => this.children.get(element)!.paths(prefix + elementText(element)))];
  }
}

const EMPTY = new FieldSet();
const NOTHING: JsonObject = Object.freeze({});

/** `f:a` is `.a`, `k:{"name":"a"}` is `[name="a"]`, `v:"x"` is `[="x"]`. */
export function elementText(element: string): string {
  const rest = element.slice(2);
  if (element.startsWith('f:')) return `.${rest}`;
  if (element.startsWith('v:')) return `[=${rest}]`;
  const keys = JSON.parse(rest) as JsonObject;
  const texts = Object.keys(keys).map((key) => `${key}=${JSON.stringify(keys[key])}`);
  return `[${texts.join(',')}]`;
}
