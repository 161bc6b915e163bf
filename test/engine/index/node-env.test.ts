import { describe, expect, test } from 'vitest';
import { ENVIRONMENT_BYTES } from '../../../src/engine/index/layout.ts';
import { NodeEnv } from '../../../src/engine/index/node-env.ts';
import type { AllocationForm } from '../../../src/framework/column-forms.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';

// Byte offsets of src/engine/index/layout.ts.
const ALLOCATABLE_PODS = 0;
const ORDER = 36 + 8;
const LOG = 48;
const LOG_MASK = 52;
const WEIGHTS = 64;
const SLOTS = 88;
const IS_ORDERED = 92;
const STRATEGY = 96;
const PERCENT_TABLE = 100;

function start(nodeCount = 0) {
  const world = new EngineColumns();
  for (let i = 0; i < nodeCount; i++) world.cluster.addNode(makeNode(`n${i}`));
  const { env, columns, memory } = world;
  env.renew(nodeCount);
  const view = new DataView(memory.memory.buffer, env.pointer, ENVIRONMENT_BYTES);
  const at = (offset: number): number => view.getUint32(offset, true);
  return { world, env, columns, at };
}

describe('the environment of totals', () => {
  test('says where the node columns are, and where they have moved', () => {
    const { world, env, columns, at } = start(1);
    const pointers = () => [columns.resource('pods').allocatable.pointer, columns.fixed.order.pointer];
    const before = pointers();
    expect([at(ALLOCATABLE_PODS), at(ORDER)]).toEqual(before);
    expect([env.takeMoved(), env.takeMoved()]).toEqual([true, false]);
    columns.table.reserve(65);
    expect([at(ALLOCATABLE_PODS), at(ORDER)]).toEqual(before);
    env.renew(world.cluster.slotCount);
    expect([at(ALLOCATABLE_PODS), at(ORDER)]).toEqual(pointers());
    expect(pointers()).not.toEqual(before);
    expect([env.takeMoved(), env.takeMoved()]).toEqual([true, false]);
  });

  test('knows how many slots are in use', () => {
    const { world, env, at } = start(3);
    expect([env.slots, at(SLOTS)]).toEqual([3, 3]);
    world.cluster.removeNode('n1');
    world.cluster.addNode(makeNode('late'));
    expect(env.slots).toBe(3);
    world.cluster.addNode(makeNode('more'));
    expect([env.slots, at(SLOTS)]).toEqual([4, 4]);
  });

  test('notes every node that is touched', () => {
    const { world, env } = start(2);
    const before = env.logEnd;
    world.cluster.updateNode(makeNode('n1', { cpu: 8 }));
    world.cluster.removeNode('n0');
    expect(env.logEnd - before).toBe(2n);
  });

  test('follows nodes from its first use on, when it derives what it needs of all', () => {
    const world = new EngineColumns();
    world.cluster.addNode(makeNode('n0', { cpu: 4, memory: '8Gi' }));
    world.cluster.addNode(makeNode('n1', { cpu: 8, memory: '8Gi' }));
    const { env, columns } = world;
    expect([env.logEnd, env.slots]).toEqual([0n, -1]);
    env.renew(2);
    expect([env.logEnd, env.slots]).toEqual([0n, 2]);
    expect([...columns.derived.freeMilliCPU.values.subarray(0, 2)]).toEqual([4000, 8000]);
    world.cluster.updateNode(makeNode('n1', { cpu: 2, memory: '8Gi' }));
    env.renew(2);
    expect([env.logEnd, columns.derived.freeMilliCPU.values[1]]).toEqual([1n, 2000]);
  });

  test('has a log as long as the table, and no shorter than 1024', () => {
    const { world, env, columns, at } = start(1);
    expect(at(LOG_MASK)).toBe(1023);
    const log = at(LOG);
    columns.table.reserve(1024);
    env.renew(1);
    expect([at(LOG), at(LOG_MASK)]).toEqual([log, 1023]);
    columns.table.reserve(1025);
    env.renew(1);
    expect(at(LOG_MASK)).toBe(2047);
    expect(at(LOG)).not.toBe(log);
    world.cluster.updateNode(makeNode('n0', { cpu: 8 }));
    expect(env.logEnd).toBe(1n);
  });

  test('slots are in the order of their nodes until one is used again', () => {
    const { world, env, at } = start(2);
    expect([env.isOrdered, at(IS_ORDERED)]).toEqual([true, 1]);
    world.cluster.removeNode('n1');
    expect(env.isOrdered).toBe(true);
    world.cluster.addNode(makeNode('late'));
    expect([env.isOrdered, at(IS_ORDERED)]).toEqual([false, 0]);
    world.columns.table.reserve(65);
    env.renew(2);
    expect(at(IS_ORDERED)).toBe(0);
  });
});

describe('a copy of the environment', () => {
  test('knows of the slots what the origin knows', () => {
    const origin = start(2);
    origin.world.cluster.removeNode('n1');
    origin.world.cluster.addNode(makeNode('late'));
    const copy = start();
    copy.env.copyFrom(origin.env);
    expect([copy.env.isOrdered, copy.at(IS_ORDERED)]).toEqual([false, 0]);
    copy.env.nodeCame(2);
    expect(copy.env.isOrdered).toBe(false);
  });
});

describe('the scoring strategy', () => {
  const form = (over: Partial<AllocationForm>): AllocationForm => {
    return { kind: 'allocation', strategy: 'LeastAllocated', resources: [], scoreOfPercent: [], ...over };
  };
  function viewFor(fit: AllocationForm | undefined) {
    const { kernels, memory, columns } = new EngineColumns();
    const { pointer } = new NodeEnv({ kernels, memory, columns }, fit);
    return { memory, view: new DataView(memory.memory.buffer, pointer, ENVIRONMENT_BYTES) };
  }
  const weightsFor = (fit: AllocationForm | undefined): number[] => {
    const { view } = viewFor(fit);
    return [0, 8, 16].map((offset) => view.getFloat64(WEIGHTS + offset, true));
  };

  test('has the weights of cpu and memory, and one by their sum', () => {
    const resources = [
      { name: 'memory', weight: 3 },
      { name: 'cpu', weight: 1 },
      { name: 'example.com/gpu', weight: 9 },
    ];
    expect(weightsFor(form({ resources }))).toEqual([1, 3, 0.25]);
    expect(weightsFor(form({ resources: resources.slice(1) }))).toEqual([1, 0, 1]);
    expect(weightsFor(form({ resources: resources.slice(2) }))).toEqual([0, 0, 0]);
    expect(weightsFor(undefined)).toEqual([0, 0, 0]);
  });

  test('is a number, with a table of scores by percent', () => {
    const strategies = ['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio'] as const;
    const found = strategies.map((strategy) => viewFor(form({ strategy })).view.getInt32(STRATEGY, true));
    expect(found).toEqual([0, 1, 2]);
    const scoreOfPercent = Array.from({ length: 101 }, (_, percent) => 100 - percent);
    const { memory, view } = viewFor(form({ strategy: 'RequestedToCapacityRatio', scoreOfPercent }));
    const table = new Int32Array(memory.memory.buffer, view.getUint32(PERCENT_TABLE, true), 101);
    expect([...table]).toEqual(scoreOfPercent);
  });
});
