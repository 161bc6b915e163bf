import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NodeInfo } from '../../src/framework/node-info.ts';
import { PodInfo, podRequirements } from '../../src/framework/pod-info.ts';
import type { Pod } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

const infoOf = (pod: Pod): PodInfo => new PodInfo(pod, podRequirements(pod), 'n');
const newNode = (): NodeInfo =>
  new NodeInfo(0, 0, makeNode('n', { cpu: '1500m', memory: '1Gi', allocatable: { 'example.com/gpu': 2 } }));

describe('NodeInfo', () => {
  test('reads what the node offers', () => {
    const node = newNode();
    expect(node.allocatable).toEqual({
      milliCPU: 1500,
      memoryBytes: 2 ** 30,
      ephemeralStorageBytes: 0,
      scalar: new Map([['example.com/gpu', 2]]),
    });
    expect(node.allowedPodCount).toBe(110);
    node.setNode({ metadata: { name: 'n' } });
    expect(node).toMatchObject({ allowedPodCount: 0, allocatable: { milliCPU: 0 } });
  });

  test('sums what its pods take, with defaults for those that ask for nothing', () => {
    const node = newNode();
    node.addPod(infoOf(makePod('p1', { requests: { cpu: '250m', 'example.com/gpu': 1 } })));
    node.addPod(infoOf(makePod('p2')));
    expect(node.requested).toMatchObject({ milliCPU: 250, memoryBytes: 0, scalar: new Map([['example.com/gpu', 1]]) });
    expect(node.nonZeroRequested).toEqual({ milliCPU: 350, memoryBytes: 400 * 2 ** 20 });
  });

  test('sums stay exact beyond 2^53 and come back to 0', () => {
    const node = newNode();
    const pods = ['9007199254740993', '9007199254740993', '1'].map((memory, i) =>
      infoOf(makePod(`p${i}`, { requests: { memory } })),
    );
    for (const pod of pods) node.addPod(pod);
    expect(node.requested.memoryBytes).toBe(18014398509481987n);
    for (const pod of pods) node.removePod(pod);
    expect(node.requested.memoryBytes).toBe(0);
    expect(node.nonZeroRequested).toEqual({ milliCPU: 0, memoryBytes: 0 });
  });

  test('the last pod takes the place of the removed one', () => {
    const node = newNode();
    const pods = ['a', 'b', 'c', 'd'].map((name) => infoOf(makePod(name)));
    for (const pod of pods) node.addPod(pod);
    const [, second, , last] = pods as [PodInfo, PodInfo, PodInfo, PodInfo];
    node.removePod(second);
    expect(node.pods.map((pod) => pod.name)).toEqual(['a', 'd', 'c']);
    node.removePod(last);
    expect(node.pods.map((pod) => pod.name)).toEqual(['a', 'c']);
    expect(() => node.removePod(last)).toThrow('pod default/d is not on node n');
  });

  test('the order of pods on a node and on its copy is that of plain lists, whichever of them moved a pod last', () => {
    const step = fc.record({
      op: fc.constantFrom('add', 'addTwo', 'remove', 'moveToEnd', 'copy'),
      pod: fc.nat(),
      copy: fc.nat(1),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
        const first = newNode();
        const nodes = [first, first.clone()];
        const lists: PodInfo[][] = [[], []];
        for (const [i, { op, pod, copy }] of steps.entries()) {
          const [node, list] = [nodes[copy] as NodeInfo, lists[copy] as PodInfo[]];
          const added = [infoOf(makePod(`p${i}`)), infoOf(makePod(`q${i}`))].slice(0, op === 'addTwo' ? 2 : 1);
          const chosen = list[pod % list.length];
          if (op === 'copy') {
            nodes[1 - copy] = node.clone();
            lists[1 - copy] = [...list];
          } else if (op === 'add' || op === 'addTwo') {
            node.addPods(added);
            list.push(...added);
          } else if (chosen !== undefined) {
            const last = list.pop() as PodInfo;
            if (last !== chosen) list[list.indexOf(chosen)] = last;
            if (op === 'remove') node.removePod(chosen);
            else node.moveToEnd(chosen);
            if (op === 'moveToEnd') list.push(chosen);
          }
          expect(nodes.map(({ pods }) => pods)).toEqual(lists);
        }
      }),
    );
  });

  test('a port that two pods hold is free when one goes, until the other comes anew', () => {
    const node = newNode();
    const [first, second] = ['a', 'b'].map((name) => infoOf(makePod(name, { ports: [{ hostPort: 80 }] })));
    if (first === undefined || second === undefined) throw new Error('no pods');
    const ports = second.requirements.hostPorts;
    node.addPod(first);
    node.addPod(second);
    expect(node.clone().usedPorts.conflictsWith(ports)).toBe(true);
    node.removePod(first);
    expect([node, node.clone()].map((each) => each.usedPorts.conflictsWith(ports))).toEqual([false, false]);
    node.moveToEnd(second);
    expect(node.usedPorts.conflictsWith(ports)).toBe(true);
  });

  test('a copy has sums of its own', () => {
    const node = newNode();
    const pod = infoOf(makePod('p', { requests: { cpu: '250m', 'example.com/gpu': 1 } }));
    node.addPod(pod);
    expect(node.requested.milliCPU).toBe(250);
    const copy = node.clone();
    copy.removePod(pod);
    expect(copy.requested).toMatchObject({ milliCPU: 0, scalar: new Map([['example.com/gpu', 0]]) });
    expect(node.requested).toMatchObject({ milliCPU: 250, scalar: new Map([['example.com/gpu', 1]]) });
    expect([node.nonZeroRequested.milliCPU, copy.nonZeroRequested.milliCPU]).toEqual([250, 0]);
  });
});
