import { afterEach, describe, expect, test, vi } from 'vitest';
import type { PodSpec } from '../../../src/api/pod.ts';
import { COLUMNS } from '../../../src/engine/index/layout.ts';
import { RUN_LENGTH, SignatureIndex } from '../../../src/engine/index/signature-index.ts';
import { SignatureTotals } from '../../../src/engine/index/signature-totals.ts';
import { TotalsBlock } from '../../../src/engine/index/totals-block.ts';
import { treeBytes } from '../../../src/engine/index/totals-rows.ts';
import { type Pod, Scheduler, type SchedulerOptions } from '../../../src/index.ts';
import { HISTOGRAM_SIZE } from '../../../src/kernels/registers.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { OutOfMemoryError, SharedMemory } from '../../../src/memory/shared-memory.ts';
import { makeNode } from '../../builders/make-node.ts';
import { batchAnswerOf } from '../../core/batch-answer.ts';
import { configured } from '../../core/configured.ts';

/** A pod signature of its own for every number. */
const signatureOf = (number: number): PodSpec => ({
  containers: [{ name: 'app', resources: { requests: { cpu: `${10 + number}m`, memory: `${1 + (number % 7)}Mi` } } }],
});
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** The schedulers that decide with the index; each is compared with the reference. */
const INDEXED: readonly SchedulerOptions[] = [{ engine: 'simd' }, { engine: 'scalar' }];
const WITHOUT: SchedulerOptions = { engine: 'simd', index: false };

/** Schedulers with the same nodes, of a few sizes, and soft taints on some. */
class SideBySide {
  readonly schedulers: readonly Scheduler[];
  readonly #specs: readonly PodSpec[];
  readonly #prng = new Prng(1);
  #pods = 0;

  constructor(
    nodeCount: number,
    signatureCount: number,
    ways: readonly SchedulerOptions[],
    specOf = (spec: PodSpec): PodSpec => spec,
  ) {
    this.schedulers = ways.map((options) => new Scheduler({ ...options, preemption: false }));
    this.#specs = range(signatureCount).map((number) => specOf(signatureOf(number)));
    for (const i of range(nodeCount)) this.addNode(`n${i}`, i);
  }

  addNode(name: string, shape: number, taintCount = shape % 5 === 0 ? 1 : 0): void {
    const taints = range(taintCount).map((i) => ({ key: `a${i}`, effect: 'PreferNoSchedule' }));
    const labels = { zone: `${shape % 3}`, rack: `${shape % 7}`, row: `${shape % 2}` };
    const node = makeNode(name, { cpu: 8 + (shape % 4) * 8, memory: `${16 + (shape % 3) * 16}Gi`, taints, labels });
    for (const scheduler of this.schedulers) scheduler.addNode(node);
  }

  /** Pods of random signatures out of the first so many, or of the signature that is given. */
  batch(length: number, signatureCount: number, of?: number): void {
    const pods = range(length).map((): Pod => {
      const spec = this.#specs[of ?? this.#prng.below(signatureCount)] as PodSpec;
      return { metadata: { name: `p${this.#pods++}`, namespace: 'default' }, spec };
    });
    const [expected, ...others] = this.schedulers.map((scheduler) => batchAnswerOf(scheduler.scheduleBatch(pods)));
    for (const other of others) expect(other).toEqual(expected);
  }

  removePods(from: number, to: number): void {
    for (const scheduler of this.schedulers) {
      for (let i = from; i < to; i++) scheduler.removePod('default', `p${i}`);
    }
  }
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the signature index', () => {
  test('takes more pods than one run has room for, of more signatures than a block has totals columns', () => {
    const place = vi.spyOn(SignatureIndex.prototype, 'place');
    const all = new SideBySide(40, 30, [WITHOUT, ...INDEXED]);
    all.batch(RUN_LENGTH + 700, 30);
    const placed = place.mock.results.map(({ value }) => value as number);
    expect(placed.filter((count) => count === RUN_LENGTH).length).toBe(INDEXED.length);
    expect(placed.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(RUN_LENGTH * INDEXED.length);
  });

  test('equals the reference over a few hundred pods of many signatures', () => {
    const all = new SideBySide(25, 40, [{ engine: 'reference' }, ...INDEXED]);
    for (const length of [1, 300, 40]) all.batch(length, 40);
  });

  test('fills a cluster to the last pod and starts again when pods go', () => {
    const all = new SideBySide(3, 20, [WITHOUT, ...INDEXED]);
    all.batch(400, 20);
    all.removePods(100, 200);
    all.batch(200, 20);
  });

  test('keeps what it knows while the table of nodes grows under it', () => {
    const clear = vi.spyOn(SignatureIndex.prototype, 'clear');
    const all = new SideBySide(60, 20, [WITHOUT, ...INDEXED]);
    all.batch(60, 20);
    clear.mockClear();
    // The table grows from 64 rows to 128, and in the middle of it nodes go and their slots are used again.
    for (const i of range(30)) all.addNode(`more${i}`, i);
    for (const scheduler of all.schedulers) scheduler.removeNode('n7');
    expect(clear).toHaveBeenCalledTimes(1 + INDEXED.length);
    all.batch(60, 20);
    all.addNode('late', 3);
    all.batch(60, 20);
  });

  test('makes its blocks anew when there are more nodes than rows, though the table has room for them', () => {
    const clear = vi.spyOn(SignatureIndex.prototype, 'clear');
    const all = new SideBySide(1100, 20, [WITHOUT, ...INDEXED]);
    all.batch(60, 20);
    clear.mockClear();
    // Blocks have room for an eighth more nodes, the table for twice as many as 1,024.
    for (const i of range(137)) all.addNode(`more${i}`, i);
    all.batch(60, 20);
    expect(clear).not.toHaveBeenCalled();
    for (const i of range(30)) all.addNode(`last${i}`, i);
    expect(clear).toHaveBeenCalledTimes(1 + INDEXED.length);
    for (const length of [60, 600]) all.batch(length, 20);
  });

  test('a block that has not been used while the log went round starts over', () => {
    const rescan = vi.spyOn(TotalsBlock.prototype, 'rescan');
    const all = new SideBySide(30, COLUMNS + 1, [WITHOUT, ...INDEXED]);
    all.batch(60, COLUMNS + 1);
    // The other signatures are in blocks that do not follow these pods; more than the log of 1024 entries holds.
    all.batch(1500, COLUMNS + 1, 0);
    rescan.mockClear();
    all.batch(60, COLUMNS + 1);
    expect(rescan.mock.calls.length).toBeGreaterThan(0);
  });

  test('signatures that come and go with the verdict ids of the nodes are normalised anew', () => {
    const renormalize = vi.spyOn(SignatureTotals.prototype, 'renormalize');
    // Two nodes share a verdict id and are full soon: then the others are the best of what is left.
    const all = new SideBySide(6, 4, [{ engine: 'reference' }, WITHOUT, ...INDEXED]);
    for (const _ of range(4)) all.batch(250, 4);
    expect(renormalize.mock.calls.length).toBeGreaterThan(0);
  });
});

test('a signature for which more verdict ids of the nodes are counted than a register of a program holds', () => {
  const all = new SideBySide(0, 4, [{ engine: 'reference' }, WITHOUT, ...INDEXED]);
  for (const i of range(3 * HISTOGRAM_SIZE)) all.addNode(`n${i}`, i, i % (HISTOGRAM_SIZE + 5));
  for (const _ of range(3)) all.batch(200, 4);
});

describe('with memory for two blocks', () => {
  /** Rows of more blocks than so many do not fit; what is freed may be used again. */
  function limitGroups(most: number): { readonly mostAtOnce: () => number } {
    const { allocate, free } = SharedMemory.prototype;
    const rows = treeBytes(64);
    const used = new Map<SharedMemory, number>();
    let mostAtOnce = 0;
    vi.spyOn(SharedMemory.prototype, 'allocate').mockImplementation(function (this: SharedMemory, bytes) {
      const blocks = used.get(this) ?? 0;
      if (bytes === rows && blocks === most) throw new OutOfMemoryError(bytes);
      if (bytes === rows) used.set(this, blocks + 1);
      mostAtOnce = Math.max(mostAtOnce, used.get(this) ?? 0);
      return allocate.call(this, bytes);
    });
    vi.spyOn(SharedMemory.prototype, 'free').mockImplementation(function (this: SharedMemory, pointer, bytes) {
      if (bytes === rows) used.set(this, (used.get(this) ?? 0) - 1);
      free.call(this, pointer, bytes);
    });
    return { mostAtOnce: () => mostAtOnce };
  }

  test('a signature that was not used for long makes room for another', () => {
    const { mostAtOnce } = limitGroups(2);
    const release = vi.spyOn(SignatureTotals.prototype, 'release');
    const all = new SideBySide(50, 60, [WITHOUT, ...INDEXED]);
    // One run uses all totals columns, then come more signatures than totals columns, in any order.
    all.batch(50, 2 * COLUMNS);
    for (const _ of range(6)) all.batch(40, 60);
    expect(mostAtOnce()).toBe(2);
    expect(release.mock.calls.length).toBeGreaterThan(100);
  });

  test('pods are placed without it when not even one block has room', () => {
    limitGroups(0);
    const place = vi.spyOn(SignatureIndex.prototype, 'place');
    new SideBySide(20, 5, [WITHOUT, ...INDEXED]).batch(60, 5);
    expect(place).not.toHaveBeenCalled();
  });
});

describe('without room for what a search needs', () => {
  /** Pods that spread in three ways have rules. */
  const spread = (spec: PodSpec): PodSpec => ({
    ...spec,
    topologySpreadConstraints: ['zone', 'rack', 'row'].map((topologyKey) => ({
      ...{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: {} },
    })),
  });
  const plain = (spec: PodSpec): PodSpec => spec;

  test.each([
    ['totals in snapshot order', plain],
    ['window scores', plain],
    ['vector rules of a search', spread],
    ['logarithms', spread],
  ])('(%s), which comes and goes, a cycle decides', (purpose, specOf) => {
    const { allocate } = SharedMemory.prototype;
    const prng = new Prng(5);
    let refusals = 0;
    vi.spyOn(SharedMemory.prototype, 'allocate').mockImplementation(function (this: SharedMemory, bytes, owner) {
      // A vector begins with the smallest block there is.
      const isRefused = owner === purpose && bytes > 64 && prng.below(3) > 0;
      if (isRefused) refusals++;
      if (isRefused) throw new OutOfMemoryError(bytes);
      return allocate.call(this, bytes, owner);
    });
    const configuration = configured({ percentageOfNodesToScore: 40 });
    const ways: SchedulerOptions[] = [{ engine: 'reference' }, ...INDEXED];
    const all = new SideBySide(
      150,
      4,
      ways.map((way) => ({ ...way, configuration })),
      specOf,
    );
    for (const i of range(20)) {
      all.addNode(`late${i}`, i, i);
      all.batch(12, 4);
    }
    expect(refusals).toBeGreaterThan(0);
  });
});
