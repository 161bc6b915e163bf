import { expect, test } from 'vitest';
import type { SignatureIndex } from '../../../src/engine/index/signature-index.ts';
import { TieChoice } from '../../../src/engine/index/tie-choice.ts';
import type { TotalsColumn } from '../../../src/engine/index/totals-column.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import { makeNode } from '../../builders/make-node.ts';

/** The best slots of two columns, as an index would list them. */
const LISTS = new Map([
  ['a', [1, 4]],
  ['b', [0, 3]],
]);
const columns = [...LISTS.keys()] as unknown as TotalsColumn[];
const listOf = (column: unknown): number[] => LISTS.get(String(column)) ?? [];
const index = {
  listBest: (column: TotalsColumn) => Int32Array.from(listOf(column)),
  firstBest: (column: TotalsColumn) => listOf(column)[0] ?? -1,
  inOrder: (slots: Int32Array) => slots,
  tiesInWindow: () => Int32Array.of(2, 3),
} as unknown as SignatureIndex;
const window = { total: 7, feasibleNodes: 4, processed: 5, ties: 2, first: 2, root: 3 };
const best = { total: 7, feasibleNodes: 4, columns };

function choice(tieBreak: 'first' | 'random' | 'upstream', drawn: string[] = []): TieChoice {
  const cluster = new ClusterState(podRequirements);
  for (let i = 0; i < 5; i++) cluster.addNode(makeNode(`n${i}`));
  const draw = (ties: number, nameOf?: (rank: number) => string): number => {
    drawn.push(nameOf?.(ties - 1) ?? '');
    return ties - 1;
  };
  return new TieChoice({ cluster, tieBreak, draw, drawnTies: 16 });
}

test('the first node, without a list of all unless they are to be counted', () => {
  expect(choice('first').pick(Int32Array.of(3, 4))).toBe(3);
  expect(choice('first').pickInWindow(index, window)).toBe(2);
  expect(choice('first').pickInColumns(index, best, false)).toEqual({ slot: 0, ties: 2 });
  expect(choice('first').pickInColumns(index, best, true)).toEqual({ slot: 0, ties: 4 });
});

test('a drawn node; the draw is told names', () => {
  const drawn: string[] = [];
  expect(choice('random', drawn).pick(Int32Array.of(0, 2))).toBe(2);
  expect(choice('random', drawn).pickInWindow(index, window)).toBe(3);
  expect(choice('random', drawn).pickInColumns(index, best, false)).toEqual({ slot: 4, ties: 4 });
  expect(drawn).toEqual(['n2', 'n3', 'n4']);
});

test("upstream's node, where it is known", () => {
  expect(choice('upstream').pick(Int32Array.of(0, 2), () => 2)).toBe(2);
  expect(choice('upstream').pick(Int32Array.of(0, 2))).toBeNull();
  expect(choice('upstream').pickInWindow(index, window)).toBe(3);
});
