import { describe, expect, test } from 'vitest';
import { LEFT_OUT, NO_NODE_ID, VerdictTable } from '../../../src/engine/verdicts/verdict-table.ts';
import { errorStatus, unschedulable } from '../../../src/framework/status.ts';

const full = { status: unschedulable('Fit', 'full'), position: 2 };

describe('VerdictTable', () => {
  test('equal answers have one id, and a new one is reported', () => {
    const table = new VerdictTable();
    let added = 0;
    const idOf = (verdict: typeof full | null, raw: readonly number[] = []) =>
      table.idOf(verdict, raw, () => {
        added++;
      });
    const ids = [idOf(null, [1, 0]), idOf(full), idOf(null, [1, 0]), idOf({ ...full }), idOf(null, [10])];
    expect(ids).toEqual([1, 2, 1, 2, 3]);
    expect([added, table.size]).toEqual([3, 4]);
  });

  test('rejections of different plugins, or for different reasons, are distinguished', () => {
    const table = new VerdictTable();
    const ids = [full, { ...full, position: LEFT_OUT }, { ...full, status: unschedulable('Fit', 'small') }].map(
      (verdict) => table.idOf(verdict, [], () => {}),
    );
    expect(new Set(ids).size).toBe(3);
  });

  test('a slot without a node does not pass; who passes has raw scores, who is rejected a verdict', () => {
    const table = new VerdictTable();
    const passing = table.idOf(null, [0, 7], () => {});
    const rejected = table.idOf(full, [], () => {});
    expect([NO_NODE_ID, passing, rejected].map((id) => table.accepts(id))).toEqual([false, true, false]);
    expect([table.verdict(passing), table.verdict(rejected)]).toEqual([null, full]);
    expect([table.raw(passing), table.raw(rejected)]).toEqual([[0, 7], []]);
    expect([table.isZero(0), table.isZero(1)]).toEqual([true, false]);
  });

  test('a failed plugin, or more answers than ids, is a failure until the table is cleared', () => {
    const table = new VerdictTable();
    table.idOf({ status: errorStatus('Fit', 'broken'), position: 0 }, [], () => {});
    expect(table.hasFailed).toBe(true);
    table.clear();
    expect([table.hasFailed, table.size]).toEqual([false, 1]);
    for (let score = 0; score < 16_383; score++) table.idOf(null, [score], () => {});
    expect([table.hasFailed, table.size]).toEqual([false, 16_384]);
    expect(table.idOf(null, [-1], () => {})).toBe(1);
    expect([table.hasFailed, table.size]).toEqual([true, 16_384]);
  });
});
