import { describe, expect, test } from 'vitest';
import { formsVersion, kernelPluginsOf } from '../../../src/engine/index/kernel-plugins.ts';
import type { FilterPlugin, Plugin, ScorePlugin } from '../../../src/framework/plugin.ts';
import { Framework } from '../../../src/framework/runtime/framework.ts';
import { NodeResourcesBalancedAllocation } from '../../../src/plugins/node-resources/balanced-allocation.ts';
import { NodeResourcesFit } from '../../../src/plugins/node-resources/fit.ts';
import { PodTopologySpread } from '../../../src/plugins/pod-topology-spread/plugin.ts';
import { atEveryPoint } from '../../builders/framework-plugins.ts';
import { makeCluster } from '../../builders/make-cluster.ts';

const of = (...plugins: readonly Plugin[]) => kernelPluginsOf(new Framework(atEveryPoint(plugins, new Map())));
const fit = new NodeResourcesFit();
const balance = new NodeResourcesBalancedAllocation();

describe('the plugins whose work kernels do', () => {
  test('are found by what they bring, not by their names', () => {
    const { filter, allocation, balance: balanced } = of(balance, fit);
    expect(filter).toEqual({ name: 'NodeResourcesFit', form: fit.resourceFilter });
    expect(allocation).toEqual({ name: 'NodeResourcesFit', form: fit.resourceScore });
    expect(balanced?.form).toBe(balance.resourceScore);
  });

  test('may be absent', () => {
    expect(of()).toEqual({ filter: undefined, allocation: undefined, balance: undefined });
    expect(of(balance)).toMatchObject({ filter: undefined, allocation: undefined });
  });

  test('may bring topology rules, which are nothing for these kernels', () => {
    expect(of(new PodTopologySpread(makeCluster([])))).toMatchObject({ filter: undefined, balance: undefined });
  });

  test('must say what is to be done', () => {
    const filter: FilterPlugin = { name: 'Silent', filterReads: 'kernel', filter: () => null };
    const score: ScorePlugin = { name: 'Silent', scoreReads: 'kernel', score: () => 0 };
    expect(() => of(filter)).toThrow('Silent leaves its filter to kernels and does not say how');
    expect(() => of(score)).toThrow('Silent leaves its score to kernels and does not say how');
  });

  test('are one for each kind of work', () => {
    const other: ScorePlugin = {
      name: 'Other',
      scoreReads: 'kernel',
      score: () => 0,
      resourceScore: balance.resourceScore,
    };
    expect(() => of(balance, other)).toThrow(
      'NodeResourcesBalancedAllocation and Other bring the same work for kernels',
    );
  });
});

test('a change of the forms of some plugin changes their version', () => {
  let version = 3;
  const changing: FilterPlugin = { name: 'A', filterReads: 'node', filter: () => null, formsVersion: () => version };
  const read = formsVersion(new Framework(atEveryPoint([changing, balance], new Map())));
  const before = read();
  expect(read()).toBe(before);
  version++;
  expect(read()).not.toBe(before);
});
