import { expect, test } from 'vitest';
import { AttemptMasks } from '../../../src/engine/columns/attempt-masks.ts';
import type { PodSignature } from '../../../src/engine/index/pod-signature.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import type { FilterPlugin, PreFilterPlugin } from '../../../src/framework/plugin.ts';
import { unschedulable } from '../../../src/framework/status.ts';
import type { Trace } from '../../../src/framework/tracing/tracer.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

/** Accepts nodes in the zone that the pod's name ends with, which is its form; pods named `odd` have none. */
function zones(): FilterPlugin & PreFilterPlugin & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    ...{ name: 'Zones', filterReads: 'objects', asked },
    preFilter: (_state, { name }) => {
      asked.push(`preFilter ${name}`);
      return null;
    },
    filter: (_state, pod, { name, node }) => {
      asked.push(name);
      return pod.name.endsWith(node.metadata?.labels?.['zone'] ?? '') ? null : unschedulable('Zones', 'another zone');
    },
    attemptLooksAt: () => ({ taints: false, labels: ['zone'] }),
    attemptForm: ({ name }) => (name.startsWith('odd') ? null : (name.at(-1) ?? '')),
  };
}

function worldWith(plugin: FilterPlugin) {
  const world = new EngineColumns({ plugins: [plugin] });
  for (const [i, zone] of ['a', 'b', 'a'].entries()) world.add(makeNode(`n${i}`, { labels: { zone } }));
  const { framework, cluster, memory, columns, attributes, looks, rejections } = world;
  const { table } = columns;
  const masks = new AttemptMasks({ framework, cluster, memory, table, attributes, looks, rejections });
  const accepted = (podName: string, slotCount = 3): number[] => {
    const signature = { attemptFilters: new Set(['Zones']), state: new CycleState() } as unknown as PodSignature;
    const answers = masks.of(signature, makePodInfo(makePod(podName)));
    const slots = Array.from({ length: slotCount }, (_, slot) => slot);
    const isAccepted = (slot: number): boolean | undefined =>
      answers?.masks.every(({ column, accepted: by }) => by.values[column.values[slot] ?? -1] === 1);
    return slots.filter((slot) => isAccepted(slot));
  };
  return { world, accepted };
}

test('filters are asked once for pods of one form, whatever the pods in between', () => {
  const plugin = zones();
  const { accepted } = worldWith(plugin);
  expect([accepted('p-a'), accepted('p-b')]).toEqual([[0, 2], [1]]);
  expect(plugin.asked.splice(0)).toEqual(['preFilter p-a', 'n0', 'n1', 'preFilter p-b', 'n0', 'n1']);
  expect([accepted('q-a'), accepted('q-b'), accepted('r-a')]).toEqual([[0, 2], [1], [0, 2]]);
  expect(plugin.asked).toEqual([]);
});

test('pods without a form are asked about each', () => {
  const plugin = zones();
  const { accepted } = worldWith(plugin);
  accepted('odd-a');
  plugin.asked.length = 0;
  expect(accepted('odd-a')).toEqual([0, 2]);
  expect(plugin.asked).toEqual(['preFilter odd-a', 'n0', 'n1']);
});

test('nodes with another look are asked about, and traces show each call', () => {
  const plugin = zones();
  const { world, accepted } = worldWith(plugin);
  accepted('p-c');
  world.add(makeNode('n3', { labels: { zone: 'c' } }));
  plugin.asked.length = 0;
  expect(accepted('q-c', 4)).toEqual([3]);
  expect(plugin.asked.splice(0)).toEqual(['preFilter q-c', 'n0', 'n1', 'n3']);
  expect(accepted('r-c', 4)).toEqual([3]);
  expect(plugin.asked).toEqual([]);
  const nothing = (): void => {};
  const calls = { phase: nothing, start: nothing, startPlugin: nothing, end: nothing, finish: nothing };
  world.framework.activeTrace.trace = { ...calls, atNode: () => null } as Trace;
  expect(accepted('s-c', 4)).toEqual([3]);
  expect(plugin.asked.splice(0)).toEqual(['preFilter s-c', 'n0', 'n1', 'n3']);
  world.framework.activeTrace.trace = { ...calls, atNode: () => null, showsCalls: false } as Trace;
  expect(accepted('t-c', 4)).toEqual([3]);
  expect(plugin.asked).toEqual([]);
});

test('answers of more forms than are kept are found anew', () => {
  const plugin = zones();
  const { accepted } = worldWith(plugin);
  for (let i = 0; i < 600; i++) accepted(`p-${String.fromCharCode(0x100 + i)}`);
  expect([accepted('p-a'), accepted('p-a')]).toEqual([
    [0, 2],
    [0, 2],
  ]);
});
