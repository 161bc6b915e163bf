import { describe, expect, test } from 'vitest';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import type { Plugin } from '../../../src/framework/plugin.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

/** A plugin with one column, and the nodes that it was asked about. */
function counting(): { readonly plugin: Plugin; readonly asked: string[] } {
  const asked: string[] = [];
  const podCount = (node: NodeInfo): number => {
    asked.push(node.name);
    return node.pods.length + 0.5;
  };
  return { plugin: { name: 'Counting', columns: { podCount } }, asked };
}

const bare: Plugin = { name: 'Bare' };

describe("a plugin's columns", () => {
  test('are computed for every node at first, and then for those that changed', () => {
    const { plugin, asked } = counting();
    const world = new EngineColumns().add(makeNode('a'), makeNode('b'));
    const columns = world.pluginColumns.of(plugin);
    columns.sync();
    expect([...columns.own('podCount').subarray(0, 2)]).toEqual([0.5, 0.5]);
    world.cluster.pods.add(makePod('p', { nodeName: 'b' }));
    columns.sync();
    columns.sync();
    expect([...columns.own('podCount').subarray(0, 2)]).toEqual([0.5, 1.5]);
    expect(asked).toEqual(['a', 'b', 'b']);
  });

  test('hold 0 in a slot without a node', () => {
    const { plugin } = counting();
    const world = new EngineColumns().add(makeNode('a'), makeNode('b'));
    const columns = world.pluginColumns.of(plugin);
    columns.sync();
    world.cluster.removeNode('a');
    columns.sync();
    expect([...columns.own('podCount').subarray(0, 2)]).toEqual([0, 0.5]);
  });

  test('go on when the table grows', () => {
    const { plugin } = counting();
    const world = new EngineColumns().add(makeNode('a'));
    const columns = world.pluginColumns.of(plugin);
    columns.sync();
    for (let i = 0; i < 100; i++) world.cluster.addNode(makeNode(`n${i}`));
    columns.sync();
    expect(columns.slotCount).toBe(101);
    expect(columns.own('podCount').length).toBe(128);
    expect(
      columns
        .own('podCount')
        .subarray(0, 101)
        .every((value) => value === 0.5),
    ).toBe(true);
  });

  test('are all computed again after the plugin has thrown', () => {
    let isBroken = true;
    const read = ({ name }: NodeInfo): number => {
      if (isBroken && name === 'b') throw new Error('broken');
      return name.length;
    };
    const world = new EngineColumns().add(makeNode('a'), makeNode('b'), makeNode('longer'));
    const columns = world.pluginColumns.of({ name: 'Frail', columns: { read } });
    expect(() => columns.sync()).toThrow('broken');
    isBroken = false;
    columns.sync();
    expect([...columns.own('read').subarray(0, 3)]).toEqual([1, 1, 6]);
  });

  test('have the names that the plugin gave them, and no others', () => {
    const { plugin } = counting();
    const world = new EngineColumns();
    expect(() => world.pluginColumns.of(plugin).own('pods')).toThrow(new RangeError('there is no column "pods"'));
    expect(() => world.pluginColumns.of(bare).own('podCount')).toThrow('there is no column "podCount"');
  });

  test('stand beside what nodes have, and what their pods ask for', () => {
    const world = new EngineColumns().add(makeNode('a', { cpu: 3 }), makeNode('b', { cpu: 2, pods: 7 }));
    world.cluster.pods.add(makePod('p', { nodeName: 'b', requests: { cpu: '250m' } }));
    const columns = world.pluginColumns.of(bare);
    const { allocatable, requested } = columns.resource('cpu');
    expect([...allocatable.subarray(0, 2), ...requested.subarray(0, 2)]).toEqual([3000, 2000, 0, 250]);
    expect([...columns.resource('pods').allocatable.subarray(0, 2)]).toEqual([110, 7]);
    expect([...columns.resource('example.com/never-seen').allocatable.subarray(0, 2)]).toEqual([0, 0]);
  });

  test('are made once for a plugin, and apart for each', () => {
    const [one, other] = [counting().plugin, counting().plugin];
    const world = new EngineColumns();
    expect(world.pluginColumns.of(one)).toBe(world.pluginColumns.of(one));
    expect(world.pluginColumns.of(other)).not.toBe(world.pluginColumns.of(one));
  });
});
