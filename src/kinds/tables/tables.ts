import { readDataFile } from '../data-file.ts';
import { objectAt } from '../defaults/members.ts';
import type { TableColumn, TableColumns } from '../object/kind-schema.ts';
import { descriptionOf } from '../schema/descriptions.ts';
import { nameOf } from './cell-texts.ts';
import { OTHER_ROWS } from './core-rows.ts';
import { podCells, podConditions } from './pod-row.ts';
import { WORKLOAD_ROWS } from './workload-rows.ts';

type ColumnRow = readonly [name: string, type: string, format: string, priority: number, description: string];

interface ColumnsFile {
  readonly texts: Readonly<Record<string, string>>;
  readonly columns: Readonly<Record<string, readonly ColumnRow[]>>;
}

let file: ColumnsFile | undefined;

/** Name and time of creation, for kinds without columns of their own. */
const ANY = '*';

/** The Table of a built-in kind: upstream's columns, and how the cells of an object are found. */
export function tableOf(kind: string): TableColumns {
  const columns = columnsOf(kind);
  if (kind === 'Pod') {
    return {
      columns,
      row: (object, nowMillis) => {
        const conditions = podConditions(object);
        const cells = podCells(object, nowMillis);
        return conditions === undefined ? { cells } : { cells, conditions };
      },
    };
  }
  const cellsOf = Object.hasOwn(WORKLOAD_ROWS, kind) ? WORKLOAD_ROWS[kind] : OTHER_ROWS[kind];
  if (cellsOf !== undefined) return { columns, row: (object, nowMillis) => ({ cells: cellsOf(object, nowMillis) }) };
  return {
    columns: columnsOf(ANY),
    row: (object) => ({ cells: [nameOf(object), objectAt(object, 'metadata')?.['creationTimestamp'] ?? null] }),
  };
}

function columnsOf(kind: string): TableColumn[] {
  file ??= readDataFile('table-columns.json') as ColumnsFile;
  const rows = Object.hasOwn(file.columns, kind) ? file.columns[kind] : file.columns[ANY];
  return (rows ?? []).map(([name, type, format, priority, text]) => {
    return { name, type, format, description: describedBy(text), priority };
  });
}

/** `@name` refers to a text of the file, `=apps/v1.ControllerRevision.revision` to what the API says of a member. */
function describedBy(text: string): string {
  if (!text.startsWith('=')) return file?.texts[text] ?? text;
  const dot = text.lastIndexOf('.');
  return descriptionOf(text.slice(1, dot)).fields?.[text.slice(dot + 1)] ?? '';
}
