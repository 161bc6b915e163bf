import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitReasonAt } from '../../../src/engine/index/resource-kernels.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import type { FilterPlugin, PreScorePlugin, ScorePlugin } from '../../../src/framework/plugin.ts';
import { unschedulable } from '../../../src/framework/status.ts';
import { Program } from '../../../src/kernels/program.ts';
import { NodeResourcesBalancedAllocation } from '../../../src/plugins/node-resources/balanced-allocation.ts';
import { NodeResourcesFit } from '../../../src/plugins/node-resources/fit.ts';
import type { ScoringStrategy } from '../../../src/plugins/node-resources/fit-args.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const resources = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 2 },
];
const shape = [
  { utilization: 0, score: 2 },
  { utilization: 70, score: 10 },
  { utilization: 100, score: 0 },
];
const STRATEGIES: readonly ScoringStrategy[] = [
  { type: 'LeastAllocated', resources },
  { type: 'MostAllocated', resources },
  { type: 'RequestedToCapacityRatio', resources, requestedToCapacityRatio: { shape } },
];
const balance = new NodeResourcesBalancedAllocation();
const FIT = 'NodeResourcesFit';

function start(scoringStrategy = STRATEGIES[0] as ScoringStrategy, largeBytes = 2 ** 35) {
  const fit = new NodeResourcesFit({ scoringStrategy });
  const world = new EngineColumns({ plugins: [fit, balance] });
  world.add(
    makeNode('n0', { cpu: 2 }),
    makeNode('n1'),
    makeNode('n2', { memory: largeBytes }),
    makeNode('n3', { cpu: 1 }),
  );
  world.cluster.pods.add(makePod('there', { nodeName: 'n1', requests: { cpu: 2, memory: '9Gi' } }));
  const signature = world.signatureOf(makePod('p', { requests: { cpu: 2, memory: '1Gi' } }));
  return { world, fit, signature, out: world.columns.table.add('i32') };
}

describe('the filter kernel', () => {
  test('says who has room, and how many', () => {
    const { world, signature, out } = start();
    expect(world.resourceKernels.filter(signature, out.pointer, 0, 4)).toBe(3);
    expect([...out.values.subarray(0, 5)]).toEqual([-1, -1, -1, 0, 0]);
  });

  test('writes no slot outside of its range', () => {
    const { world, signature, out } = start();
    out.values.fill(7);
    expect(world.resourceKernels.filter(signature, out.pointer, 1, 2)).toBe(1);
    expect([...out.values.subarray(0, 4)]).toEqual([7, -1, 7, 7]);
    expect(world.resourceKernels.filter(signature, out.pointer, 2, 2)).toBe(0);
  });

  test('says of many slots what is said of each of them', () => {
    const amount = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.maxSafeInteger().map(Math.abs));
    fc.assert(
      fc.property(fc.array(fc.record({ cpu: amount, used: amount }), { minLength: 1, maxLength: 20 }), (nodes) => {
        const { world, signature, out } = start();
        const { resourceKernels, columns, cluster } = world;
        for (let i = 0; i < nodes.length; i++) world.add(makeNode(`more-${i}`));
        const { allocatable, requested } = columns.resource('cpu');
        nodes.forEach(({ cpu, used }, i) => {
          allocatable.values[i] = cpu * 1000;
          requested.values[i] = used * 1000;
        });
        world.renew(signature);
        const slots = cluster.slotCount;
        resourceKernels.filter(signature, out.pointer, 0, slots);
        for (let slot = 0; slot < slots; slot++) {
          expect(resourceKernels.accepts(signature, slot)).toBe(out.values[slot] === -1);
        }
        for (const entry of signature.filterEntries.entries) {
          resourceKernels.fitReasons(entry, out.pointer, 0, slots);
          const reasons = new Uint8Array(out.values.buffer, out.pointer, slots);
          for (let slot = 0; slot < slots; slot++) expect(fitReasonAt(entry, slot)).toBe(reasons[slot]);
        }
      }),
    );
  });

  test('asks the verdicts alone where no plugin filters resources', () => {
    const notN1: FilterPlugin = {
      ...{ name: 'NotN1', filterReads: 'node' },
      filter: (_state, _pod, { name }) => (name === 'n1' ? unschedulable('NotN1', 'no') : null),
    };
    const world = new EngineColumns({ plugins: [notN1] }).add(makeNode('n0', { cpu: 0 }), makeNode('n1'));
    const out = world.columns.table.add('i32');
    const signature = world.signatureOf(makePod('p', { requests: { cpu: 2 } }));
    expect(world.resourceKernels.filter(signature, out.pointer, 0, 2)).toBe(1);
    expect([...out.values.subarray(0, 2)]).toEqual([-1, 0]);
  });
});

describe('the score kernels', () => {
  test.each(STRATEGIES)('do what the plugins say: $type', (strategy) => {
    // Amounts that need 64-bit integers, and such that do not.
    for (const largeBytes of [2 ** 35, 2 ** 52]) {
      const { world, fit, signature, out } = start(strategy, largeBytes);
      const nodes = world.cluster.nodeInfos();
      for (const plugin of [fit, balance] as readonly (ScorePlugin & Partial<PreScorePlugin>)[]) {
        world.resourceKernels.score(plugin.name, signature, out.pointer, 0, 4);
        const state = new CycleState();
        plugin.preScore?.(state, signature.pod, nodes);
        const expected = nodes.map((node) => plugin.score(state, signature.pod, node));
        expect(nodes.map(({ slot }) => out.values[slot])).toEqual(expected);
      }
    }
  });

  test('do it for nobody else', () => {
    const { world, signature, out } = start();
    expect(() => world.resourceKernels.score('Other', signature, out.pointer, 0, 4)).toThrow(
      'no kernel scores for Other',
    );
  });
});

describe('as instructions of a program', () => {
  test.each(STRATEGIES)('the kernels find the same: $type', (strategy) => {
    const { world, signature, out } = start(strategy);
    const { resourceKernels, columns, memory, runner } = world;
    const [feasible, fit, balanced] = [0, 1, 2].map(() => columns.table.add('i32')) as [
      typeof out,
      typeof out,
      typeof out,
    ];
    const program = new Program(memory);
    const count = resourceKernels.planFilter(program, signature, feasible);
    resourceKernels.planScore(program, FIT, signature, fit);
    resourceKernels.planScore(program, balance.name, signature, balanced);
    runner.run(program, 4);
    expect(program.number(count)).toBe(resourceKernels.filter(signature, out.pointer, 0, 4));
    expect(feasible.values).toEqual(out.values);
    resourceKernels.score(FIT, signature, out.pointer, 0, 4);
    expect(fit.values).toEqual(out.values);
    resourceKernels.score(balance.name, signature, out.pointer, 0, 4);
    expect(balanced.values).toEqual(out.values);
    expect(() => resourceKernels.planScore(program, 'Other', signature, out)).toThrow('no kernel scores for Other');
  });
});
