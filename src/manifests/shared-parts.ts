import { isObject } from '../api/validation/check.ts';
import { DEPTH_MAX, look, type ValueShape } from './value-shape.ts';

const OWNERS_MAX = 10_000;

type Value = Record<string | number, unknown>;

/**
 * Objects of one owner, as the pods of a ReplicaSet, are alike in most parts. Parts that equal those of the object that
 * came before become one, so that a dump takes less memory, and less of it is copied when garbage is collected.
 * Whatever reads objects of files must therefore leave them as they are.
 */
export class SharedParts {
  readonly #lastByOwner = new Map<string, Value>();

  /** The shape of a value that was just parsed, whose parts are shared from here on; null: it is nested too deeply. */
  share(value: unknown): ValueShape | null {
    const shape: ValueShape = { members: 0, hasLargeNumbers: false };
    const owner = ownerOf(value);
    const last = owner === undefined ? undefined : this.#lastByOwner.get(owner);
    const isGood = last === undefined ? look(value, shape, 0) : shared(value as Value, last, shape, 0) !== undefined;
    if (!isGood) return null;
    // Objects with large numbers are parsed anew.
    if (owner === undefined || shape.hasLargeNumbers) return shape;
    if (this.#lastByOwner.size === OWNERS_MAX) this.#lastByOwner.clear();
    this.#lastByOwner.set(owner, value as Value);
    return shape;
  }
}

function ownerOf(value: unknown): string | undefined {
  const metadata = isObject(value) ? value['metadata'] : undefined;
  const owners = isObject(metadata) ? metadata['ownerReferences'] : undefined;
  const owner: unknown = Array.isArray(owners) ? owners[0] : undefined;
  const uid = isObject(owner) ? owner['uid'] : undefined;
  return typeof uid === 'string' ? uid : undefined;
}

/** Returns `last` when the value equals it, otherwise the value; undefined when it is nested too deeply. */
function shared(value: Value, last: Value, shape: ValueShape, depth: number): Value | undefined {
  if (depth > DEPTH_MAX) return undefined;
  if (Array.isArray(value)) return sharedList(value, last, shape, depth);
  let areEqual = !Array.isArray(last);
  for (const key in value) {
    shape.members++;
    const entry = value[key];
    // The prototype of an object is no member of it.
    const known = key === '__proto__' ? undefined : last[key];
    const kept = sharedEntry(entry, known, shape, depth);
    if (kept === undefined) return undefined;
    if (kept !== known) areEqual = false;
    else if (kept !== entry || typeof kept === 'string') value[key] = kept;
  }
  return areEqual && haveSameKeys(value, last) ? last : value;
}

function sharedList(value: unknown[], last: Value, shape: ValueShape, depth: number): Value | undefined {
  let areEqual = Array.isArray(last) && last.length === value.length;
  for (let i = 0; i < value.length; i++) {
    const entry = value[i];
    const known = last[i];
    const kept = sharedEntry(entry, known, shape, depth);
    if (kept === undefined) return undefined;
    if (kept !== known) areEqual = false;
    else if (kept !== entry || typeof kept === 'string') value[i] = kept;
  }
  return areEqual ? last : (value as unknown as Value);
}

/** What takes the place of an entry; undefined when it is nested too deeply. */
function sharedEntry(entry: unknown, known: unknown, shape: ValueShape, depth: number): unknown {
  if (!isNested(entry)) {
    if (typeof entry === 'number') look(entry, shape, depth);
    return entry === known ? known : entry;
  }
  if (isNested(known)) return shared(entry, known, shape, depth + 1);
  return look(entry, shape, depth + 1) ? entry : undefined;
}

function isNested(value: unknown): value is Value {
  return typeof value === 'object' && value !== null;
}

/** Parts with their members in another order are not equal, since objects are shown as they were read. */
function haveSameKeys(value: Value, last: Value): boolean {
  const keys = Object.keys(value);
  const others = Object.keys(last);
  if (keys.length !== others.length) return false;
  for (let i = 0; i < keys.length; i++) if (keys[i] !== others[i]) return false;
  return true;
}
