import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainRecords } from '../../../src/simulation/input/plain-csv.ts';

/** What the parser makes of the text, which is asked for any other text. */
function parsedRecords(text: string) {
  const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true, trim: true } as const;
  const records = parse(text, options) as unknown as { info: { lines: number }; record: string[] }[];
  return records.map(({ info, record }) => ({ cells: record, line: info.lines }));
}

test('plain tables have the records that the parser finds', () => {
  const drawn = fc.array(fc.constantFrom('a', 'name', '12', ',', ',,', '\n', '\n\n', ' ', '|', '~'), { maxLength: 30 });
  fc.assert(
    fc.property(drawn, (parts) => {
      expect(plainRecords(parts.join(''))).toEqual(parsedRecords(parts.join('')));
    }),
    { numRuns: 2000 },
  );
});

test.each(['"a",b\n', 'a,b\r\n1,2\r\n', '\ufeffa,b\n', 'a,\u00a0b\n', 'a\tb\n'])('%j needs the parser', (text) => {
  expect(plainRecords(text)).toBeUndefined();
});
