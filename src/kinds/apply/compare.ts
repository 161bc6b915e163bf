import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../object/json.ts';
import { FieldSet } from './field-set.ts';
import type { ListType, MapType, MergeType } from './merge-type.ts';
import { elementOf, itemsOf, memberTypeOf, shapeOf, type Value } from './typed-value.ts';

/** How one value differs from another (compare.go of structured-merge-diff). */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export function compare(before: Value, after: Value, type: MergeType): Comparison {
  const difference = new Difference();
  walk(before, after, type, difference);
  return difference.comparison();
}

/** Collects the differences at one place, and those below it. */
class Difference {
  readonly added = new Set<string>();
  readonly modified = new Set<string>();
  readonly removed = new Set<string>();
  private readonly children = new Map<string, Difference>();

  child(element: string): Difference {
    let child = this.children.get(element);
    if (child === undefined) {
      child = new Difference();
      this.children.set(element, child);
    }
    return child;
  }

  comparison(): Comparison {
    return { added: this.set('added'), modified: this.set('modified'), removed: this.set('removed') };
  }

  private set(which: 'added' | 'modified' | 'removed'): FieldSet {
    return new FieldSet(
      this[which],
      [...this.children].map(([element, child]) => [element, child.set(which)] as const),
    );
  }
}

/** Compares what is below a place. */
function walk(before: Value, after: Value, type: MergeType, difference: Difference): void {
  // Frozen parts are shared between versions of an object.
  if (before === after) return;
  const shape = shapeOf(type, before, after);
  if (shape.as === 'list') walkList(before, after, shape.type, difference);
  else if (shape.as === 'map') walkMap(before, after, shape.type, difference);
}

function walkMap(before: Value, after: Value, type: MapType, difference: Difference): void {
  const [old, now] = [isJsonObject(before) ? before : {}, isJsonObject(after) ? after : {}];
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    visit(`f:${name}`, old[name], now[name], memberTypeOf(type, name), difference);
  }
}

function walkList(before: Value, after: Value, type: ListType, difference: Difference): void {
  const [old, now] = [before, after].map((list) => {
    const items = new Map<string, Value>();
    for (const item of itemsOf(list)) {
      const element = elementOf(type, item);
      if (element !== undefined && !items.has(element)) items.set(element, item);
    }
    return items;
  }) as [Map<string, Value>, Map<string, Value>];
  for (const element of new Set([...old.keys(), ...now.keys()])) {
    visit(element, old.get(element), now.get(element), type.elem, difference);
  }
}

function visit(element: string, before: Value, after: Value, type: MergeType, difference: Difference): void {
  if (before === after) return;
  if (isLeaf(before, after, type)) {
    if (before === undefined) difference.added.add(element);
    else if (after === undefined) difference.removed.add(element);
    else if (!isDeepStrictEqual(before, after)) difference.modified.add(element);
    return;
  }
  walk(before, after, type, difference.child(element));
  if (before === undefined) difference.added.add(element);
  else if (after === undefined) difference.removed.add(element);
}

/** Lists and maps without content are leaves, so that empty and absent differ. */
function isLeaf(before: Value, after: Value, type: MergeType): boolean {
  const shape = shapeOf(type, before, after);
  return shape.as === 'leaf' || (isEmpty(before) && isEmpty(after));
}

function isEmpty(value: Value): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
