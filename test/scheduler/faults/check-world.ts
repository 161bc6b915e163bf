import { expect } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { isPodFinished } from '../../../src/api/pod-conditions.ts';
import { parseQuantity } from '../../../src/api/quantity.ts';
import { Scheduler } from '../../../src/core/scheduler.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import type { FaultWorld } from './fault-world.ts';

/** True at any moment. */
export function checkRooms({ rig }: FaultWorld): void {
  const pods = rig.store.list('pods').items;
  for (const node of rig.store.list('nodes').items) {
    const here = pods.filter(({ spec }) => spec?.nodeName === node.metadata?.name);
    const used = here.reduce((sum, pod) => sum + cpuOf(pod), 0);
    expect(used, `cpu of ${node.metadata?.name}`).toBeLessThanOrEqual(Number(node.status?.allocatable?.['cpu']));
    expect(here.length).toBeLessThanOrEqual(Number(node.status?.allocatable?.['pods']));
  }
}

/** True once nothing happens any more. */
export function checkRest(world: FaultWorld): void {
  const { scheduler, store, reported } = world.rig;
  const pods = store.list('pods').items;
  const waiting = new Map([...scheduler.queue.pendingPods()].map((queued) => [queued.podInfo.uid, queued]));
  expect(scheduler.waitingPods.size).toBe(0);
  expect(scheduler.cache.assumedCount).toBe(0);
  for (const pod of pods) {
    const { name, uid = '' } = pod.metadata ?? {};
    const places = [...(pod.spec?.nodeName ? ['bound'] : []), ...(waiting.has(uid) ? ['queued'] : [])];
    expect(places, name).toHaveLength(1);
    expect(scheduler.cache.podOf(pod)?.nodeName ?? '', name).toBe(pod.spec?.nodeName ?? '');
  }
  expect(waiting.size).toBe(pods.filter(({ spec }) => !spec?.nodeName).length);
  expect([...world.plugin.reserved]).toEqual([]);
  expect(scheduler.cache.podCount).toBe(pods.filter(({ spec }) => spec?.nodeName).length);
  checkCache(world);
  checkPending(world);
  expect(reported.filter((line) => !line.includes('refused by the test') && !line.includes('not found'))).toEqual([]);
}

/** Checks that the cache is equal to one that is built from the present store. */
function checkCache({ rig }: FaultWorld): void {
  const { cluster } = rig.scheduler.cache;
  const rebuilt = new ClusterState(podRequirements);
  for (const node of rig.store.list('nodes').items) rebuilt.addNode(node);
  for (const pod of rig.store.list('pods').items) if (pod.spec?.nodeName && !isPodFinished(pod)) rebuilt.pods.add(pod);
  expect(described(cluster)).toEqual(described(rebuilt));
}

function described(cluster: ClusterState): unknown {
  return [...cluster.knownNodes()]
    .map(({ name, node, pods, requested, nonZeroRequested }) => ({
      name,
      node,
      pods: pods.map(({ pod }) => pod).sort((a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1)),
      // A resource that no pod requests any more may remain with 0.
      requested: { ...requested, scalar: [...requested.scalar].filter(([, amount]) => amount !== 0) },
      nonZeroRequested,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Checks that a pending pod has a reason: it is gated, or a fresh scheduler finds no room for it either. */
function checkPending({ rig }: FaultWorld): void {
  const fresh = new Scheduler({ engine: 'reference', preemption: false });
  const pods = rig.store.list('pods').items;
  for (const node of rig.store.list('nodes').items) fresh.addNode(node);
  for (const pod of pods) if (pod.spec?.nodeName) fresh.addPod(pod);
  for (const pod of pods) {
    if (pod.spec?.nodeName || pod.spec?.schedulingGates?.length) continue;
    expect(fresh.explain(withoutExtended(pod)).feasible, pod.metadata?.name ?? '').toEqual([]);
  }
}

/** What the extender manages is none of the scheduler's business. */
function withoutExtended(pod: Pod): Pod {
  const containers = pod.spec?.containers?.map((container) => ({
    ...container,
    resources: { requests: { cpu: container.resources?.requests?.['cpu'] ?? '0' } },
  }));
  return { ...pod, spec: { ...pod.spec, containers } };
}

function cpuOf({ spec }: Pod): number {
  return Number(parseQuantity(spec?.containers?.[0]?.resources?.requests?.['cpu'] ?? 0).value);
}
