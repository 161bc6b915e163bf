import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

function clusterOf(...zones: string[]): ClusterState {
  const cluster = new ClusterState(podRequirements);
  for (const [i, zone] of zones.entries()) cluster.addNode(makeNode(`n${i}`, { zone }));
  cluster.updateSnapshot();
  return cluster;
}

const orderOf = (cluster: ClusterState): string[] => cluster.nodeInfos().map(({ name }) => name);

/** The image states of the snapshot, node by node. */
function holdersOf(cluster: ClusterState, image: string): Record<string, number> {
  return Object.fromEntries(
    cluster.nodeInfos().flatMap(({ name, images }) => {
      const state = images.get(image);
      return state === undefined ? [] : [[name, state.nodeCount]];
    }),
  );
}

describe('the order of nodes', () => {
  test('is one array until an attempt begins after it has changed', () => {
    const cluster = clusterOf('z', 'z');
    const [nodes, order] = [cluster.nodeInfos(), cluster.snapshotOrder()];
    cluster.pods.add(makePod('p', { nodeName: 'n0' }));
    cluster.updateNode(makeNode('n0', { zone: 'z', cpu: 9 }));
    cluster.updateSnapshot();
    expect([cluster.nodeInfos(), cluster.snapshotOrder()]).toEqual([nodes, order]);
    expect(cluster.nodeInfos()).toBe(nodes);
    cluster.addNode(makeNode('n2', { zone: 'z' }));
    expect(cluster.nodeInfos()).toBe(nodes);
    cluster.updateSnapshot();
    expect(orderOf(cluster)).toEqual(['n0', 'n1', 'n2']);
  });

  test('another zone is another place only once a node comes or goes', () => {
    const cluster = clusterOf('a', 'b', 'b');
    cluster.updateNode(makeNode('n0', { zone: 'b' }));
    cluster.updateSnapshot();
    expect(orderOf(cluster)).toEqual(['n0', 'n1', 'n2']);
    cluster.addNode(makeNode('n3', { zone: 'c' }));
    cluster.updateSnapshot();
    expect(orderOf(cluster)).toEqual(['n1', 'n3', 'n2', 'n0']);
  });

  test('nodes that go and come between two attempts keep their places, in whatever slots they are', () => {
    const cluster = clusterOf('z', 'z', 'z');
    for (const name of ['n0', 'n2']) cluster.removeNode(name);
    for (const name of ['n0', 'n2']) cluster.addNode(makeNode(name, { zone: 'z' }));
    expect(cluster.node('n0')?.slot).toBe(2);
    cluster.updateSnapshot();
    expect(orderOf(cluster)).toEqual(['n0', 'n1', 'n2']);
    expect(cluster.nodeInfos().map(({ slot }) => slot)).toEqual([...cluster.snapshotOrder()]);
    for (const node of cluster.nodeInfos()) expect(cluster.node(node.name)).toBe(node);
  });

  test('a node that goes, and only comes back after an attempt, is the last', () => {
    const cluster = clusterOf('z', 'z');
    cluster.removeNode('n0');
    expect(orderOf(cluster)).toEqual(['n0', 'n1']);
    cluster.updateSnapshot();
    cluster.addNode(makeNode('n0', { zone: 'z' }));
    cluster.updateSnapshot();
    expect(orderOf(cluster)).toEqual(['n1', 'n0']);
  });
});

describe('images', () => {
  const holder = (name: string) => makeNode(name, { images: { app: 10 } });
  function holders(...names: string[]): ClusterState {
    const cluster = new ClusterState(podRequirements);
    for (const name of names) cluster.addNode(holder(name));
    cluster.updateSnapshot();
    return cluster;
  }

  test('are counted for a node when an attempt begins after the node, or a pod on it, has changed', () => {
    const cluster = holders('a', 'b', 'c');
    expect(holdersOf(cluster, 'app')).toEqual({ a: 3, b: 3, c: 3 });
    cluster.addNode(holder('d'));
    cluster.updateSnapshot();
    expect(holdersOf(cluster, 'app')).toEqual({ a: 3, b: 3, c: 3, d: 4 });
    cluster.pods.add(makePod('p', { nodeName: 'a' }));
    cluster.updateNode(holder('b'));
    expect(holdersOf(cluster, 'app')).toEqual({ a: 3, b: 3, c: 3, d: 4 });
    cluster.updateSnapshot();
    expect(holdersOf(cluster, 'app')).toEqual({ a: 4, b: 4, c: 3, d: 4 });
    cluster.addNode(holder('e'));
    cluster.pods.remove('default', 'p');
    cluster.updateSnapshot();
    expect(holdersOf(cluster, 'app')).toEqual({ a: 5, b: 4, c: 3, d: 4, e: 5 });
  });

  test('a change before an attempt and one of the counts after it have nothing to do with each other', () => {
    const cluster = holders('a', 'b');
    cluster.pods.add(makePod('p', { nodeName: 'a' }));
    cluster.updateSnapshot();
    cluster.addNode(holder('c'));
    cluster.updateSnapshot();
    expect(holdersOf(cluster, 'app')).toEqual({ a: 2, b: 2, c: 3 });
  });

  test('are unsettled while a pod that comes may change what is known of them', () => {
    const cluster = holders('a', 'b');
    cluster.addNode(makeNode('bare'));
    cluster.updateSnapshot();
    expect(cluster.hasStaleImages).toBe(false);
    cluster.addNode(makeNode('d', { images: { app: 10, db: 10 } }));
    cluster.updateSnapshot();
    expect(cluster.hasStaleImages).toBe(true);
    expect([['app'], ['other']].map((names) => cluster.areImagesUpToDate(names))).toEqual([false, true]);
    for (const name of ['a', 'b']) cluster.updateNode(holder(name));
    cluster.updateSnapshot();
    expect(cluster.hasStaleImages).toBe(false);
  });
});

test('what attempts see is the same whether or not somebody looks in between', () => {
  const names = ['n0', 'n1', 'n2', 'n3', 'n4'];
  const step = fc.record({
    do: fc.constantFrom('add', 'add', 'update', 'remove', 'addPod', 'removePod', 'attempt'),
    name: fc.constantFrom(...names),
    zone: fc.constantFrom('a', 'b'),
    images: fc.constantFrom({}, { app: 1 }, { app: 1, db: 2 }),
    looks: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const [watched, left] = [new ClusterState(podRequirements), new ClusterState(podRequirements)];
      for (const { do: what, name, zone, images, looks } of steps) {
        for (const cluster of [watched, left]) {
          const isThere = cluster.node(name) !== undefined;
          const pod = cluster.pods.get('default', name);
          if (what === 'add' && !isThere) cluster.addNode(makeNode(name, { zone, images }));
          else if (what === 'update' && isThere) cluster.updateNode(makeNode(name, { zone, images }));
          else if (what === 'remove' && isThere) cluster.removeNode(name);
          else if (what === 'addPod' && pod === undefined) cluster.pods.add(makePod(name, { nodeName: name }));
          else if (what === 'removePod' && pod !== undefined) cluster.pods.remove('default', name);
          else if (what === 'attempt') cluster.updateSnapshot();
        }
        if (looks) {
          watched.lendSnapshot();
          for (const node of watched.nodeInfos()) expect(watched.node(node.name)).toBe(node);
        }
        if (what !== 'attempt') continue;
        const seen = (cluster: ClusterState) => [orderOf(cluster), holdersOf(cluster, 'app'), holdersOf(cluster, 'db')];
        expect(seen(watched)).toEqual(seen(left));
        expect(orderOf(left).toSorted()).toEqual([...left.knownNodes()].map(({ name: known }) => known).toSorted());
        for (const node of left.nodeInfos()) expect(left.node(node.name)).toBe(node);
      }
    }),
  );
});
