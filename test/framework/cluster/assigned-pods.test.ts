import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { AssignedPods } from '../../../src/framework/cluster/assigned-pods.ts';
import type { Arrival, ChoosingObserver } from '../../../src/framework/cluster/cluster-observer.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { NODE_AND_PODS, NODE_AND_PORTS, NODE_AND_STORAGE } from '../../../src/framework/cluster/node-changes.ts';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import { type PodInfo, podRequirements } from '../../../src/framework/pod-info.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const NODE_NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
const REASONS = [NODE_AND_PODS, NODE_AND_PORTS, NODE_AND_STORAGE];

/** Counts pods from the given one on, and remembers which it was told of as counted when they were charged. */
class Engine implements ChoosingObserver {
  readonly counted: string[] = [];
  readonly uncounted: string[] = [];
  readonly #firstCounted: number;
  #assigned = 0;

  constructor(firstCounted: number) {
    this.#firstCounted = firstCounted;
  }

  podAssigned(): boolean {
    return this.#assigned++ >= this.#firstCounted;
  }

  podsAdded(_node: NodeInfo, pods: readonly PodInfo[], { chargedBy, isCounted }: Arrival): void {
    expect(chargedBy).toBe(this);
    (isCounted ? this.counted : this.uncounted).push(...pods.map(({ name }) => name));
  }

  reserve(): void {}
  nodeChanged(): void {}
  nodeRemoved(): void {}
  podRemoved(): void {}
  clusterCopied(): void {}
}

function newCluster(engine?: Engine): ClusterState {
  const cluster = new ClusterState(podRequirements);
  if (engine !== undefined) cluster.observe(engine);
  for (const name of NODE_NAMES) cluster.addNode(makeNode(name));
  return cluster;
}

const assignment = fc.record({
  slot: fc.nat(NODE_NAMES.length - 1),
  port: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) }),
  hasClaim: fc.nat(9).map((n) => n === 0),
  isPassedOver: fc.nat(9).map((n) => n === 0),
});

function podOf(name: string, { port, hasClaim }: { readonly port: number | null; readonly hasClaim: boolean }): Pod {
  const pod = makePod(name, { ports: port === null ? [] : [{ hostPort: port }] });
  if (!hasClaim) return pod;
  return { ...pod, spec: { ...pod.spec, volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] } } as Pod;
}

const portsOf = (node: NodeInfo | undefined) =>
  [1, 2, 3].map((port) => node?.usedPorts.conflictsWith([{ ip: '0.0.0.0', protocol: 'TCP', port }]));

test('pods that wait leave the cluster as if each had been assumed at once, in one batch and in the next', () => {
  const batch = fc.array(assignment, { maxLength: 40 });
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 3 }), fc.nat(60), fc.nat(9), (batches, firstCounted, flushEvery) => {
      const engine = new Engine(firstCounted);
      const [cluster, single] = [newCluster(engine), newCluster()];
      const assigned = new AssignedPods(cluster);
      assigned.startRun(engine);
      const from = [cluster.changes.end, single.changes.end];
      const names: string[] = [];
      for (const [number, pods] of batches.entries()) {
        const infos = pods.map((each, i) => cluster.pods.info(podOf(`p${number}-${i}`, each)));
        const inOrder = { length: infos.length, info: (i: number) => infos[i] as PodInfo };
        for (const [i, { slot, isPassedOver }] of pods.entries()) {
          // Nothing is assigned of a pod whose decision has failed.
          if (isPassedOver) continue;
          expect(cluster.pods.startAttempt(infos[i] as PodInfo)).toBe(infos[i]);
          assigned.add(inOrder, i, slot);
          expect(assigned.isEmpty).toBe(false);
          if (i % (flushEvery + 1) === flushEvery) assigned.flush();
          const info = single.pods.info((infos[i] as PodInfo).pod);
          single.pods.assume(info, single.nodeAt(slot) as NodeInfo);
          names.push(info.name);
        }
      }
      assigned.flush();
      expect(assigned.isEmpty).toBe(true);
      for (const name of NODE_NAMES) {
        const [node, other] = [cluster.node(name), single.node(name)];
        expect(node?.pods.map((pod) => pod.name)).toEqual(other?.pods.map((pod) => pod.name));
        expect(node?.pods.every(({ nodeName }) => nodeName === name)).toBe(true);
        expect(portsOf(node)).toEqual(portsOf(other));
      }
      for (const reasons of REASONS) {
        const [changed, wanted] = [cluster, single].map(({ changes }, i) => changes.since(from[i] as number, reasons));
        expect(new Set(changed)).toEqual(new Set(wanted));
      }
      expect([...engine.uncounted].sort()).toEqual(names.slice(0, firstCounted).sort());
      expect([...engine.counted].sort()).toEqual(names.slice(firstCounted).sort());
    }),
  );
});
