import { describe, expect, it } from 'vitest';
import { PodShapes, packingOf } from '../../../src/simulation/observation/fragmentation.ts';
import { NodeLoads } from '../../../src/simulation/observation/node-loads.ts';

function node(name: string, cpu: string, gpu = '0', labels = {}) {
  return { metadata: { name, labels }, status: { allocatable: { cpu, memory: '8Gi', pods: '10', 'a.b/gpu': gpu } } };
}

describe('packing', () => {
  it('tells how full nodes in use are, and what is free where pods cannot use it', () => {
    const loads = new NodeLoads();
    loads.setNode(node('a', '4', '2'));
    loads.setNode(node('b', '4', '2'));
    loads.setNode(node('lost', '4', '2'));
    loads.deleteNode('lost');
    // All cpu of the first node is taken, so that nobody can use its devices.
    loads.charge('a', [['cpu', 4000]], 1);
    const shapes = new PodShapes();
    for (const _ of [1, 2, 3])
      shapes.add([
        ['cpu', 1000],
        ['a.b/gpu', 1],
      ]);
    shapes.add([['memory', 1]]);
    const { nodesInUse, filled, fragmented } = packingOf(loads, shapes.frequent());
    const of = (values: readonly number[]) => Object.fromEntries(loads.metrics.map((name, m) => [name, values[m]]));
    expect(nodesInUse).toBe(0.5);
    expect(of(filled)).toMatchObject({ cpu: 1, memory: 0, 'a.b/gpu': 0, pods: 0.1 });
    // Three of four pods cannot use the half of the devices that is on the first node.
    expect(of(fragmented)).toMatchObject({ cpu: 0, 'a.b/gpu': 0.375 });
  });

  it('is nothing without nodes or pods', () => {
    expect(packingOf(new NodeLoads(), [])).toEqual({ nodesInUse: 0, filled: [], fragmented: [] });
    const loads = new NodeLoads();
    loads.setNode(node('a', '4'));
    expect(packingOf(loads, []).fragmented.every((share) => share === 0)).toBe(true);
  });
});

describe('loads of nodes', () => {
  it('are whole percent of what nodes offer, by zone as shares of ready nodes', () => {
    const loads = new NodeLoads();
    loads.charge('later', [['cpu', 500]], 1);
    loads.setNode(node('a', '2', '0', { 'topology.kubernetes.io/zone': 'x' }));
    loads.setNode(node('later', '1', '0', { zone: 'y' }));
    loads.charge('a', [['cpu', 1000]], 1);
    loads.charge('a', [['cpu', 1000]], 1);
    loads.charge('a', [['cpu', 1000]], -1);
    const cpu = loads.metrics.indexOf('cpu');
    expect(loads.percents()[cpu]).toEqual([50, 50]);
    expect(loads.podCounts).toEqual([1, 1]);
    expect(loads.zoneShares().map((shares, zone) => [loads.zones[zone], shares[cpu]])).toEqual([
      ['', 0],
      ['x', 0.5],
      ['y', 0.5],
    ]);
    loads.deleteNode('a');
    expect([...loads.lost].map((index) => loads.names[index])).toEqual(['a']);
  });
});
