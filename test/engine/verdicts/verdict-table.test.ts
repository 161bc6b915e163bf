import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LEFT_OUT, NO_NODE_ID, VerdictTable } from '../../../src/engine/verdicts/verdict-table.ts';
import { errorStatus, unschedulable } from '../../../src/framework/status.ts';

const full = { status: unschedulable('Fit', 'full'), position: 2 };

describe('VerdictTable', () => {
  test('equal answers have one id, and a new one is reported', () => {
    const table = new VerdictTable();
    let added = 0;
    const onAdded = () => {
      added++;
    };
    const idOf = (verdict: typeof full | null, raw: readonly number[] = []) =>
      verdict === null
        ? table.idOfScores(raw, onAdded)
        : table.idOfRejection(verdict.status, verdict.position, onAdded);
    const ids = [idOf(null, [1, 0]), idOf(full), idOf(null, [1, 0]), idOf({ ...full }), idOf(null, [10])];
    expect(ids).toEqual([1, 2, 1, 2, 3]);
    expect([added, table.size]).toEqual([3, 4]);
  });

  test('rejections of different plugins, or for different reasons, are distinguished', () => {
    const table = new VerdictTable();
    const ids = [full, { ...full, position: LEFT_OUT }, { ...full, status: unschedulable('Fit', 'small') }].map(
      ({ status, position }) => table.idOfRejection(status, position, () => {}),
    );
    expect(new Set(ids).size).toBe(3);
  });

  test('a slot without a node does not pass; who passes has raw scores, who is rejected a verdict', () => {
    const table = new VerdictTable();
    const passing = table.idOfScores([0, 7], () => {});
    const rejected = table.idOfRejection(full.status, full.position, () => {});
    expect([NO_NODE_ID, passing, rejected].map((id) => table.accepts(id))).toEqual([false, true, false]);
    expect([table.verdict(passing), table.verdict(rejected)]).toEqual([null, full]);
    expect([table.raw(passing), table.raw(rejected)]).toEqual([[0, 7], []]);
    expect([table.isZero(0), table.isZero(1)]).toEqual([true, false]);
  });

  test('a failed plugin, or more answers than ids, is a failure until the table is cleared', () => {
    const table = new VerdictTable();
    table.idOfRejection(errorStatus('Fit', 'broken'), 0, () => {});
    expect(table.hasFailed).toBe(true);
    table.clear();
    expect([table.hasFailed, table.size]).toEqual([false, 1]);
    for (let score = 0; score < 16_383; score++) table.idOfScores([score], () => {});
    expect([table.hasFailed, table.size]).toEqual([false, 16_384]);
    expect(table.idOfScores([-1], () => {})).toBe(1);
    expect([table.hasFailed, table.size]).toEqual([true, 16_384]);
  });

  test('different scores have different ids, few or many, small or large, and equal ones have one', () => {
    const score = fc.oneof(
      fc.constantFrom(0, 1, 2 ** 10 - 1, 2 ** 10, 2 ** 12 - 1, 2 ** 12, 2 ** 17 - 1, 2 ** 17, 2 ** 31 - 1, -1),
      fc.nat(200_000),
    );
    fc.assert(
      fc.property(fc.array(fc.array(score, { maxLength: 5 }), { maxLength: 30 }), (rows) => {
        const table = new VerdictTable();
        const ids = new Map<string, number>();
        for (const row of rows) {
          const id = table.idOfScores(row, () => {});
          expect(ids.get(row.join()) ?? id).toBe(id);
          ids.set(row.join(), id);
          expect(table.raw(id)).toEqual(row);
        }
        expect(new Set(ids.values()).size).toBe(ids.size);
      }),
    );
  });

  test('who is notified of a new id can read its answers', () => {
    const table = new VerdictTable();
    const seen: unknown[] = [];
    table.idOfScores([0, 3], () => seen.push([table.raw(1), table.isZero(0), table.isZero(1)]));
    table.idOfRejection(errorStatus('Fit', 'broken'), 0, () => seen.push([table.accepts(2), table.hasFailed]));
    expect(seen).toEqual([
      [[0, 3], true, false],
      [false, true],
    ]);
  });

  test('scores are copied', () => {
    const [table, scores] = [new VerdictTable(), [1, 2]];
    const id = table.idOfScores(scores, () => {});
    scores[0] = 5;
    expect(table.raw(id)).toEqual([1, 2]);
  });

  test('one status object at two positions is two rejections', () => {
    const table = new VerdictTable();
    const ids = [1, 2, 1, 2].map((position) => table.idOfRejection(full.status, position, () => {}));
    expect(ids).toEqual([1, 2, 1, 2]);
    expect(ids.map((id) => table.verdict(id)?.position)).toEqual([1, 2, 1, 2]);
  });
});
