import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import type { TableColumn, TableColumns } from '../object/kind-schema.ts';
import { since } from '../tables/cell-texts.ts';
import { tableOf } from '../tables/tables.ts';

/** The Table of a custom resource: its name, and the columns that its definition lists. */
export function customTable(version: JsonObject): TableColumns {
  const [name] = tableOf('Lease').columns;
  const given = objectsAt(version, 'additionalPrinterColumns');
  const columns = given.length > 0 ? given.map(columnOf) : [AGE];
  const paths = given.length > 0 ? given.map((column) => textAt(column, 'jsonPath')) : ['.metadata.creationTimestamp'];
  return {
    columns: [name as TableColumn, ...columns],
    row: (object, nowMillis) => {
      const cells = paths.map((path, i) => cellOf(valuesAt(object, path), columns[i] as TableColumn, nowMillis));
      return { cells: [object.metadata?.name ?? '', ...cells] };
    },
  };
}

const AGE: TableColumn = {
  name: 'Age',
  type: 'date',
  format: '',
  description:
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed' +
    ' to be set in happens-before order across separate operations. Clients may not set this value. It is represented' +
    ' in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info:' +
    ' https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
  priority: 0,
};

function columnOf(column: JsonObject): TableColumn {
  const path = textAt(column, 'jsonPath');
  const description =
    textAt(column, 'description') || `Custom resource definition column (in JSONPath format): ${path}`;
  return {
    name: textAt(column, 'name'),
    type: textAt(column, 'type'),
    format: textAt(column, 'format'),
    description,
    priority: Number(column['priority'] ?? 0),
  };
}

function cellOf(values: readonly JsonValue[], { type }: TableColumn, nowMillis: number): JsonValue {
  const [value] = values;
  if (value === undefined || value === null) return type === 'string' && value === null ? '' : null;
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string'
        ? Number.isNaN(Date.parse(value))
          ? '<invalid>'
          : since(value, nowMillis)
        : null;
    default:
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
}

const STEP = /^(?:\.([^.[\]]+)|\[(\d+|\*)\]|\['([^']+)'\]|\[\?\(@\.([\w.]+)\s*==\s*["']([^"']*)["']\)\])/;

/**
 * What a simple JSONPath leads to: members, items by number, all items, and items with a member of a value.
 *
 * @internal
 */
export function valuesAt(object: JsonObject, path: string): JsonValue[] {
  let values: JsonValue[] = [object];
  let rest = path
    .replace(/^\{|\}$/g, '')
    .replace(/^\$/, '')
    .replaceAll('\\.', '\u0000');
  while (rest !== '') {
    const match = STEP.exec(rest);
    if (match === null) return [];
    const [all, member, index, quoted, key, wanted] = match;
    rest = rest.slice(all.length);
    const name = member ?? quoted;
    values = values.flatMap((value): JsonValue[] => {
      if (name !== undefined) {
        const found = isJsonObject(value) ? value[name.replaceAll('\u0000', '.')] : undefined;
        return found === undefined ? [] : [found];
      }
      if (!Array.isArray(value)) return [];
      if (index === '*') return value;
      if (index !== undefined) return value[Number(index)] === undefined ? [] : [value[Number(index)] as JsonValue];
      return value.filter((item) => String(objectAt({ item }, 'item')?.[key ?? '']) === wanted);
    });
  }
  return values;
}
