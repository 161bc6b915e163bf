import fc from 'fast-check';
import { describe, expect, it, test, vi } from 'vitest';
import { heapRoot } from '../../src/engine/cycle/heap-root.ts';
import type { SearchWindow } from '../../src/framework/node-search.ts';
import type { KernelKind } from '../../src/kernels/load.ts';
import { Prng } from '../../src/lib/prng.ts';
import { runs } from '../builders/runs.ts';
import { arbitraryModelNode, arbitraryWorld, plainWorld, withBoth } from './signature-index-cases.ts';
import { type ModelNode, type ModelResult, SignatureIndexModel } from './signature-index-model.ts';
import { type Found, SignatureIndexWorld, type WorldOptions } from './signature-index-world.ts';

const numRuns = runs(40);
const kinds: readonly KernelKind[] = ['scalar', 'simd'];

type Step =
  | { readonly place: readonly number[] }
  | { readonly slot: number; readonly node: ModelNode; readonly times: number; readonly isSameId: boolean }
  | { readonly charge: number; readonly slot: number };

/** What happens to a cluster: pods are placed, nodes change, pods go elsewhere, and once in a while the log is full. */
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ place: fc.array(fc.nat(13), { minLength: 1, maxLength: 40, size: 'max' }) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        slot: fc.nat(999),
        node: arbitraryModelNode,
        times: fc.constantFrom(1, 1, 1, 1, 1, 1, 1100),
        // Tracked columns are scanned anew when a node gets another verdict id; counts must be kept without that, too.
        isSameId: fc.constantFrom(true, true, true, false),
      }),
    },
    { weight: 1, arbitrary: fc.record({ charge: fc.nat(13), slot: fc.nat(999) }) },
  ),
  { minLength: 1, maxLength: 12, size: 'max' },
);

const modelOf = ({ nodes, signatures, rules, order }: WorldOptions) =>
  new SignatureIndexModel(nodes, signatures, rules, order);

/** Plays the steps on both; every placement must be the same. */
function play(
  options: WorldOptions,
  all: readonly Step[],
  world: SignatureIndexWorld,
  model: SignatureIndexModel,
): void {
  const { signatures, nodes } = options;
  for (const step of all) {
    if ('place' in step) {
      const asked = step.place.map((of) => of % signatures.length);
      expect(world.place(asked)).toEqual(placeAll(model, asked));
    } else if ('charge' in step) {
      world.charge(step.charge % signatures.length, step.slot % nodes.length);
      model.charge(step.charge % signatures.length, step.slot % nodes.length);
    } else {
      const slot = step.slot % nodes.length;
      const { verdictIds: before = [] } = model.nodes[slot] ?? {};
      const node = step.isSameId ? { ...step.node, verdictIds: before } : step.node;
      for (let i = 0; i < step.times; i++) world.setNode(slot, node);
      model.setNode(slot, node);
    }
  }
}

function placeAll(model: SignatureIndexModel, signatures: readonly number[]): ModelResult[] {
  const results: ModelResult[] = [];
  for (const of of signatures) {
    const result = model.place(of);
    if (result === null) break;
    results.push(result);
  }
  return results;
}

/** Compares every number that is kept. */
function expectInStep(
  { signatures, nodes }: WorldOptions,
  world: SignatureIndexWorld,
  model: SignatureIndexModel,
): void {
  world.sync();
  const padding = new Array<number>(world.rowCount - nodes.length).fill(-1);
  signatures.forEach(({ verdicts, raw }, of) => {
    const totals = model.totals(of);
    expect(world.totals(of)).toEqual([...totals, ...padding]);
    expect(world.bestTotal(of)).toBe(Math.max(...totals));
    expect(world.feasibleNodes(of)).toBe(totals.filter((total) => total >= 0).length);
    if (Math.max(...totals) >= 0) expect(world.listBest(of)).toEqual(model.bestSlots(totals));
    if (raw === null) return;
    const counts = raw.map(() => 0);
    totals.forEach((total, slot) => {
      const id = model.nodes[slot]?.verdictIds[verdicts] ?? 0;
      if (total >= 0) counts[id] = (counts[id] ?? 0) + 1;
    });
    expect(world.counts(of)).toEqual(counts);
  });
}

describe.each(kinds)('the %s kernels of the signature index', (kind) => {
  it('place pods where plain arithmetic places them, and keep every total in step', () => {
    fc.assert(
      fc.property(arbitraryWorld(40), steps, (options, all) => {
        const [world, model] = [new SignatureIndexWorld(kind, options), modelOf(options)];
        play(options, all, world, model);
        expectInStep(options, world, model);
      }),
      { numRuns },
    );
  });

  it.each([
    [40, numRuns],
    [300, Math.ceil(numRuns / 20)],
  ])('do so where all is as in most clusters, with at most %i nodes', (most, numRuns) => {
    const plainSteps = steps.map((all) =>
      all.map((step) => ('node' in step ? { ...step, node: withBoth(step.node) } : step)),
    );
    fc.assert(
      fc.property(plainWorld(most), plainSteps, (options, all) => {
        const [world, model] = [new SignatureIndexWorld(kind, options), modelOf(options)];
        play(options, all, world, model);
        expectInStep(options, world, model);
      }),
      { numRuns },
    );
  });

  it('do so with three levels of maxima', () => {
    fc.assert(
      fc.property(arbitraryWorld(300), steps, (options, all) => {
        const [world, model] = [new SignatureIndexWorld(kind, options), modelOf(options)];
        play(options, all, world, model);
        expectInStep(options, world, model);
      }),
      { numRuns: Math.ceil(numRuns / 20) },
    );
  });

  it('scan and count any range of slots, and nothing beside it', () => {
    const range = fc.tuple(fc.nat(9), fc.nat(9));
    fc.assert(
      fc.property(arbitraryWorld(40), range, (options, [from, left]) => {
        const [world, model] = [new SignatureIndexWorld(kind, options), modelOf(options)];
        const to = options.nodes.length - left;
        options.signatures.forEach((_, of) => {
          const totals = model.totals(of);
          const isIn = (slot: number): boolean => slot >= from && slot < to;
          const expected = totals.map((total, slot) => (isIn(slot) ? total : -7));
          const feasible = totals.filter((total, slot) => isIn(slot) && total >= 0).length;
          expect(world.scan(of, from, to)).toEqual({ totals: expected, feasible });
        });
      }),
      { numRuns },
    );
  });

  it('find what a search over part of the nodes sees, with totals that stand or that are computed on the way', () => {
    const search = fc.record({ seed: fc.nat(), start: fc.nat(299), wanted: fc.integer({ min: 1, max: 299 }) });
    fc.assert(
      fc.property(fc.oneof(arbitraryWorld(40), arbitraryWorld(300)), search, fc.boolean(), (options, asked, isScan) => {
        const [world, model] = [new SignatureIndexWorld(kind, options), modelOf(options)];
        const { nodes, signatures, order } = options;
        const snapshot = [...nodes.keys()];
        // Mostly neighbours stand side by side, as they do where zones take turns.
        if (asked.seed % 3 === 0) new Prng(asked.seed).shuffle(snapshot);
        const window = { start: asked.start % nodes.length, wanted: asked.wanted };
        signatures.forEach((_, of) => {
          const totals = model.totals(of);
          const expected = searched(snapshot, totals, order, window);
          expect(world.search(of, snapshot, window, isScan)).toEqual(expected);
          const all = searched(snapshot, totals, order, { ...window, wanted: nodes.length });
          if (all.total < 0) return;
          expect(world.rootOfTies(of, snapshot, window.start, all.total)).toBe(all.root);
        });
      }),
      { numRuns: Math.ceil(numRuns / 2) },
    );
  });
});

/** The expected result of a search: walks over the slots one by one. */
function searched(
  snapshot: readonly number[],
  totals: readonly number[],
  order: readonly number[],
  { start, wanted }: SearchWindow,
): Found {
  const walk = [...snapshot.slice(start), ...snapshot.slice(0, start)];
  const feasible = walk.filter((slot) => (totals[slot] ?? -1) >= 0);
  const seen = feasible.slice(0, wanted);
  const surplus = feasible[wanted];
  const scores = seen.map((slot) => totals[slot] ?? -1);
  const total = Math.max(-1, ...scores);
  const ties = seen.filter((slot) => totals[slot] === total);
  const [first = -1] = ties.toSorted((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
  return {
    ...{ total, ties, first, found: seen.length },
    processed: surplus === undefined ? walk.length : walk.indexOf(surplus),
    root: seen[heapRoot(scores)] ?? -1,
  };
}

test('the worlds above place pods, fill logs, and lose and win verdict ids of the nodes', () => {
  const sums = { placed: 0, rescans: 0, renormalizations: 0, refused: 0 };
  for (const [options, all] of fc.sample(fc.tuple(arbitraryWorld(40), steps), { numRuns: 40, seed: 1 })) {
    const world = new SignatureIndexWorld('scalar', options);
    const place = vi.spyOn(world, 'place');
    play(options, all, world, modelOf(options));
    place.mock.results.forEach(({ value }, i) => {
      const [asked = []] = place.mock.calls[i] ?? [];
      const placed = (value as ModelResult[]).length;
      sums.placed += placed;
      sums.refused += placed < asked.length ? 1 : 0;
    });
    sums.rescans += world.rescans;
    sums.renormalizations += world.renormalizations;
  }
  expect(sums.placed).toBeGreaterThan(500);
  expect(sums.refused).toBeGreaterThan(20);
  expect(sums.rescans).toBeGreaterThan(5);
  expect(sums.renormalizations).toBeGreaterThan(20);
});
