import { describe, expect, test } from 'vitest';
import { CHARGE_BYTES } from '../../../src/engine/index/layout.ts';
import type { PodSignature } from '../../../src/engine/index/pod-signature.ts';
import { type TotalsForm, totalsFormOf, writeCharges } from '../../../src/engine/index/totals-form.ts';
import type { Plugin, PreFilterPlugin, ReservePlugin, ScorePlugin } from '../../../src/framework/plugin.ts';
import { errorStatus, unresolvable } from '../../../src/framework/status.ts';
import type { Pod } from '../../../src/index.ts';
import { NodeResourcesBalancedAllocation } from '../../../src/plugins/node-resources/balanced-allocation.ts';
import { NodeResourcesFit } from '../../../src/plugins/node-resources/fit.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const GPU = 'example.com/gpu';
const score = (name: string, over: Partial<ScorePlugin> = {}): ScorePlugin => {
  return { name, scoreReads: 'node', score: () => 0, ...over };
};
const resourcePlugins = (): Plugin[] => [new NodeResourcesFit(), new NodeResourcesBalancedAllocation()];

interface Options {
  readonly plugins?: readonly Plugin[];
  readonly weights?: Readonly<Record<string, number>>;
  readonly pod?: Pod;
  readonly change?: (signature: PodSignature) => Partial<PodSignature>;
}

function start({
  plugins = resourcePlugins(),
  weights = {},
  pod = makePod('p', { requests: { cpu: 1 } }),
  change,
}: Options = {}) {
  const world = new EngineColumns({ plugins, weights: new Map(Object.entries(weights)) }).add(makeNode('n0'));
  const signature = world.signatureOf(pod);
  const fit = world.kernelPlugins.allocation?.form;
  const { memory, columns, framework } = world;
  const form = totalsFormOf({ ...signature, ...change?.(signature) }, { memory, columns, framework, fit });
  return { world, form };
}

function formOf(options: Options): TotalsForm {
  const { form } = start(options);
  if (form === null) throw new Error('such pods are placed by index');
  return form;
}

describe('pods that are not placed by index', () => {
  const reserving: ReservePlugin = { name: 'Reserving', reserve: () => null, unreserve: () => {} };
  const only: PreFilterPlugin = {
    name: 'Only',
    dependsOn: () => null,
    preFilter: () => ({ nodeNames: new Set(['n0']) }),
  };
  const no: PreFilterPlugin = { name: 'No', dependsOn: () => null, preFilter: () => unresolvable('No', 'never') };
  const failed = { failure: errorStatus('P', 'no'), scores: [] };

  test.each<[string, Options]>([
    ['what PreScore says depends on the cluster', { change: () => ({ preScore: null }) }],
    ['PreScore fails', { change: () => ({ preScore: failed }) }],
    ['an amount is beyond 2^53', { change: () => ({ isInexact: true }) }],
    ['PreFilter names nodes', { plugins: [only, ...resourcePlugins()] }],
    ['PreFilter rejects', { plugins: [no, ...resourcePlugins()] }],
    ['nobody filters resources', { plugins: [new NodeResourcesBalancedAllocation()] }],
    ['some plugin reserves', { plugins: [reserving, ...resourcePlugins()] }],
    ['a weight is negative', { weights: { NodeResourcesFit: -1 } }],
    ['totals are too large for 16 bits', { weights: { NodeResourcesFit: 320 } }],
    [
      'a plugin normalises in its own way',
      { plugins: [...resourcePlugins(), score('Own', { normalizeScores: (_s, _p, _n, raw) => [...raw] })] },
    ],
  ])('because %s', (_, options) => {
    expect(start(options).form).toBe(null);
  });

  test('are not those just below these limits', () => {
    expect(start({ weights: { NodeResourcesFit: 319 } }).form).not.toBe(null);
    const idle = { ...reserving, reserves: () => false };
    expect(start({ plugins: [idle, ...resourcePlugins()] }).form).not.toBe(null);
  });
});

describe('the form of a signature', () => {
  test('has requests as they are filtered, scored and balanced', () => {
    const { requests } = formOf({ pod: makePod('p', { requests: { cpu: 1 } }) });
    // No memory: it is not filtered, and counts 200 MiB by allocation.
    expect(requests).toEqual([1000, Number.NEGATIVE_INFINITY, 1000, 200 * 2 ** 20, 1000, 0]);
  });

  test('has weights of what kernels score, and plugins outside of them by how they normalise', () => {
    const scaled = score('Scaled', { normalize: { reverse: true } });
    const form = formOf({
      plugins: [score('A'), ...resourcePlugins(), scaled],
      weights: { NodeResourcesFit: 2, NodeResourcesBalancedAllocation: 3, A: 4, Scaled: 5 },
    });
    expect([form.fitWeight, form.balancedWeight]).toEqual([2, 3]);
    expect(form.plain.map(({ plugin, weight }) => [plugin.name, weight])).toEqual([['A', 4]]);
    expect(form.normalized.map(({ plugin, weight, normalize }) => [plugin.name, weight, normalize])).toEqual([
      ['Scaled', 5, { reverse: true }],
    ]);
  });

  test('lists resources beside pods, cpu and memory', () => {
    const pod = makePod('p', { requests: { cpu: 1, memory: 1, 'ephemeral-storage': 5, [GPU]: 2 } });
    const { extraEntries } = formOf({ pod });
    expect(extraEntries.entries.map(({ podRequest }) => podRequest)).toEqual([5, 2]);
    expect(formOf({}).extraEntries.count).toBe(0);
  });

  test('is standard where cpu and memory are all that is scored, by LeastAllocated', () => {
    const isStandard = (fit: NodeResourcesFit, pod?: Pod): boolean => {
      return formOf({ plugins: [fit, new NodeResourcesBalancedAllocation()], ...(pod && { pod }) }).isStandard;
    };
    const resources = (...names: string[]) => names.map((name) => ({ name, weight: 1 }));
    const by = (type: 'LeastAllocated' | 'MostAllocated', ...names: string[]): NodeResourcesFit =>
      new NodeResourcesFit({ scoringStrategy: { type, resources: resources(...names) } });
    expect(isStandard(new NodeResourcesFit())).toBe(true);
    expect(isStandard(by('MostAllocated', 'cpu', 'memory'))).toBe(false);
    expect(isStandard(by('LeastAllocated', 'memory', 'cpu'))).toBe(false);
    expect(isStandard(by('LeastAllocated', 'cpu'))).toBe(false);
    const withGpu = by('LeastAllocated', 'cpu', 'memory', GPU);
    expect(isStandard(withGpu)).toBe(true);
    expect(isStandard(withGpu, makePod('p', { requests: { [GPU]: 1 } }))).toBe(false);
  });
});

describe('what a node is charged', () => {
  /** The amounts that the pod adds to a node, by the name of the column. */
  function chargesOf(pod: Pod): Record<string, number> {
    const { world, form } = start({ pod });
    if (form === null) throw new Error('such pods are placed by index');
    const { columns, memory } = world;
    const names = new Map(
      ['pods', 'cpu', 'memory', GPU].map((name) => [columns.resource(name).requested.pointer, name]),
    );
    names.set(columns.fixed.nonZeroMilliCPU.pointer, 'non-zero cpu');
    names.set(columns.fixed.nonZeroMemoryBytes.pointer, 'non-zero memory');
    const view = new DataView(
      memory.memory.buffer,
      writeCharges(memory, form.charges),
      form.charges.length * CHARGE_BYTES,
    );
    const charges = Array.from(form.charges, (_, i) => {
      const name = names.get(view.getUint32(i * CHARGE_BYTES, true)) ?? 'unknown';
      return [name, view.getFloat64(i * CHARGE_BYTES + 8, true)] as const;
    });
    return Object.fromEntries(charges);
  }

  test('is one pod, what it asks for, and what counts as never 0', () => {
    expect(chargesOf(makePod('p', { requests: { cpu: 1, memory: 64, [GPU]: 2 } }))).toEqual({
      ...{ pods: 1, cpu: 1000, memory: 64, [GPU]: 2 },
      ...{ 'non-zero cpu': 1000, 'non-zero memory': 64 },
    });
  });

  test('is not 0 of anything', () => {
    const nonZero = { 'non-zero cpu': 100, 'non-zero memory': 200 * 2 ** 20 };
    expect(chargesOf(makePod('p'))).toEqual({ pods: 1, ...nonZero });
    expect(chargesOf(makePod('p', { requests: { cpu: 0, memory: 0 } }))).toEqual({ pods: 1 });
  });
});
