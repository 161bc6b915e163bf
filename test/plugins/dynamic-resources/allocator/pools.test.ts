import { describe, expect, it } from 'vitest';
import type { ResourceSlice } from '../../../../src/api/resource-claims.ts';
import { DEFAULT_FEATURE_GATES } from '../../../../src/config/feature-gates.ts';
import { poolsOf } from '../../../../src/plugins/dynamic-resources/allocator/pools.ts';
import { makeSlice } from '../../../builders/make-devices.ts';
import { makeNode } from '../../../builders/make-node.ts';

const node = makeNode('n', { labels: { zone: 'a' } });

function pools(...slices: ResourceSlice[]): string[] {
  return poolsOf(node, slices, DEFAULT_FEATURE_GATES).map(({ name, devices, isIncomplete, isInvalid }) => {
    const state = isIncomplete ? ' incomplete' : isInvalid ? ' invalid' : '';
    return `${name}: ${devices.map(({ device }) => device.name).join()}${state}`;
  });
}

const pool = (name: string, generation: number, resourceSliceCount = 1) => ({
  pool: { name, generation, resourceSliceCount },
});
const zone = (value: string) => ({
  nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [value] }] }] },
});

describe('poolsOf', () => {
  it('takes the slices that reach the node, pools by name, those that must wait for devices last', () => {
    const slow = makeSlice('n', [{ name: 'w', bindingConditions: ['Ready'] }], pool('a-slow', 1));
    const near = makeSlice('z', ['s'], { ...zone('a'), ...pool('p-2', 1) });
    const far = makeSlice('z', ['t'], { ...zone('b'), ...pool('far', 1) });
    const all = makeSlice('z', ['u'], { allNodes: true, ...pool('p-10', 1) });
    expect(pools(slow, near, far, all)).toEqual(['p-10: u', 'p-2: s', 'a-slow: w']);
  });

  it('knows devices with a reach of their own', () => {
    const devices = [
      { name: 'a', nodeName: 'n' },
      { name: 'b', nodeName: 'm' },
      { name: 'c', allNodes: true },
    ];
    expect(pools(makeSlice('x', devices, { perDeviceNodeSelection: true, nodeName: '' }))).toEqual(['x: a,c']);
  });

  it('leaves out older generations, and a pool that is newer elsewhere', () => {
    const old = makeSlice('n', ['old'], pool('p', 1, 2));
    expect(pools(old, makeSlice('n', ['new'], pool('p', 2)))).toEqual(['p: new']);
    expect(pools(old, makeSlice('m', ['new'], pool('p', 2)))).toEqual([]);
    expect(pools(makeSlice('n', ['old'], pool('p', 1)), makeSlice('m', ['new'], pool('p', 2)))).toEqual(['p: old']);
  });

  it('says which pools are incomplete or contradict themselves', () => {
    expect(pools(makeSlice('n', ['a'], pool('p', 1, 2)))).toEqual(['p: a incomplete']);
    expect(pools(makeSlice('n', ['a'], pool('p', 1, 2)), makeSlice('m', ['b'], pool('p', 1, 2)))).toEqual(['p: a']);
    expect(pools(makeSlice('n', ['a', 'a']))).toEqual(['n: a,a invalid']);
    const consumesCounters = [{ counterSet: 'nosuch', counters: { slices: { value: '1' } } }];
    expect(pools(makeSlice('n', [{ name: 'a', consumesCounters }]))).toEqual(['n: a invalid']);
  });
});
