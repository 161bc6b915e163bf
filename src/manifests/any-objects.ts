import type { KubernetesObject } from '../api/meta.ts';
import { isMissing, isObject, show, type UnknownObject } from '../api/validation/check.ts';
import type { FieldWarnings } from './field-warnings.ts';
import type { FileSource } from './file-source.ts';
import { type DocumentOptions, findDocuments } from './find-objects.ts';
import { manifestError } from './source-document.ts';
import { DEPTH_MAX } from './value-shape.ts';

/**
 * Reads objects of any kind from files in the same formats as everywhere, those of Lists one by one. Only what every
 * object needs is checked; `fields` names unknown fields of the kinds that are known.
 *
 * @throws CodedError with file, object or place, field and reason
 */
export async function readAnyObjects(
  files: readonly string[],
  source: FileSource,
  options: DocumentOptions,
  fields: FieldWarnings,
): Promise<KubernetesObject[]> {
  const objects: KubernetesObject[] = [];
  let itemCount = 0;
  /** Items of a List that comes in parts, whose rest says what they are. */
  let nameless: Item[] = [];
  await findDocuments(files, source, options, ({ part, value, line }, file) => {
    const add = (each: Item): void => {
      for (const { item, place } of flattened(each, file)) {
        const { kind, named } = checked(item, `${file}: ${place}`);
        fields.check(kind, named as UnknownObject, file, `${kind} ${named.metadata?.name}`);
        objects.push(named);
      }
    };
    if (part === 'rest') {
      for (const { item, place } of nameless) add({ item: isObject(value) ? itemOf(value, item) : item, place });
      itemCount = 0;
      nameless = [];
    } else if (part === 'item') {
      const place = `items[${itemCount++}]`;
      if (isObject(value) && !isMissing(value['kind'])) add({ item: value, place });
      else nameless.push({ item: value, place });
    } else add({ item: value, place: `line ${line}` });
  });
  return objects;
}

/** An object, and where it stands in its file. */
interface Item {
  readonly item: unknown;
  readonly place: string;
}

/** The objects of lists, which may have lists as items. */
function* flattened({ item, place }: Item, file: string, depth = 0): Generator<Item> {
  if (depth > DEPTH_MAX) throw manifestError('InvalidObject', `${file}: is nested too deeply, or contains itself`);
  if (!isObject(item) || !isList(item)) {
    yield { item, place };
    return;
  }
  const path = depth === 0 && place.startsWith('line ') ? '' : `${place}.`;
  for (const [i, inner] of item.items.entries()) {
    yield* flattened({ item: itemOf(item, inner), place: `${path}items[${i}]` }, file, depth + 1);
  }
}

function isList(value: UnknownObject): value is UnknownObject & { readonly items: readonly unknown[] } {
  return String(value['kind']).endsWith('List') && Array.isArray(value['items']);
}

/** An item of a list such as a PodList need not say what it is. */
function itemOf({ kind, apiVersion }: UnknownObject, item: unknown): unknown {
  const itemKind = String(kind).slice(0, -'List'.length);
  if (itemKind === '' || !isObject(item) || !isMissing(item['kind'])) return item;
  return { kind: itemKind, apiVersion, ...item };
}

function checked(value: unknown, place: string): { readonly kind: string; readonly named: KubernetesObject } {
  if (!isObject(value)) {
    throw manifestError('InvalidObject', `${place}: must be an object with apiVersion and kind, not ${show(value)}`);
  }
  for (const field of ['kind', 'apiVersion']) {
    if (typeof value[field] === 'string' && value[field] !== '') continue;
    throw manifestError('InvalidObject', `${place}: ${field}: is required`);
  }
  return { kind: String(value['kind']), named: value as KubernetesObject };
}
