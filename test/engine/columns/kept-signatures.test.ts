import { describe, expect, test } from 'vitest';
import { KeptSignatures } from '../../../src/engine/columns/kept-signatures.ts';
import type { PodSignature } from '../../../src/engine/index/pod-signature.ts';
import type { WeightedScorePlugin } from '../../../src/framework/runtime/framework.ts';
import { ColumnTable } from '../../../src/memory/column-table.ts';
import { SharedMemory } from '../../../src/memory/shared-memory.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makePod } from '../../builders/make-pod.ts';

const world = new EngineColumns();
const { cluster, resourceKernels, framework } = world;
const scores = framework.scorePlugins;
const signature = (name: string, scored: readonly WeightedScorePlugin[] = scores): PodSignature =>
  ({ name, preScore: { failure: null, scores: scored } }) as unknown as PodSignature;

function start(rowCount: number) {
  const memory = new SharedMemory();
  const table = new ColumnTable(memory);
  table.reserve(rowCount);
  return { memory, kept: new KeptSignatures({ table, changes: cluster.changes, resourceKernels }) };
}

describe('kept rows by signature', () => {
  test('are those of the signature, whenever it is asked for', () => {
    const { kept } = start(64);
    const [a, b] = [signature('a'), signature('b')];
    const rows = kept.rowsOf(a);
    expect(kept.rowsOf(b)).not.toBe(rows);
    expect(kept.rowsOf(a)).toBe(rows);
  });

  test('have a column for each plugin that kernels score for, and for no other', () => {
    const { memory, kept } = start(64);
    const other = { plugin: { name: 'Other', scoreReads: 'node', score: () => 0 }, weight: 1 } as const;
    const scored = world.signatureOf(makePod('p'));
    const rows = kept.rowsOf({ ...scored, preScore: { failure: null, scores: [...scores, other] } } as PodSignature);
    const raw = (plugin: string) => rows.raw(plugin, scored, 0);
    expect(scores.map(({ plugin }) => raw(plugin.name)).every((column) => column !== undefined)).toBe(true);
    expect(raw('Other')).toBe(undefined);
    expect(memory.allocatedBytes).toBe((1 + scores.length) * 64 * 4);
  });

  test('those that were used longest ago make room when the budget is spent', () => {
    // 12 bytes a row: 128 MiB hold two sets of rows.
    const { memory, kept } = start(2 ** 22);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => signature(name)) as [PodSignature, PodSignature, PodSignature];
    const [rowsOfA, rowsOfB] = [kept.rowsOf(a), kept.rowsOf(b)];
    const full = memory.allocatedBytes;
    // Columns of millions of rows are not for matchers to look into.
    expect(kept.rowsOf(a) === rowsOfA).toBe(true);
    kept.rowsOf(c);
    expect(memory.allocatedBytes).toBe(full);
    expect(kept.rowsOf(a) === rowsOfA).toBe(true);
    expect(kept.rowsOf(b) === rowsOfB).toBe(false);
    expect(memory.allocatedBytes).toBe(full);
  });

  test('there is always room for one', () => {
    const { kept } = start(2 ** 24);
    const a = signature('a', []);
    const rows = kept.rowsOf(a);
    expect(kept.rowsOf(a) === rows).toBe(true);
  });

  test('are given up with their signature', () => {
    const { memory, kept } = start(64);
    const [a, b] = [signature('a'), signature('b')];
    const rows = [kept.rowsOf(a), kept.rowsOf(b)];
    kept.release(a);
    kept.release(a);
    expect(kept.rowsOf(b)).toBe(rows[1]);
    kept.release(b);
    expect(memory.allocatedBytes).toBe(0);
    expect(kept.rowsOf(a)).not.toBe(rows[0]);
  });
});
