import type { Kind, KindInfo } from '../api/kinds.ts';
import { isMissing, isObject, quote, show, type UnknownObject } from '../api/validation/check.ts';
import type { LeftOut } from './left-out.ts';
import { inCurrentResourceVersion } from './resource-api-versions.ts';
import { type ManifestErrorCode, manifestError, type SourceDocument } from './source-document.ts';
import { DEPTH_MAX } from './value-shape.ts';

/** An object in a document, not yet checked. */
export interface FoundObject<K extends string = Kind> {
  readonly kind: K;
  readonly value: UnknownObject;
  /** The place of the object in the file, for objects without a name: `line 12`, `items[3]`. */
  readonly place: string;
}

type KnownKinds<K extends string> = { readonly [Name in K]: KindInfo };

const LIST = 'List';

/** An item of a list, and the kind that the list gives it; null: it has to name its own. */
interface Place<K> {
  readonly impliedKind: K | null;
  readonly place: string;
  /** What stands before the place of an item inside of this one. */
  readonly path: string;
  readonly depth: number;
}

/** Finds the objects in the documents of one file, including those in Lists (`List`, `PodList`, ...). */
export class Expander<K extends string> {
  readonly #file: string;
  readonly #kinds: KnownKinds<K>;
  readonly #leftOut: LeftOut | null;
  /** What a List that comes in parts has had: the number of items, items without kind, the first item of each kind. */
  #itemCount = 0;
  #nameless: { readonly value: UnknownObject; readonly index: number }[] = [];
  readonly #firstOfKind = new Map<string, number>();

  /** @param leftOut counts the objects of other kinds and API groups; null: these are refused */
  constructor(file: string, kinds: KnownKinds<K>, leftOut: LeftOut | null) {
    this.#file = file;
    this.#kinds = kinds;
    this.#leftOut = leftOut;
  }

  *expand({ part, value, line }: SourceDocument): Generator<FoundObject<K>> {
    if (part === 'rest') yield* this.#endOfParts(value, line);
    else if (part === 'item') {
      const index = this.#itemCount++;
      if (isObject(value) && isMissing(value['kind'])) {
        this.#nameless.push({ value, index });
        return;
      }
      const kind = isObject(value) ? String(value['kind']) : '';
      if (!this.#firstOfKind.has(kind)) this.#firstOfKind.set(kind, index);
      yield* this.#found(value, itemPlace<K>(index, null));
    } else yield* this.#found(value, documentPlace(line));
  }

  /** The rest of a List says what its items are; those without a kind have waited for it. */
  *#endOfParts(rest: unknown, line: number): Generator<FoundObject<K>> {
    const place = documentPlace<K>(line);
    const kind = this.#kindOf(rest, place);
    if (!kind.endsWith(LIST)) throw this.#fail('InvalidObject', place.place, `items: do not belong in a ${kind}`);
    yield* this.#found(rest, place);
    const itemKind = this.#itemKindOf(kind) ?? null;
    if (itemKind !== null) {
      for (const [other, index] of this.#firstOfKind) {
        if (other === itemKind) continue;
        throw this.#fail('InvalidObject', `items[${index}]`, `kind: ${quote(other)} does not belong in a ${kind}`);
      }
    }
    if (this.#itemKindOf(kind) === undefined) this.#leftOut?.add(kind.slice(0, -LIST.length), this.#nameless.length);
    else for (const { value, index } of this.#nameless) yield* this.#found(value, itemPlace(index, itemKind));
    this.#itemCount = 0;
    this.#nameless = [];
    this.#firstOfKind.clear();
  }

  *#found(value: unknown, at: Place<K>): Generator<FoundObject<K>> {
    const kind = this.#kindOf(value, at);
    const object = value as UnknownObject;
    if (at.depth > DEPTH_MAX) throw this.#fail('InvalidObject', at.place, 'is nested too deeply, or contains itself');
    if (this.#isKind(kind)) {
      if (this.#isForeign(object, this.#kinds[kind])) return;
      yield { kind, value: inCurrentResourceVersion(object), place: at.place };
      return;
    }
    const itemKind = this.#itemKindOf(kind);
    const items = object['items'];
    if (itemKind === undefined) {
      this.#leaveOut(kind, items, at.place);
      return;
    }
    const expected = itemKind === null ? { apiVersion: 'v1' } : this.#kinds[itemKind];
    const { apiVersion } = object;
    if (!isMissing(apiVersion) && apiVersion !== expected.apiVersion) {
      if (this.#leftOut !== null && isOfOtherGroup(apiVersion, expected.apiVersion)) {
        this.#leaveOut(kind, items, at.place);
        return;
      }
      const reason = `apiVersion: must be ${expected.apiVersion} for a ${kind}, not ${show(apiVersion)}`;
      throw this.#fail('InvalidObject', at.place, reason);
    }
    if (items === undefined) throw this.#fail('InvalidObject', at.place, `${kind}: items: is required`);
    // Go writes an empty list as null.
    if (items === null) return;
    if (!Array.isArray(items)) {
      throw this.#fail('InvalidObject', at.place, `${kind}: items: must be a list, not ${show(items)}`);
    }
    for (let i = 0; i < items.length; i++) yield* this.#found(items[i], itemPlace(i, itemKind, at));
  }

  #kindOf(value: unknown, { impliedKind, place }: Place<K>): string {
    if (!isObject(value)) {
      throw this.#fail('InvalidObject', place, `must be an object with apiVersion and kind, not ${show(value)}`);
    }
    const kind = isMissing(value['kind']) ? impliedKind : value['kind'];
    if (kind === null || kind === '') throw this.#fail('InvalidObject', place, 'kind: is required');
    if (typeof kind !== 'string') throw this.#fail('InvalidObject', place, `kind: must be a string, not ${show(kind)}`);
    if (impliedKind !== null && kind !== impliedKind) {
      throw this.#fail('InvalidObject', place, `kind: ${quote(kind)} does not belong in a ${impliedKind}List`);
    }
    return kind;
  }

  /** Leaves out an object, or the items of a list, of a kind that is not known here. */
  #leaveOut(kind: string, items: unknown, place: string): void {
    if (this.#leftOut === null) {
      const known = [...Object.keys(this.#kinds), LIST].join(', ');
      throw this.#fail('UnsupportedKind', place, `kind ${quote(kind)} is not supported (known: ${known})`);
    }
    if (kind.endsWith(LIST) && Array.isArray(items)) this.#leftOut.add(kind.slice(0, -LIST.length), items.length);
    else this.#leftOut.add(kind);
  }

  /** Whether the object is of another API group that has a kind of the same name; if so, it is left out. */
  #isForeign({ apiVersion, kind }: UnknownObject, { apiVersion: expected }: KindInfo): boolean {
    if (this.#leftOut === null || !isOfOtherGroup(apiVersion, expected)) return false;
    this.#leftOut.add(`${String(kind)}.${groupOf(String(apiVersion))}`);
    return true;
  }

  #isKind(name: string): name is K {
    return Object.hasOwn(this.#kinds, name);
  }

  /** The kind of a list's items, or null for any kind; undefined when it is no list that is read here. */
  #itemKindOf(kind: string): K | null | undefined {
    if (kind === LIST) return null;
    const item = kind.endsWith(LIST) ? kind.slice(0, -LIST.length) : '';
    return this.#isKind(item) ? item : undefined;
  }

  #fail(code: ManifestErrorCode, place: string, reason: string) {
    return manifestError(code, `${this.#file}: ${shortened(place)}: ${reason}`);
  }
}

function documentPlace<K>(line: number): Place<K> {
  return { impliedKind: null, place: `line ${line}`, path: '', depth: 0 };
}

function itemPlace<K>(index: number, impliedKind: K | null, list?: Place<K>): Place<K> {
  const place = `${list?.path ?? ''}items[${index}]`;
  return { impliedKind, place, path: `${place}.`, depth: (list?.depth ?? 0) + 1 };
}

/** The longest place that is shown in full; Lists in Lists may make any. */
const PLACE_MAX = 120;

function shortened(place: string): string {
  return place.length <= PLACE_MAX ? place : `${place.slice(0, PLACE_MAX / 2)}…${place.slice(-PLACE_MAX / 2)}`;
}

/**
 * Whether an apiVersion is of another group, which may have kinds of the same names. Custom resources and newer groups
 * of Kubernetes have a dot in their group; without one, it is rather a mistake.
 */
function isOfOtherGroup(apiVersion: unknown, expected: string): boolean {
  if (typeof apiVersion !== 'string' || !/^[^/]*\.[^/]*\/[^/]+$/.test(apiVersion)) return false;
  return groupOf(apiVersion) !== groupOf(expected);
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}
