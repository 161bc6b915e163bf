import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LARGEST_INVERTIBLE } from '../../src/engine/index/layout.ts';
import type { KernelKind } from '../../src/kernels/load.ts';
import { runs } from '../builders/runs.ts';
import { type ModelNode, type ModelSignature, SignatureIndexModel } from './signature-index-model.ts';
import { SignatureIndexWorld } from './signature-index-world.ts';

const numRuns = runs(100);
const kinds: readonly KernelKind[] = ['scalar', 'simd'];

const capacity = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  // Whose inverse is a bit too small: a whole percent must not become the one below it.
  fc.constantFrom(97, 161, 167, 193, 194, 195, 199, 305, 322, 335),
  fc.integer({ min: 1, max: 96 }).map((cores) => cores * 1000),
  fc.integer({ min: 1, max: 2 ** 10 }).map((gibibytes) => gibibytes * 2 ** 30),
  fc.integer({ min: LARGEST_INVERTIBLE - 99, max: LARGEST_INVERTIBLE }),
);

/**
 * A node on which a pod makes the parts of cpu and memory that are used differ by a whole number of percents, as nearly
 * as amounts allow, or by one unit more or less: where they differ by an even number, the score changes.
 */
const nodeAtAStep = fc
  .record({
    cpu: capacity,
    memory: capacity,
    percent: fc.nat(100),
    difference: fc.nat(100),
    off: fc.integer({ min: -1, max: 1 }),
    isMoreCpu: fc.boolean(),
  })
  .map(({ cpu, memory, percent, difference, off, isMoreCpu }): ModelNode => {
    const used = (all: number, part: number): number => {
      return Math.min(LARGEST_INVERTIBLE, Math.max(0, Math.round((all * part) / 100) + off));
    };
    const more = Math.min(110, percent + difference);
    const requested = {
      pods: 1,
      cpu: used(cpu, isMoreCpu ? more : percent),
      memory: used(memory, isMoreCpu ? percent : more),
      gpu: 0,
    };
    const nonZero = { cpu: requested.cpu, memory: requested.memory };
    return { allocatable: { pods: 9, cpu, memory, gpu: 0 }, requested, nonZero, verdictIds: [1, 1] };
  });

const amount = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(3), fc.nat(2 ** 33));

/** What is not filtered by is scored even on nodes that are too full. */
const signature = fc.record({ cpu: amount, memory: amount, isFiltered: fc.boolean() }).map(
  ({ cpu, memory, isFiltered }): ModelSignature => ({
    requests: isFiltered ? { cpu, memory } : {},
    scored: { cpu, memory },
    fitWeight: 1,
    balancedWeight: 1,
    verdicts: 0,
    totals: [-1, 0],
    raw: null,
  }),
);

describe.each(kinds)('totals of the standard form by the %s kernels', (kind) => {
  it('are those of divisions where a unit more or less changes the score', () => {
    const weight = fc.constantFrom(1, 1, 3);
    const nodes = fc.array(nodeAtAStep, { minLength: 8, maxLength: 24, size: 'max' });
    const signatures = fc.array(signature, { minLength: 1, maxLength: 8, size: 'max' });
    fc.assert(
      fc.property(nodes, signatures, weight, weight, (nodes, signatures, cpu, memory) => {
        const resources = [
          { name: 'cpu', weight: cpu },
          { name: 'memory', weight: memory },
        ];
        const rules = {
          strategy: { type: 'LeastAllocated', resources },
          scoreOfPercent: new Array(101).fill(0),
        } as const;
        const order = [...nodes.keys()];
        const world = new SignatureIndexWorld(kind, { rules, signatures, nodes, order, isStandard: true });
        const model = new SignatureIndexModel(nodes, signatures, rules, order);
        const expected = signatures.map((_, of) => model.totals(of));
        expect(signatures.map((_, of) => world.scan(of, 0, nodes.length).totals)).toEqual(expected);
        // So few changes are followed row by row.
        nodes.forEach((node, slot) => {
          world.setNode(slot, node);
          world.sync();
        });
        expect(signatures.map((_, of) => world.totals(of).slice(0, nodes.length))).toEqual(expected);
      }),
      { numRuns },
    );
  });
});
