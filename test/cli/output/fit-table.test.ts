import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTable } from '../../../src/cli/output/bench-table.ts';
import { type Cells, fitCells } from '../../../src/cli/output/fit-table.ts';

const CELLS: Cells = {
  titles: ['workload', 'pods/s', 'p50', 'about'],
  aligns: ['left', 'right', 'right', 'left'],
  rows: [['SchedulingBasic/5000Nodes_10000Pods', '82,562', '42,272', 'a remark of some length']],
  dispensable: ['p50'],
};
const widthOf = (text: string) => Math.max(...text.split('\n').map((line) => [...line].length));

describe('fitCells', () => {
  it('leaves a table that fits, or that is not shown in a terminal', () => {
    expect(fitCells(CELLS, 200)).toEqual({ ...CELLS, leftOut: [] });
    expect(fitCells(CELLS, undefined)).toEqual({ ...CELLS, leftOut: [] });
  });

  it('cuts texts first, then leaves out what can be done without, and never cuts a number', () => {
    const cut = fitCells(CELLS, 75);
    expect(cut.leftOut).toEqual([]);
    expect(cut.rows[0]?.[0]).toMatch(/…$/);
    expect(cut.rows[0]?.slice(1, 3)).toEqual(['82,562', '42,272']);
    expect(fitCells(CELLS, 50).leftOut).toEqual(['p50']);
    expect(fitCells(CELLS, 30).titles).toEqual(['workload', 'pods/s']);
  });

  it('makes every table as narrow as the terminal, if a name and a number have room in it', () => {
    const text = fc.string({ maxLength: 60 }).map((each) => each.replace(/[^a-z ]/g, 'x'));
    const input = fc.record({
      rows: fc.array(fc.tuple(text, fc.stringMatching(/^\d{1,7}$/), text), { minLength: 1, maxLength: 5 }),
      width: fc.integer({ min: 22, max: 150 }),
    });
    fc.assert(
      fc.property(input, ({ rows, width }) => {
        const cells: Cells = { titles: ['a', 'b', 'c'], aligns: ['left', 'right', 'left'], rows };
        const { leftOut } = fitCells(cells, width);
        const table = formatTable(cells, width).split('\nno room')[0] as string;
        expect(widthOf(table)).toBeLessThanOrEqual(width);
        expect(leftOut).not.toContain('a');
      }),
    );
  });
});
