import { isKind, KINDS, type Kind } from '../../api/kinds.ts';
import { isMissing, isObject, quote, show, type UnknownObject } from '../../api/validation/check.ts';
import { manifestError, type SourceDocument } from './source-document.ts';

/** An object out of a document, not yet checked. */
export interface FoundObject {
  readonly kind: Kind;
  readonly value: UnknownObject;
  /** Where it stands in its file, for those that have no name yet: `line 12`, `items[3]`. */
  readonly place: string;
}

const LIST = 'List';

/** Known kinds and lists, for messages. */
const KNOWN_KINDS = [...Object.keys(KINDS), LIST].join(', ');

/** The objects of a document, those in Lists included (`List`, `PodList`, ...). */
export function expand(document: SourceDocument, file: string): Generator<FoundObject> {
  return expandValue(document.value, null, `line ${document.line}`, '', file);
}

function* expandValue(
  value: unknown,
  impliedKind: Kind | null,
  place: string,
  path: string,
  file: string,
): Generator<FoundObject> {
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
    throw fail('UnsupportedKind', `kind ${quote(kind)} is not supported (known: ${KNOWN_KINDS})`);
  }
  const { apiVersion, items } = value;
  const expected = itemKind === null ? 'v1' : KINDS[itemKind].apiVersion;
  if (!isMissing(apiVersion) && apiVersion !== expected) {
    throw fail('InvalidObject', `apiVersion: must be ${expected} for a ${kind}, not ${show(apiVersion)}`);
  }
  if (items === undefined) throw fail('InvalidObject', `${kind}: items: is required`);
  // Go writes an empty list as null.
  if (items === null) return;
  if (!Array.isArray(items)) throw fail('InvalidObject', `${kind}: items: must be a list, not ${show(items)}`);
  for (let i = 0; i < items.length; i++) {
    const item = `${path}items[${i}]`;
    yield* expandValue(items[i], itemKind, item, `${item}.`, file);
  }
}

/** What a list holds: one kind, or null for any; undefined when it is no list of ours. */
function itemKindOf(kind: string): Kind | null | undefined {
  if (kind === LIST) return null;
  const item = kind.endsWith(LIST) ? kind.slice(0, -LIST.length) : '';
  return isKind(item) ? item : undefined;
}
