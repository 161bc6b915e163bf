import { member } from '../validation/check.ts';
import { FIELD_TABLE } from './field-table.ts';

/** The fields of a type, each with the type of what is inside; null: nothing that has fields of its own. */
type Fields = ReadonlyMap<string, FieldType | null>;

interface FieldType {
  readonly form: 'object' | 'list' | 'map';
  readonly fields: Fields;
}

let types: Map<string, Map<string, FieldType | null>> | null = null;

/** The types are read from the table at the first call. */
function fieldsOf(type: string): Fields | undefined {
  types ??= readTable(FIELD_TABLE);
  return types.get(type);
}

function readTable(table: string): Map<string, Map<string, FieldType | null>> {
  const read = new Map<string, Map<string, FieldType | null>>();
  const paragraphs = table.split(/\n(?! )/).filter((text) => text.trim() !== '');
  for (const paragraph of paragraphs) read.set(/^\S+/.exec(paragraph)?.[0] as string, new Map());
  for (const paragraph of paragraphs) {
    const [name = '', ...fields] = paragraph.split(/\s+/);
    for (const text of fields) {
      const [field = '', type] = text.split(':');
      const inner = type === undefined ? undefined : read.get(type.replace(/[[{][\]}]$/, ''));
      const form = type?.endsWith('[]') ? 'list' : type?.endsWith('{}') ? 'map' : 'object';
      read.get(name)?.set(field, inner === undefined ? null : { form, fields: inner });
    }
  }
  return read;
}

/** The bookkeeping of server-side apply has field names as keys. */
const UNCHECKED = 'managedFields';

/** Calls back with the path of every field that the API does not know. Of unknown kinds nothing is checked. */
export function findUnknownFields(kind: string, object: object, found: (path: string) => void): void {
  const fields = fieldsOf(kind);
  if (fields !== undefined) checkObject(object, fields, [], found);
}

type Path = (string | number)[];

function checkObject(object: object, fields: Fields, path: Path, found: (path: string) => void): void {
  for (const key in object) {
    const type = fields.get(key);
    if (type === null || key === UNCHECKED) continue;
    path.push(key);
    if (type === undefined) found(pathText(path));
    else checkValue((object as Record<string, unknown>)[key], type, path, found);
    path.pop();
  }
}

/** Values of another form than expected are for the validation to refuse. */
function checkValue(value: unknown, { form, fields }: FieldType, path: Path, found: (path: string) => void): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== (form === 'list')) return;
  if (form === 'object') {
    checkObject(value, fields, path, found);
    return;
  }
  const entries: Iterable<[string | number, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, entry] of entries) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) continue;
    path.push(key);
    checkObject(entry, fields, path, found);
    path.pop();
  }
}

function pathText(path: Path): string {
  return path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : member(text, key)), '');
}
