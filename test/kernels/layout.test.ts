/** Records that both sides of the door read: the host's numbers beside those of the AssemblyScript sources. */
import { describe, expect, it } from 'vitest';
import * as host from '../../src/engine/index/layout.ts';
import { NodeEnv } from '../../src/engine/index/node-env.ts';
import { ResourceEntries } from '../../src/engine/index/resource-entries.ts';
import * as layout from '../../src/engine/index/search-layout.ts';
import * as runs from '../../src/engine/topology-run/run-layout.ts';
import { RESOURCE_ENTRY_BYTES } from '../../src/kernels/abi.ts';
import { instantiate } from '../../src/kernels/load.ts';
import { INSTRUCTION_BYTES } from '../../src/kernels/program.ts';
import { REGISTER_BYTES } from '../../src/kernels/registers.ts';
import { NodeColumns } from '../../src/memory/node-columns.ts';
import { SharedMemory } from '../../src/memory/shared-memory.ts';
import { NodeResourcesFit } from '../../src/plugins/node-resources/fit.ts';
import * as control from '../../src/pool/control-words.ts';
import { constantsOf, readAssembly, recordOf } from './assembly-source.ts';

const index = readAssembly('signature-index/layout.ts');
const INDEX = constantsOf(index);
const search = readAssembly('signature-index/search-record.ts');
const topologyRun = readAssembly('topology-run/records.ts');

describe('a totals block', () => {
  const { offsets, bytes } = recordOf(index, 'TotalsBlock');
  const { FIELD } = host;

  it('has its head where the host has it', () => {
    expect(offsets).toEqual({
      rows: FIELD.rows,
      levelCount: FIELD.levelCount,
      cursor: FIELD.cursor,
      columns: FIELD.used,
      tracked: FIELD.tracked,
      dirty: FIELD.dirty,
      extras: FIELD.extras,
      isStandard: FIELD.isStandard,
      firstLevel: FIELD.levels,
    });
    expect(bytes + (host.MAX_LEVELS - 1) * 4).toBeLessThanOrEqual(FIELD.requests);
  });

  it('has the fields of its columns where the host has them', () => {
    expect(INDEX).toMatchObject({
      CPU_REQUESTS: FIELD.requests,
      MEMORY_REQUESTS: FIELD.requests + 64,
      SCORED_CPU: FIELD.requests + 128,
      SCORED_MEMORY: FIELD.requests + 192,
      BALANCED_CPU: FIELD.requests + 256,
      BALANCED_MEMORY: FIELD.requests + 320,
      VERDICT_COUNTS: FIELD.idCount,
      FEASIBLE_NODES: FIELD.feasible,
      VERDICT_IDS: FIELD.ids,
      STATIC_TOTALS: FIELD.totals,
      COUNTS_BY_VERDICT: FIELD.counts,
      FILTER_ENTRIES: FIELD.filterEntries,
      FIT_ENTRIES: FIELD.fitEntries,
      BALANCED_ENTRIES: FIELD.balancedEntries,
      EXTRA_ENTRIES: FIELD.extraEntries,
      CHARGES: FIELD.charges,
      FIT_WEIGHTS: FIELD.fitWeights,
      BALANCED_WEIGHTS: FIELD.balancedWeights,
      LIST_LENGTHS: 4 * host.COLUMNS,
    });
    expect(FIELD.balancedWeights + 2 * host.COLUMNS).toBe(host.BLOCK_BYTES);
  });

  it('has as many columns and as wide a tree as the host says, and stops for the same reasons', () => {
    expect(INDEX).toMatchObject({
      COLUMNS: host.COLUMNS,
      ROW_BYTES: 2 * host.COLUMNS,
      FAN: host.FAN,
      FAN_SHIFT: Math.log2(host.FAN),
      STOP_NONE: host.STOP.none,
      STOP_INFEASIBLE: host.STOP.infeasible,
      STOP_STALE: host.STOP.stale,
      STOP_NORMALIZE: host.STOP.normalize,
    });
    expect(recordOf(index, 'Charge')).toEqual({ offsets: { column: 0, amount: 8 }, bytes: host.CHARGE_BYTES });
  });
});

describe('a search', () => {
  it.each([
    ['NodeSearch', layout.SEARCH, layout.SEARCH_WORDS],
    ['OrderedTotals', layout.ORDERED, layout.ORDERED_WORDS],
    ['DomainTerm', layout.TERM, layout.TERM_WORDS],
    ['WindowScores', layout.SCORES, layout.SCORES_WORDS],
    ['WindowScore', layout.SCORE, layout.SCORE_WORDS],
  ])('has a %s whose words stand where the host has them', (name, words, count) => {
    const offsets = Object.fromEntries(Object.entries(words).map(([field, word]) => [field, word * 4]));
    expect(recordOf(search, name)).toEqual({ offsets, bytes: count * 4 });
  });
});

describe('a run of pods with topology rules', () => {
  it.each([
    ['TopologyRun', runs.RUN, runs.RUN_WORDS],
    ['RunMember', runs.MEMBER, runs.MEMBER_WORDS],
    ['SortedNodes', runs.NODES, runs.NODES_WORDS],
    ['ExcludedNodes', runs.EXCLUDED, runs.EXCLUDED_WORDS],
    ['Excluder', runs.EXCLUDER, runs.EXCLUDER_WORDS],
    ['NodeCount', runs.COUNT, runs.COUNT_WORDS],
    ['RunTerm', runs.RUN_TERM, runs.RUN_TERM_WORDS],
    ['RaisedCount', runs.RAISED, runs.RAISED_WORDS],
    ['RaisedSum', runs.RAISED_SUM, runs.RAISED_SUM_WORDS],
  ])('has a %s whose words stand where the host has them', (name, words, count) => {
    const offsets = Object.fromEntries(Object.entries(words).map(([field, word]) => [field, word * 4]));
    expect(recordOf(topologyRun, name)).toEqual({ offsets, bytes: count * 4 });
  });

  it('has the numbers that the host writes', () => {
    expect(constantsOf(topologyRun)).toMatchObject({
      NO_ENTRY: runs.NO_ENTRY,
      BOUND_FIXED: runs.BOUND.fixed,
      BOUND_SPREAD: runs.BOUND.spread,
      BOUND_GROUP: runs.BOUND.group,
    });
  });
});

describe('the node environment', () => {
  const { offsets, bytes } = recordOf(index, 'NodeEnvironment');

  it('is written where kernels read it', () => {
    const memory = new SharedMemory();
    const columns = new NodeColumns(memory);
    const kernels = instantiate('scalar', memory.memory);
    const shape = [
      { utilization: 0, score: 0 },
      { utilization: 100, score: 10 },
    ];
    const resources = [
      { name: 'cpu', weight: 3 },
      { name: 'memory', weight: 5 },
    ];
    const scoringStrategy = {
      type: 'RequestedToCapacityRatio',
      resources,
      requestedToCapacityRatio: { shape },
    } as const;
    const { resourceScore: fit } = new NodeResourcesFit({ scoringStrategy });
    const env = new NodeEnv({ kernels, memory, columns }, fit);
    // The first use looks at all slots, of which there are none yet.
    for (const slotCount of [0, 7]) env.renew(slotCount);
    const view = new DataView(memory.memory.buffer, env.pointer, bytes);
    const at = (field: string): number => offsets[field] as number;
    const word = (field: string): number => view.getUint32(at(field), true);
    const { fixed, derived } = columns;
    const [pods, cpu, mem] = ['pods', 'cpu', 'memory'].map((name) => columns.resource(name));
    const pointers = {
      allocatablePods: pods?.allocatable,
      requestedPods: pods?.requested,
      allocatableCpu: cpu?.allocatable,
      requestedCpu: cpu?.requested,
      allocatableMemory: mem?.allocatable,
      requestedMemory: mem?.requested,
      nonZeroCpu: fixed.nonZeroMilliCPU,
      nonZeroMemory: fixed.nonZeroMemoryBytes,
      headroom: derived.headroom,
      inverseCpu: derived.inverseMilliCPU,
      inverseMemory: derived.inverseMemoryBytes,
      freeCpu: derived.freeMilliCPU,
      freeMemory: derived.freeMemoryBytes,
      spareCpu: derived.spareMilliCPU,
      spareMemory: derived.spareMemoryBytes,
      skew: derived.skew,
      order: fixed.order,
    };
    for (const [field, column] of Object.entries(pointers)) expect(word(field), field).toBe(column?.pointer);
    const weights = ['cpuWeight', 'memoryWeight', 'inverseWeight'].map((field) => view.getFloat64(at(field), true));
    expect(weights).toEqual([3, 5, 1 / 8]);
    expect([word('slotCount'), word('isOrdered'), word('strategy'), word('hasLacking')]).toEqual([7, 1, 2, 0]);
    const table = new Int32Array(memory.memory.buffer, word('percentTable'), 101);
    expect([...table]).toEqual([...(fit.scoreOfPercent ?? [])]);
    expect(word('logMask')).toBe(1023);
    columns.setAmount(cpu?.allocatable ?? fixed.nonZeroMilliCPU, 5, 4);
    env.touch(5, 7);
    expect(env.logEnd).toBe(view.getBigInt64(at('logEnd'), true));
    expect(new Int32Array(memory.memory.buffer, word('log'), 1)[0]).toBe(5);
    // The node has no memory.
    expect(word('hasLacking')).toBe(1);
    env.nodeCame(1);
    env.nodeCame(0);
    expect(word('isOrdered')).toBe(0);
  });

  it('has the fields that the host reads, and strategies with the same numbers', () => {
    const { logEnd, stopReason } = offsets;
    expect({ logEnd, stopReason }).toEqual({ logEnd: host.FIELD.logEnd, stopReason: host.FIELD.stopReason });
    expect(bytes).toBeLessThanOrEqual(host.ENVIRONMENT_BYTES);
    expect(INDEX).toMatchObject({ STRATEGY_LEAST_ALLOCATED: 0, STRATEGY_MOST_ALLOCATED: 1 });
  });
});

it('a resource entry is written where kernels read it', () => {
  const { offsets, bytes } = recordOf(readAssembly('memory/resource-entry.ts'), 'ResourceEntry');
  const memory = new SharedMemory();
  const cpu = new NodeColumns(memory).resource('cpu');
  const { pointer } = new ResourceEntries(memory, [{ ...cpu, podRequest: 250, weight: 3 }]);
  const view = new DataView(memory.memory.buffer, pointer, bytes);
  const { allocatable = -1, requested = -1, podRequest = -1, weight = -1 } = offsets;
  expect(bytes).toBe(RESOURCE_ENTRY_BYTES);
  expect(view.getUint32(allocatable, true)).toBe(cpu.allocatable.pointer);
  expect(view.getUint32(requested, true)).toBe(cpu.requested.pointer);
  expect(view.getFloat64(podRequest, true)).toBe(250);
  expect(view.getFloat64(weight, true)).toBe(3);
});

describe('programs and steps', () => {
  it('have instructions and registers of the same size', () => {
    expect(constantsOf(readAssembly('pool/instruction.ts'))).toEqual({ INSTRUCTION_BYTES });
    expect(constantsOf(readAssembly('pool/registers.ts'))).toMatchObject({ REGISTER_BYTES });
  });

  it('have the control words where the host has them', () => {
    const { FIRST_THREAD, THREAD_BYTES, SERVING, CLAIMS, SLEEPERS, ...bytes } = constantsOf(
      readAssembly('pool/control.ts'),
    );
    for (const [name, offset] of Object.entries(bytes)) {
      expect((control as Readonly<Record<string, unknown>>)[name], name).toBe(offset / 4);
    }
    // Words that kernels alone use lie in lines that the host leaves to them.
    expect([CLAIMS, SLEEPERS]).toEqual([0, 8]);
    expect(FIRST_THREAD).toBe(4 * control.threadAt(0));
    expect(THREAD_BYTES).toBe(4 * (control.threadAt(1) - control.threadAt(0)));
    expect(SERVING).toBe(control.SERVING);
  });
});
