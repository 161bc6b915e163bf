import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainCells } from '../../../src/simulation/input/plain-csv.ts';

const OPTIONS = { bom: true, relax_column_count: true, skip_empty_lines: true, trim: true } as const;

it('are the cells that a whole CSV reader finds, wherever the text is plain', () => {
  const usual = fc.constantFrom('a', 'b', ',', '\n', ' ', '\t');
  const odd = fc.constantFrom('"', '\r', '\r\n', '\f', '\v', '\u00a0', '\ufeff', 'ä', '\0');
  const text = fc.array(fc.oneof({ weight: 16, arbitrary: usual }, odd));
  let plain = 0;
  fc.assert(
    fc.property(text, (pieces) => {
      const whole = pieces.join('');
      const cells = plainCells(whole);
      if (cells === undefined) return;
      plain++;
      expect(cells).toEqual(parse(whole, OPTIONS));
    }),
    { numRuns: 3000 },
  );
  expect(plain).toBeGreaterThan(300);
});

const ODD = ['"a",b\n', 'a\r\nb\r\n', '\ufeffa,b\n', 'a\n \nb\n', 'a\u00a0,b\n'];

it.each(ODD)('leave %j to the whole reader', (text) => {
  expect(plainCells(text)).toBeUndefined();
});
