import { expect, it } from 'vitest';
import { podKey } from '../../src/api/object-name.ts';
import { gangCluster } from '../../src/benchmark/synthetic/gang.ts';
import { PodGroupScheduler } from '../../src/cluster/pod-group-scheduler.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

const featureGates = { GenericWorkload: true, GangScheduling: true };

function loaded(nodeCount: number, podCount: number) {
  const { nodes, pods, others = [] } = gangCluster(nodeCount, podCount);
  const scheduler = new PodGroupScheduler({ featureGates });
  for (const { kind, object } of others) scheduler.setObject(kind, object);
  for (const node of nodes) scheduler.addNode(node);
  return { scheduler, pods };
}

it('places a gang when its last pod has come', () => {
  const { scheduler, pods } = loaded(3, 64);
  expect(scheduler.scheduleBatch(pods.slice(0, 63)).scheduledCount).toBe(0);
  const [first, last] = [pods[0], pods[63]];
  expect(scheduler.schedule(first ?? {})).toMatchObject({ status: 'gated', plugin: 'GangScheduling' });
  expect(scheduler.schedule(last ?? {})).toMatchObject({ status: 'scheduled' });
  expect(scheduler.schedule(first ?? {})).toMatchObject({ status: 'scheduled' });
  scheduler.close();
});

it('says why a gang has no place, and ends', () => {
  const { scheduler, pods } = loaded(1, 128);
  // A node has room for 110 pods, and so for one of two gangs.
  const batch = scheduler.scheduleBatch(pods);
  expect(batch.scheduledCount).toBe(64);
  const messages = new Set(
    pods
      .slice(64)
      .map((_, i) => batch.at(64 + i))
      .map(({ status }) => status),
  );
  expect([...messages]).toEqual(['unschedulable']);
  expect(batch.at(127)).toMatchObject({ message: expect.stringMatching(/^0\/1 nodes are available: 1 Too many pods/) });
  scheduler.close();
});

it('names the pods that were evicted for a whole group', () => {
  const gates = { ...featureGates, WorkloadAwarePreemption: true };
  const scheduler = new PodGroupScheduler({ featureGates: gates, preemption: true });
  scheduler.addNode(makeNode('n', { cpu: 2 }));
  scheduler.setObject('PodGroup', {
    metadata: { name: 'g', namespace: 'default' },
    spec: { schedulingPolicy: { gang: { minCount: 2 } }, priority: 10 },
  });
  const asking = (cpu: number) => [{ name: 'c', resources: { requests: { cpu } } }];
  const low = makePod('low', { spec: { containers: asking(2), nodeName: 'n', priority: 1 } });
  const schedulingGroup = { podGroupName: 'g' };
  const members = ['a', 'b'].map((name) =>
    makePod(name, { spec: { containers: asking(1), priority: 10, schedulingGroup } }),
  );
  scheduler.addPod(low);
  scheduler.scheduleBatch(members);
  scheduler.settle();
  expect(members.map((pod) => scheduler.nodeOf(pod))).toEqual(['n', 'n']);
  expect(scheduler.nodeOf(low)).toBeNull();
  expect(scheduler.evictions.map(({ victims }) => victims.map(podKey))).toEqual([['default/low']]);
  scheduler.close();
});
