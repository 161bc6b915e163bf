import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import { PodInfo, podRequirements } from '../../../src/framework/pod-info.ts';
import { getOrMake } from '../../../src/lib/get-or-make.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const newCluster = (): ClusterState => new ClusterState(podRequirements);
const onNode = (name: string, nodeName: string) => makePod(name, { nodeName, requests: { cpu: 1 } });
const nodeOf = (cluster: ClusterState, name: string): NodeInfo => cluster.node(name) ?? expect.fail();
const podNames = (cluster: ClusterState, node: string) => cluster.node(node)?.pods.map((pod) => pod.name);

function assume(cluster: ClusterState, name: string, nodeName: string): void {
  const [pod, node] = [cluster.pods.toSchedule(makePod(name)), cluster.node(nodeName)];
  if (node === undefined) return;
  const started = cluster.pods.startAttempt(pod);
  if (started !== null) cluster.pods.assume(started, node);
}

describe('pods', () => {
  test('count on their node, wherever they come from', () => {
    const cluster = newCluster();
    cluster.addNode(makeNode('a'));
    cluster.pods.add(onNode('bound', 'a'));
    const node = cluster.node('a');
    if (node)
      cluster.pods.assume(cluster.pods.info(makePod('assumed', { requests: { cpu: 2 } })), nodeOf(cluster, 'a'));
    cluster.pods.add(makePod('pending', { requests: { cpu: 4 } }));
    expect(podNames(cluster, 'a')).toEqual(['bound', 'assumed']);
    expect(node?.requested.milliCPU).toBe(3000);
    expect(cluster.pods.get('default', 'assumed')?.nodeName).toBe('a');
    expect(cluster.pods.get('default', 'pending')?.nodeName).toBe('');
  });

  test('wait for a node that is not there, and for one that comes back', () => {
    const cluster = newCluster();
    cluster.pods.add(onNode('p1', 'a'));
    cluster.pods.add(onNode('p2', 'a'));
    cluster.pods.add(onNode('gone', 'a'));
    cluster.pods.remove('default', 'gone');
    cluster.addNode(makeNode('a'));
    expect(podNames(cluster, 'a')).toEqual(['p1', 'p2']);
    cluster.removeNode('a');
    cluster.pods.remove('default', 'p1');
    cluster.addNode(makeNode('a'));
    expect(podNames(cluster, 'a')).toEqual(['p2']);
    expect(cluster.node('a')?.requested.milliCPU).toBe(1000);
  });

  test('of those that wait, the last takes the place of one that goes, and a port that two held is free', () => {
    const cluster = newCluster();
    for (const name of ['p1', 'p2', 'p3']) {
      const pod = makePod(name, { nodeName: 'a', ports: [{ hostPort: name === 'p2' ? 81 : 80 }] });
      cluster.pods.add(pod);
    }
    cluster.pods.remove('default', 'p1');
    for (let times = 0; times < 2; times++) {
      cluster.addNode(makeNode('a'));
      expect(podNames(cluster, 'a')).toEqual(['p3', 'p2']);
      const conflicts = [80, 81].map((port) =>
        cluster.node('a')?.usedPorts.conflictsWith([{ ip: '0.0.0.0', protocol: 'TCP', port }]),
      );
      expect(conflicts).toEqual([false, true]);
      cluster.removeNode('a');
    }
    for (const name of ['p2', 'p3']) cluster.pods.remove('default', name);
    cluster.addNode(makeNode('a'));
    expect(podNames(cluster, 'a')).toEqual([]);
  });

  test('are found on their nodes, whichever slots these have got meanwhile', () => {
    const step = fc.record({
      verb: fc.constantFrom('addNode', 'removeNode', 'assume', 'update', 'update', 'update', 'remove'),
      node: fc.constantFrom('a', 'b'),
      pod: fc.constantFrom('p1', 'p2', 'p3'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const [probing, asking] = [newCluster(), newCluster()];
        // As from the API, the versions of a pod share what has not changed.
        const known = new Map<string, Pod>();
        for (const { verb, node, pod } of steps) {
          const made = getOrMake(known, `${pod} ${node}`, () => onNode(pod, node));
          const version = { ...made, status: {} };
          for (const cluster of [probing, asking]) {
            if (verb === 'addNode' && cluster.node(node) === undefined) cluster.addNode(makeNode(node));
            if (verb === 'removeNode' && cluster.node(node) !== undefined) cluster.removeNode(node);
            if (verb === 'assume') assume(cluster, pod, node);
            if (verb === 'update') cluster.pods.update(version);
            if (verb === 'remove' && cluster.pods.get('default', pod)) cluster.pods.remove('default', pod);
          }
          for (const info of asking.pods.all()) info.nodeSlot = -1;
          for (const name of ['a', 'b']) {
            expect(podNames(probing, name)).toEqual(podNames(asking, name));
            expect(probing.node(name)?.requested.milliCPU).toBe(asking.node(name)?.requested.milliCPU);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('an assumed pod stays where it is until a bound one says otherwise', () => {
    const cluster = newCluster();
    for (const name of ['a', 'b']) cluster.addNode(makeNode(name));
    const a = cluster.node('a');
    if (a) cluster.pods.assume(cluster.pods.info(makePod('p')), nodeOf(cluster, 'a'));
    cluster.pods.update(makePod('p', { requests: { cpu: 3 } }));
    expect(podNames(cluster, 'a')).toEqual(['p']);
    expect(a?.requested.milliCPU).toBe(3000);
    cluster.pods.update(onNode('p', 'b'));
    expect([podNames(cluster, 'a'), podNames(cluster, 'b')]).toEqual([[], ['p']]);
    expect(a?.requested.milliCPU).toBe(0);
  });

  test.each(['Succeeded', 'Failed'])('in phase %s are invisible', (phase) => {
    const cluster = newCluster();
    cluster.addNode(makeNode('a'));
    cluster.pods.add({ ...onNode('over', 'a'), status: { phase } });
    expect(podNames(cluster, 'a')).toEqual([]);
    cluster.pods.add(onNode('ending', 'a'));
    cluster.pods.update({ ...onNode('ending', 'a'), status: { phase } });
    expect(cluster.pods.get('default', 'ending')).toBeUndefined();
    expect(cluster.node('a')?.requested.milliCPU).toBe(0);
  });

  test('are known by namespace and name', () => {
    const cluster = newCluster();
    cluster.pods.add(makePod('p'));
    cluster.pods.add(makePod('p', { namespace: 'other' }));
    expect(() => cluster.pods.add(makePod('p'))).toThrow('pod default/p exists already');
    cluster.pods.remove('other', 'p');
    expect(() => cluster.pods.remove('other', 'p')).toThrow('pod other/p is not known');
    expect(cluster.pods.get('default', 'p')).toBeDefined();
  });
});

describe('an attempt', () => {
  const withNode = (): { readonly cluster: ClusterState; readonly node: NodeInfo } => {
    const cluster = newCluster();
    cluster.addNode(makeNode('a'));
    return { cluster, node: cluster.node('a') ?? expect.fail() };
  };

  test('ends with the pod on a node', () => {
    const { cluster, node } = withNode();
    const pod = cluster.pods.toSchedule(makePod('p', { requests: { cpu: 2 } }));
    expect(cluster.pods.startAttempt(pod)).toBe(pod);
    cluster.pods.assume(pod, nodeOf(cluster, 'a'));
    expect(podNames(cluster, 'a')).toEqual(['p']);
    expect(cluster.pods.get('default', 'p')).toBe(pod);
    expect(node.requested.milliCPU).toBe(2000);
  });

  test('may be assumed in two halves: first the pod knows its node, then the node its pods', () => {
    const { cluster, node } = withNode();
    const pods = ['p', 'q'].map((name) => cluster.pods.toSchedule(makePod(name)));
    for (const pod of pods) {
      cluster.pods.startAttempt(pod);
      cluster.pods.assignNode(pod, 'a');
    }
    expect(pods.map(({ nodeName }) => nodeName)).toEqual(['a', 'a']);
    expect(podNames(cluster, 'a')).toEqual([]);
    cluster.pods.chargeNode(node, pods);
    expect(podNames(cluster, 'a')).toEqual(['p', 'q']);
  });

  test('is the only one for the pod, and there is none for a pod on a node', () => {
    const { cluster } = withNode();
    const pod = cluster.pods.toSchedule(makePod('p'));
    const again = cluster.pods.toSchedule(makePod('p'));
    cluster.pods.startAttempt(pod);
    expect(cluster.pods.startAttempt(again)).toBeNull();
    cluster.pods.assume(pod, nodeOf(cluster, 'a'));
    expect(cluster.pods.startAttempt(again)).toBeNull();
  });

  test('that is forgotten leaves nothing of a pod that was not known, whether it was assumed or not', () => {
    const { cluster, node } = withNode();
    for (const isAssumed of [false, true]) {
      const pod = cluster.pods.toSchedule(makePod('p', { requests: { cpu: 2 } }));
      expect(cluster.pods.startAttempt(pod)).toBe(pod);
      if (isAssumed) cluster.pods.assume(pod, nodeOf(cluster, 'a'));
      cluster.pods.forget(pod);
      expect(cluster.pods.get('default', 'p')).toBeUndefined();
      expect([pod.nodeName, podNames(cluster, 'a'), node.requested.milliCPU]).toEqual(['', [], 0]);
    }
  });

  test('for a pending pod knows its nomination, which stays when the attempt is forgotten, and ends on a node', () => {
    const { cluster } = withNode();
    cluster.pods.add(makePod('p'));
    cluster.pods.nominate(cluster.pods.toSchedule(makePod('p')), 'a');
    const attempt = () => cluster.pods.startAttempt(new PodInfo(makePod('p'), podRequirements(makePod('p')), ''));
    const first = attempt();
    expect(first?.nominatedNodeName).toBe('a');
    cluster.pods.forget(first ?? expect.fail());
    expect(cluster.nominatedPodsForNode('a').map(({ name }) => name)).toEqual(['p']);
    cluster.pods.assume(attempt() ?? expect.fail(), nodeOf(cluster, 'a'));
    expect(cluster.hasNominations).toBe(false);
    expect(podNames(cluster, 'a')).toEqual(['p']);
  });

  test('may end on a copy of a node, which stands for the node', () => {
    const { cluster, node } = withNode();
    const pod = cluster.pods.toSchedule(makePod('p'));
    cluster.pods.startAttempt(pod);
    cluster.pods.assume(pod, node.clone());
    expect(podNames(cluster, 'a')).toEqual(['p']);
  });

  test('sees the nomination that there is by now', () => {
    const { cluster } = withNode();
    const pod = cluster.pods.toSchedule(makePod('p'));
    cluster.pods.add(makePod('p'));
    expect(cluster.pods.withNomination(pod)).toBe(pod);
    cluster.pods.nominate(pod, 'a');
    expect(cluster.pods.withNomination(pod).nominatedNodeName).toBe('a');
  });
});

test('a newer object that means the same takes the place of the old one, behind the other pods of the node', () => {
  const cluster = newCluster();
  cluster.addNode(makeNode('a'));
  for (const name of ['p', 'q']) cluster.pods.add(onNode(name, 'a'));
  const before = cluster.pods.get('default', 'p');
  const newer = { ...before?.pod, status: { phase: 'Running' } };
  cluster.pods.update(newer);
  expect(cluster.pods.get('default', 'p')).toBe(before);
  expect(before?.pod).toBe(newer);
  expect(podNames(cluster, 'a')).toEqual(['q', 'p']);
});
