import { describe, expect, test } from 'vitest';
import type { ClusterObserver } from '../../../src/framework/cluster/cluster-observer.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const newCluster = (): ClusterState => new ClusterState(podRequirements);
const onNode = (name: string, nodeName: string) => makePod(name, { nodeName, requests: { cpu: 1 } });
const podNames = (cluster: ClusterState, node: string) => cluster.node(node)?.pods.map((pod) => pod.name);

/** Writes down what it is told. */
class Diary implements ClusterObserver {
  readonly entries: string[] = [];
  reserve = (slots: number) => this.entries.push(`reserve ${slots}`);
  nodeChanged = (node: { name: string }) => this.entries.push(`changed ${node.name}`);
  nodeRemoved = (node: { name: string }) => this.entries.push(`removed ${node.name}`);
  podAdded = (node: { name: string }, pod: { name: string }) => this.entries.push(`${node.name} + ${pod.name}`);
  podRemoved = (node: { name: string }, pod: { name: string }) => this.entries.push(`${node.name} - ${pod.name}`);
  imagesChanged = (node: { name: string }) => this.entries.push(`images of ${node.name}`);
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

describe('pods', () => {
  test('count on their node, wherever they come from', () => {
    const cluster = newCluster();
    cluster.addNode(makeNode('a'));
    cluster.addPod(onNode('bound', 'a'));
    const node = cluster.node('a');
    if (node) cluster.assume(cluster.podInfo(makePod('assumed', { requests: { cpu: 2 } })), node);
    cluster.addPod(makePod('pending', { requests: { cpu: 4 } }));
    expect(podNames(cluster, 'a')).toEqual(['bound', 'assumed']);
    expect(node?.requested.milliCPU).toBe(3000);
    expect(cluster.pod('default', 'assumed')?.nodeName).toBe('a');
    expect(cluster.pod('default', 'pending')?.nodeName).toBe('');
  });

  test('wait for a node that is not there, and for one that comes back', () => {
    const cluster = newCluster();
    cluster.addPod(onNode('p1', 'a'));
    cluster.addPod(onNode('p2', 'a'));
    cluster.addPod(onNode('gone', 'a'));
    cluster.removePod('default', 'gone');
    cluster.addNode(makeNode('a'));
    expect(podNames(cluster, 'a')).toEqual(['p1', 'p2']);
    cluster.removeNode('a');
    cluster.removePod('default', 'p1');
    cluster.addNode(makeNode('a'));
    expect(podNames(cluster, 'a')).toEqual(['p2']);
    expect(cluster.node('a')?.requested.milliCPU).toBe(1000);
  });

  test('of those that wait, the last takes the place of one that goes, and a port that two held is free', () => {
    const cluster = newCluster();
    for (const name of ['p1', 'p2', 'p3']) {
      const pod = makePod(name, { nodeName: 'a', ports: [{ hostPort: name === 'p2' ? 81 : 80 }] });
      cluster.addPod(pod);
    }
    cluster.removePod('default', 'p1');
    for (let times = 0; times < 2; times++) {
      cluster.addNode(makeNode('a'));
      expect(podNames(cluster, 'a')).toEqual(['p3', 'p2']);
      const conflicts = [80, 81].map((port) =>
        cluster.node('a')?.usedPorts.conflictsWith([{ ip: '0.0.0.0', protocol: 'TCP', port }]),
      );
      expect(conflicts).toEqual([false, true]);
      cluster.removeNode('a');
    }
    for (const name of ['p2', 'p3']) cluster.removePod('default', name);
    cluster.addNode(makeNode('a'));
    expect(podNames(cluster, 'a')).toEqual([]);
  });

  test('an assumed pod stays where it is until a bound one says otherwise', () => {
    const cluster = newCluster();
    for (const name of ['a', 'b']) cluster.addNode(makeNode(name));
    const a = cluster.node('a');
    if (a) cluster.assume(cluster.podInfo(makePod('p')), a);
    cluster.updatePod(makePod('p', { requests: { cpu: 3 } }));
    expect(podNames(cluster, 'a')).toEqual(['p']);
    expect(a?.requested.milliCPU).toBe(3000);
    cluster.updatePod(onNode('p', 'b'));
    expect([podNames(cluster, 'a'), podNames(cluster, 'b')]).toEqual([[], ['p']]);
    expect(a?.requested.milliCPU).toBe(0);
  });

  test.each(['Succeeded', 'Failed'])('in phase %s are invisible', (phase) => {
    const cluster = newCluster();
    cluster.addNode(makeNode('a'));
    cluster.addPod({ ...onNode('over', 'a'), status: { phase } });
    expect(podNames(cluster, 'a')).toEqual([]);
    cluster.addPod(onNode('ending', 'a'));
    cluster.updatePod({ ...onNode('ending', 'a'), status: { phase } });
    expect(cluster.pod('default', 'ending')).toBeUndefined();
    expect(cluster.node('a')?.requested.milliCPU).toBe(0);
  });

  test('are known by namespace and name', () => {
    const cluster = newCluster();
    cluster.addPod(makePod('p'));
    cluster.addPod(makePod('p', { namespace: 'other' }));
    expect(() => cluster.addPod(makePod('p'))).toThrow('pod default/p exists already');
    cluster.removePod('other', 'p');
    expect(() => cluster.removePod('other', 'p')).toThrow('pod other/p is not known');
    expect(cluster.pod('default', 'p')).toBeDefined();
  });
});

describe('the observer', () => {
  test('hears of everything, after it has happened, a node before the pods that waited for it', () => {
    const cluster = newCluster();
    const diary = new Diary();
    cluster.observe(diary);
    cluster.addPod(onNode('p', 'a'));
    cluster.addNode(makeNode('a'));
    cluster.updateNode(makeNode('a'));
    cluster.updatePod(onNode('p', 'a'));
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
