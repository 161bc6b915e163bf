import { expect, test } from 'vitest';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { recordsOfParts } from '../../../src/framework/cluster/restricted-record.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

test('a part of a cluster keeps the order of its nodes, and their pods', () => {
  const cluster = new ClusterState(podRequirements);
  const zones: readonly (readonly [string, string])[] = [
    ...([
      ['a1', 'a'],
      ['a2', 'a'],
      ['a3', 'a'],
      ['b1', 'b'],
    ] as const),
  ];
  for (const [name, zone] of zones) {
    cluster.addNode(makeNode(name, { labels: { 'topology.kubernetes.io/zone': zone } }));
    const pod = makePod(`p-${name}`);
    cluster.pods.add({ ...pod, spec: { ...pod.spec, nodeName: name } });
  }
  cluster.updateSnapshot();
  expect(cluster.nodeInfos().map(({ name }) => name)).toEqual(['a1', 'b1', 'a2', 'a3']);
  const parts = recordsOfParts(
    cluster.record(),
    new Map([
      ['most', new Set(['b1', 'a2', 'a3'])],
      ['one', new Set(['a1'])],
      ['none', new Set<string>()],
    ]),
  );
  const part = new ClusterState(podRequirements);
  part.load(parts.get('most')!);
  part.updateSnapshot();
  // Listed anew, the zones would take turns: a2, b1, a3.
  expect(part.nodeInfos().map(({ name }) => name)).toEqual(['b1', 'a2', 'a3']);
  expect([...part.pods.all()].map(({ name }) => name).sort()).toEqual(['p-a2', 'p-a3', 'p-b1']);
  const zonesOf = (name: string) => parts.get(name)?.snapshot.zones.map(([, names]) => names);
  expect([zonesOf('most'), zonesOf('one'), zonesOf('none')]).toEqual([
    [['a2', 'a3'], ['b1']],
    [['a1'], []],
    [[], []],
  ]);
  expect(parts.get('one')?.nodes.map(({ node }) => node.metadata?.name)).toEqual(['a1']);
});
