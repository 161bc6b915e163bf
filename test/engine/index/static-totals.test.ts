import { describe, expect, test } from 'vitest';
import { maximaOf, totalsById } from '../../../src/engine/index/static-totals.ts';
import type { TotalsForm } from '../../../src/engine/index/totals-form.ts';
import type { NodeVerdicts } from '../../../src/engine/verdicts/node-verdicts.ts';
import type { ScorePlugin } from '../../../src/framework/plugin.ts';

const plugin = (name: string): ScorePlugin => ({ name, scoreReads: 'node', score: () => 0 });
/** Raw scores by verdict id; id 3 is rejected. */
const RAW: Readonly<Record<string, readonly number[]>> = {
  Plain: [0, 5, 0, 9],
  More: [0, 40, 10, 99],
  Less: [0, 3, 4, 99],
  Never: [0, 0, 0, 0],
};
const verdicts = {
  idCount: 4,
  accepts: (id: number) => id === 1 || id === 2,
  isZero: (name: string) => RAW[name]?.every((raw) => raw === 0) ?? true,
  rawsOf: (name: string) => [...(RAW[name] ?? [])],
} as unknown as NodeVerdicts;
const form = {
  plain: [{ plugin: plugin('Plain'), weight: 2 }],
  normalized: [
    { plugin: plugin('More'), weight: 1, normalize: { reverse: false } },
    { plugin: plugin('Less'), weight: 3, normalize: { reverse: true } },
  ],
} as unknown as TotalsForm;
const neverForm = (reverse: boolean) =>
  ({
    plain: [{ plugin: plugin('Never'), weight: 2 }],
    normalized: [{ plugin: plugin('Never'), weight: 3, normalize: { reverse } }],
  }) as unknown as TotalsForm;
const NOTHING = { plain: [], normalized: [] } as unknown as TotalsForm;

describe('maxima', () => {
  test('are those of verdict ids with feasible nodes', () => {
    expect(maximaOf(verdicts, form, [0, 1, 1, 0])).toEqual([40, 4]);
    expect(maximaOf(verdicts, form, [0, 0, 7, 0])).toEqual([10, 4]);
  });

  test('are 0 where no node is feasible, and never those of slots without a node', () => {
    expect(maximaOf(verdicts, form, [9, 0, 0, 0])).toEqual([0, 0]);
    expect(maximaOf(verdicts, form, [])).toEqual([0, 0]);
    expect(maximaOf(verdicts, form, null)).toEqual(maximaOf(verdicts, form, new Array(verdicts.idCount).fill(1)));
    expect(maximaOf(verdicts, NOTHING, [0, 1])).toEqual([]);
  });
});

describe('totals by verdict id', () => {
  test('are the weighted sum of scores, and -1 for what is rejected', () => {
    // Id 1: 2 * 5 + 100 + 3 * (100 - 75); id 2: 0 + 25 + 3 * 0.
    expect([...totalsById(verdicts, form, [40, 4])]).toEqual([-1, 185, 25, -1]);
  });

  test('a score above the maximum counts as the maximum', () => {
    // Id 1 has no feasible node: 40 of 10.
    expect([...totalsById(verdicts, form, [10, 4])]).toEqual([-1, 185, 100, -1]);
  });

  test('with all raw scores 0 the best is where less is better', () => {
    expect(totalsById(verdicts, form, [40, 0])[2]).toBe(25 + 300);
  });

  test('of plugins that give every node 0 are the same for all', () => {
    expect([...totalsById(verdicts, neverForm(true), [0])]).toEqual([-1, 300, 300, -1]);
    expect([...totalsById(verdicts, neverForm(false), [0])]).toEqual([-1, 0, 0, -1]);
    expect(maximaOf(verdicts, neverForm(true), null)).toEqual([0]);
  });

  test('are 0 without plugins outside of the kernels', () => {
    expect([...totalsById(verdicts, NOTHING, [])]).toEqual([-1, 0, 0, -1]);
  });
});
