import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvRow, readNamedRows, readPlainRows } from '../../../src/simulation/input/csv-table.ts';

const COLUMNS = ['name', 'value'];

describe('rows of CSV files', () => {
  it('name in errors the line in which the record ends', () => {
    const cell = fc.constantFrom('x', '"x"', '"x\ny"', ' x ', '""');
    const gap = fc.constantFrom('', '\n', '\n\n', ' \n');
    const line = fc.tuple(gap, cell, cell).map(([before, a, b]) => `${before}${a},${b}\n`);
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.constantFrom('', '\n'), (lines, before) => {
        const text = before + lines.join('');
        const infos = parse(text, { info: true, relax_column_count: true, skip_empty_lines: true, trim: true });
        const wanted = (infos as unknown as { info: { lines: number } }[]).map(({ info }) => `file.csv:${info.lines}`);
        const rows = readPlainRows({ name: 'file.csv', text }, COLUMNS);
        expect(rows.map(placeOf)).toEqual(wanted);
      }),
    );
  });

  it('name the first line with the same name', () => {
    const text = 'name,value\n\na,"1\n2"\n\nb,3\na,4\n';
    const read = () => readNamedRows({ name: 'file.csv', text }, COLUMNS);
    expect(read).toThrow('file.csv:7: column name: duplicate name "a" (first in line 4)');
  });

  it('skip a header that a file without one has', () => {
    const rows = readPlainRows({ name: 'file.csv', text: 'name,value\na,1\n' }, COLUMNS);
    expect(rows.map((row) => row.text('value'))).toEqual(['1']);
  });
});

function placeOf(row: CsvRow): string {
  return row.error('value', '').message.split(': ')[0] ?? '';
}
