import { describe, expect, test } from 'vitest';
import type { ClusterObserver } from '../../../src/framework/cluster/cluster-observer.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const newCluster = (): ClusterState => new ClusterState(podRequirements);
const onNode = (name: string, nodeName: string) => makePod(name, { nodeName, requests: { cpu: 1 } });

/** Writes down what it is called with. */
class Diary implements ClusterObserver {
  readonly entries: string[] = [];
  reserve = (slots: number) => this.entries.push(`reserve ${slots}`);
  nodeChanged = (node: { name: string }) => this.entries.push(`changed ${node.name}`);
  nodeRemoved = (node: { name: string }) => this.entries.push(`removed ${node.name}`);
  podsAdded = (node: { name: string }, pods: readonly { name: string }[]) =>
    this.entries.push(...pods.map((pod) => `${node.name} + ${pod.name}`));
  podRemoved = (node: { name: string }, pod: { name: string }) => this.entries.push(`${node.name} - ${pod.name}`);
  clusterCopied = () => this.entries.push('copied');
}

describe('nodes', () => {
  test('slots are reused, the order in which nodes were learned of goes on', () => {
    const cluster = newCluster();
    for (const name of ['a', 'b', 'c']) cluster.addNode(makeNode(name));
    cluster.removeNode('b');
    cluster.addNode(makeNode('d'));
    expect(cluster.node('d')).toMatchObject({ slot: 1, order: 3 });
    expect(cluster).toMatchObject({ slotCount: 3, nodeCount: 3 });
    expect(cluster.nodeAt(1)).toBe(cluster.node('d'));
    expect(cluster.node('b')).toBeUndefined();
  });

  test('names that are held stay, whoever takes the slots', () => {
    const cluster = newCluster();
    for (const name of ['a', 'b']) cluster.addNode(makeNode(name));
    const held = cluster.holdNodeNames();
    cluster.addNode(makeNode('c'));
    for (const [gone, next] of [
      ['b', 'd'],
      ['d', 'e'],
    ] as const) {
      cluster.removeNode(gone);
      cluster.addNode(makeNode(next));
      expect(cluster.nodeNameAt(1)).toBe(next);
      expect(held.slice(0, 2)).toEqual(['a', 'b']);
    }
    expect(cluster.holdNodeNames()).toEqual(['a', 'e', 'c']);
    cluster.removeNode('a');
    cluster.addNode(makeNode('f'));
    expect(cluster.holdNodeNames()).toEqual(['f', 'e', 'c']);
  });

  test('an update keeps the slot', () => {
    const cluster = newCluster();
    cluster.addNode(makeNode('a'));
    cluster.updateNode(makeNode('a', { cpu: 9 }));
    expect(cluster.node('a')).toMatchObject({ slot: 0, order: 0, allocatable: { milliCPU: 9000 } });
  });

  test('names must be new to add, and known to update or remove', () => {
    const cluster = newCluster();
    cluster.addNode(makeNode('a'));
    expect(() => cluster.addNode(makeNode('a'))).toThrow('node a exists already');
    expect(() => cluster.updateNode(makeNode('b'))).toThrow('node b is not known');
    expect(() => cluster.removeNode('b')).toThrow('node b is not known');
    expect(cluster.nodeCount).toBe(1);
  });
});

describe('a copy', () => {
  test('has the nodes in the same slots, also where slots are free', () => {
    const [cluster, copy] = [newCluster(), newCluster()];
    const diary = new Diary();
    cluster.observe(new Diary());
    copy.observe(diary);
    for (const name of ['a', 'b', 'c']) cluster.addNode(makeNode(name));
    cluster.pods.add(onNode('p', 'c'));
    cluster.removeNode('b');
    copy.copyFrom(cluster);
    expect(diary.entries).toEqual(['reserve 3', 'copied']);
    for (const each of [copy, cluster]) {
      each.addNode(makeNode('d'));
      expect(Array.from([0, 1, 2], (slot) => each.nodeNameAt(slot))).toEqual(['a', 'd', 'c']);
      expect(each.node('d')).toMatchObject({ slot: 1, order: 3 });
    }
  });

  test('shares no pod that either of the two changes', () => {
    const [cluster, copy] = [newCluster(), newCluster()];
    cluster.addNode(makeNode('a'));
    for (const name of ['p', 'q']) cluster.pods.add(onNode(name, 'a'));
    cluster.pods.add(makePod('pending'));
    cluster.pods.add(onNode('lost', 'unknown'));
    copy.copyFrom(cluster);
    const annotated = (pod: ReturnType<typeof onNode>, value: string) => ({
      ...pod,
      metadata: { ...pod.metadata, annotations: { a: value } },
    });
    const objects = (each: ClusterState, name: string) => each.pods.get('default', name)?.pod.metadata?.annotations;
    for (const [name, nodeName] of [
      ['p', 'a'],
      ['lost', 'unknown'],
    ] as const) {
      copy.pods.update(annotated(onNode(name, nodeName), 'copy'));
      cluster.pods.update(annotated(onNode(name, nodeName), 'original'));
      expect([objects(cluster, name), objects(copy, name)]).toEqual([{ a: 'original' }, { a: 'copy' }]);
    }
    expect(copy.node('a')?.pods.map(({ name }) => name)).toEqual(['q', 'p']);
    copy.pods.remove('default', 'q');
    expect(cluster.node('a')?.requested.milliCPU).toBe(2000);
    expect(copy.node('a')?.requested.milliCPU).toBe(1000);
    const pending = copy.pods.get('default', 'pending');
    if (pending !== undefined) copy.pods.startAttempt(pending);
    expect(cluster.pods.get('default', 'pending')?.hasAttempt).toBe(false);
  });
});

describe('the observer', () => {
  test('is called with every change, after it was made, a node before the pods that waited for it', () => {
    const cluster = newCluster();
    const diary = new Diary();
    cluster.observe(diary);
    cluster.pods.add(onNode('p', 'a'));
    cluster.addNode(makeNode('a'));
    cluster.updateNode(makeNode('a'));
    cluster.pods.update(onNode('p', 'a'));
    cluster.removeNode('a');
    expect(diary.entries).toEqual([
      'reserve 1',
      'changed a',
      'a + p',
      'changed a',
      'a - p',
      'a + p',
      'a - p',
      'removed a',
    ]);
  });

  test('that has no room refuses a node before anything is changed', () => {
    const cluster = newCluster();
    const full = new Diary();
    full.reserve = () => {
      throw new Error('full');
    };
    cluster.observe(full);
    expect(() => cluster.addNode(makeNode('a', { images: { app: 1 } }))).toThrow('full');
    expect(cluster).toMatchObject({ nodeCount: 0, slotCount: 0 });
    expect(cluster.hasNoImages).toBe(true);
  });
});
