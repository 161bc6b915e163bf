import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import { PodInfo, podRequirements } from '../../../src/framework/pod-info.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { SchedulerCache } from '../../../src/scheduler/cache/scheduler-cache.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

let loop: VirtualEventLoop;
let cache: SchedulerCache;

beforeEach(() => {
  loop = new VirtualEventLoop(0);
  cache = new SchedulerCache({ cluster: new ClusterState(podRequirements), loop, assumedPodTtlMillis: 10_000 });
  for (const name of ['a', 'b']) cache.addNode(makeNode(name));
});

function podOf(name: string, uid = name, nodeName?: string): Pod {
  const pod = makePod(name, { requests: { cpu: 1 }, ...(nodeName !== undefined && { nodeName }) });
  return { ...pod, metadata: { ...pod.metadata, uid } };
}

function infoOf(pod: Pod): PodInfo {
  return new PodInfo(pod, podRequirements(pod), '');
}

const node = (name: string): NodeInfo => cache.cluster.node(name) as NodeInfo;
const used = (name: string): number => Number(node(name).requested.milliCPU);

describe('an assumed pod', () => {
  it('is charged to its node until it is forgotten', () => {
    const info = infoOf(podOf('p'));
    expect(cache.assumePod(info, node('a'))).toBe(true);
    expect([used('a'), cache.assumedCount, cache.podCount]).toEqual([1000, 1, 1]);
    expect(cache.isAssumedPod(podOf('p'))).toBe(true);
    expect(cache.forgetPod(info)).toBe(true);
    expect([used('a'), cache.assumedCount, cache.podCount, info.nodeName]).toEqual([0, 0, 0, '']);
    expect(cache.forgetPod(info)).toBe(false);
  });

  it('is assumed once', () => {
    cache.assumePod(infoOf(podOf('p')), node('a'));
    expect(cache.assumePod(infoOf(podOf('p')), node('b'))).toBe(false);
    expect([used('a'), used('b')]).toEqual([1000, 0]);
  });

  it('is bound when the API shows it, wherever that is', () => {
    const info = infoOf(podOf('p'));
    cache.assumePod(info, node('a'));
    cache.addPod(podOf('p', 'p', 'b'));
    expect([used('a'), used('b'), cache.assumedCount, cache.podCount]).toEqual([0, 1000, 0, 1]);
    expect(cache.forgetPod(info)).toBe(false);
  });

  it('is known by its uid', () => {
    cache.assumePod(infoOf(podOf('p', 'first')), node('a'));
    expect(cache.isAssumedPod(podOf('p', 'second'))).toBe(false);
    expect(cache.podOf(podOf('p', 'second'))).toBeUndefined();
    cache.removePod(podOf('p', 'second'));
    expect(cache.podCount).toBe(1);
  });

  it('expires when no event confirms it after it was bound', () => {
    const [confirmed, lost, unbound] = ['confirmed', 'lost', 'unbound'].map((name) => infoOf(podOf(name))) as [
      PodInfo,
      PodInfo,
      PodInfo,
    ];
    for (const info of [confirmed, lost, unbound]) cache.assumePod(info, node('a'));
    cache.finishBinding(confirmed, podOf('confirmed', 'confirmed', 'a'));
    cache.finishBinding(lost, undefined);
    loop.runUntil(9000);
    cache.addPod(podOf('confirmed', 'confirmed', 'a'));
    expect(cache.podCount).toBe(3);
    loop.runUntil(12_000);
    expect(cache.podOf(podOf('lost'))).toBeUndefined();
    expect([cache.podCount, cache.assumedCount]).toEqual([2, 1]);
    loop.runUntilIdle();
  });
});

describe('any life of pods and nodes', () => {
  it('adds up to what is there at its end', () => {
    const op = fc.record({ kind: fc.nat(6), pod: fc.nat(5), node: fc.constantFrom('a', 'b', 'c') });
    fc.assert(
      fc.property(fc.array(op, { maxLength: 40 }), (ops) => {
        const live = new SchedulerCache({ cluster: new ClusterState(podRequirements), loop, assumedPodTtlMillis: 0 });
        const assumed = new Map<string, PodInfo>();
        const bound = new Map<string, Pod>();
        for (const { kind, pod, node: nodeName } of ops) {
          const name = `p${pod}`;
          const isFree = !assumed.has(name) && !bound.has(name);
          const there = live.cluster.node(nodeName);
          if (kind === 0) live.addNode(makeNode(nodeName));
          else if (kind === 1) live.removeNode(makeNode(nodeName));
          else if (kind === 2 && isFree && there) {
            const info = infoOf(podOf(name));
            expect(live.assumePod(info, there)).toBe(true);
            assumed.set(name, info);
          } else if (kind === 3 && assumed.has(name)) {
            expect(live.forgetPod(assumed.get(name) as PodInfo)).toBe(true);
            assumed.delete(name);
          } else if (kind === 4) {
            assumed.delete(name);
            bound.set(name, podOf(name, name, nodeName));
            live.addPod(podOf(name, name, nodeName));
          } else if (kind === 5) {
            live.removePod(podOf(name));
            bound.delete(name);
            assumed.delete(name);
          }
        }
        const rebuilt = new ClusterState(podRequirements);
        for (const { node: known } of live.cluster.knownNodes()) rebuilt.addNode(known);
        for (const pod of bound.values()) rebuilt.pods.add(pod);
        for (const info of assumed.values()) {
          rebuilt.pods.add({ ...info.pod, spec: { ...info.pod.spec, nodeName: info.nodeName } });
        }
        expect(roomsOf(live.cluster)).toEqual(roomsOf(rebuilt));
        expect([live.podCount, live.assumedCount]).toEqual([bound.size + assumed.size, assumed.size]);
      }),
    );
  });
});

function roomsOf(cluster: ClusterState): unknown {
  return Object.fromEntries(
    [...cluster.knownNodes()].map(({ name, pods, requested }) => [
      name,
      { pods: pods.map((pod) => pod.name).sort(), milliCPU: requested.milliCPU },
    ]),
  );
}
