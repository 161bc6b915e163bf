import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differences, overlaid, stacked } from '../../../src/report/browser/line-model.ts';
import type { LineRun, LinesSection } from '../../../src/report/sections.ts';

function section(runs: readonly LineRun[], isStepped = true): LinesSection {
  const axis = { name: 'x', unit: 'number' } as const;
  return { kind: 'lines', title: 't', x: axis, y: axis, runs, isStepped };
}

const A: LineRun = { name: 'a', xs: [0, 10, 20], lines: [{ name: 'p', values: [1, 2, 3] }] };
const B: LineRun = { name: 'b', xs: [5, 15, 30], lines: [{ name: 'p', values: [10, null, 30] }] };

describe('lines of runs', () => {
  it('are drawn over the moments of all runs, in one colour and another dash', () => {
    const { xs, lines } = overlaid(section([A, B]));
    expect(xs).toEqual([0, 5, 10, 15, 20, 30]);
    expect(lines).toEqual([
      { name: 'p', run: 'a', values: [1, 1, 2, 2, 3, null], colour: 0, dash: 0 },
      { name: 'p', run: 'b', values: [null, 10, 10, null, null, 30], colour: 0, dash: 1 },
    ]);
  });

  it('are interpolated where values do not hold', () => {
    expect(overlaid(section([A, B], false)).lines[0]?.values).toEqual([1, 1.5, 2, 2.5, 3, null]);
  });

  it('differ by the second minus the first, where both have a value', () => {
    expect(differences(section([A, B])).lines).toEqual([
      { name: 'p', run: '', values: [null, 9, 8, null, null, null], colour: 0, dash: 0 },
    ]);
    expect(differences(section([A, { ...B, lines: [] }])).lines).toEqual([]);
  });

  it('differ by nothing from themselves', () => {
    const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(values, fc.boolean(), (given, isStepped) => {
        const run = { name: 'a', xs: given.map((_, i) => i), lines: [{ name: 'p', values: given }] };
        const again = { ...run, name: 'b', xs: [...run.xs] };
        expect(differences(section([run, again], isStepped)).lines[0]?.values).toEqual(given.map(() => 0));
      }),
    );
  });
});

it('areas stand on those that are shown', () => {
  const lines = [
    [1, 2],
    [10, null],
    [100, 200],
  ].map((values) => ({ name: '', run: '', values, colour: 0, dash: 0 }));
  expect(stacked(lines, () => true)).toEqual([
    [1, 2],
    [11, 2],
    [111, 202],
  ]);
  expect(stacked(lines, (i) => i !== 0)).toEqual([
    [null, null],
    [10, 0],
    [110, 200],
  ]);
});
