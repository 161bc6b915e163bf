import type { Kind, KindInfo } from '../api/kinds.ts';
import { isMissing, isObject, quote, show, type UnknownObject } from '../api/validation/check.ts';
import { manifestError, type SourceDocument } from './source-document.ts';

/** An object in a document, not yet checked. */
export interface FoundObject<K extends string = Kind> {
  readonly kind: K;
  readonly value: UnknownObject;
  /** Its place in the file, for objects without a name: `line 12`, `items[3]`. */
  readonly place: string;
}

type KnownKinds<K extends string> = { readonly [Name in K]: KindInfo };

const LIST = 'List';

/** The objects of a document, including those in Lists (`List`, `PodList`, ...). */
export function expand<K extends string>(
  document: SourceDocument,
  file: string,
  kinds: KnownKinds<K>,
): Generator<FoundObject<K>> {
  const isKind = (name: string): name is K => Object.hasOwn(kinds, name);
  return found(document.value, null, `line ${document.line}`, '');

  function* found(value: unknown, impliedKind: K | null, place: string, path: string): Generator<FoundObject<K>> {
    const fail = (code: 'InvalidObject' | 'UnsupportedKind', reason: string) =>
      manifestError(code, `${file}: ${place}: ${reason}`);
    if (!isObject(value)) throw fail('InvalidObject', `must be an object with apiVersion and kind, not ${show(value)}`);
    const kind = isMissing(value['kind']) ? impliedKind : value['kind'];
    if (kind === null || kind === '') throw fail('InvalidObject', 'kind: is required');
    if (typeof kind !== 'string') throw fail('InvalidObject', `kind: must be a string, not ${show(kind)}`);
    if (impliedKind !== null && kind !== impliedKind) {
      throw fail('InvalidObject', `kind: ${quote(kind)} does not belong in a ${impliedKind}List`);
    }
    if (isKind(kind)) {
      yield { kind, value, place };
      return;
    }
    const itemKind = itemKindOf(kind);
    if (itemKind === undefined) {
      const known = [...Object.keys(kinds), LIST].join(', ');
      throw fail('UnsupportedKind', `kind ${quote(kind)} is not supported (known: ${known})`);
    }
    const { apiVersion, items } = value;
    const expected = itemKind === null ? 'v1' : kinds[itemKind].apiVersion;
    if (!isMissing(apiVersion) && apiVersion !== expected) {
      throw fail('InvalidObject', `apiVersion: must be ${expected} for a ${kind}, not ${show(apiVersion)}`);
    }
    if (items === undefined) throw fail('InvalidObject', `${kind}: items: is required`);
    // Go writes an empty list as null.
    if (items === null) return;
    if (!Array.isArray(items)) throw fail('InvalidObject', `${kind}: items: must be a list, not ${show(items)}`);
    for (let i = 0; i < items.length; i++) {
      const item = `${path}items[${i}]`;
      yield* found(items[i], itemKind, item, `${item}.`);
    }
  }

  /** The kind of a list's items, or null for any kind; undefined when it is no list that is read here. */
  function itemKindOf(kind: string): K | null | undefined {
    if (kind === LIST) return null;
    const item = kind.endsWith(LIST) ? kind.slice(0, -LIST.length) : '';
    return isKind(item) ? item : undefined;
  }
}
