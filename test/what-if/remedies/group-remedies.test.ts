import { describe, expect, it } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import type { PodGroup } from '../../../src/api/pod-group.ts';
import { PodGroupScheduler } from '../../../src/cluster/pod-group-scheduler.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { findRemedies } from '../../../src/what-if/remedies/find-remedies.ts';
import { fittingNodes, newNodes, uncordoned } from '../../../src/what-if/remedies/node-changes.ts';
import { tolerations } from '../../../src/what-if/remedies/pod-changes.ts';
import { type Change, changedPod } from '../../../src/what-if/remedies/remedy.ts';
import { groupTrial, type RemedyTrial, type Tried } from '../../../src/what-if/remedies/remedy-trial.ts';
import { smallerRequests } from '../../../src/what-if/remedies/smaller-requests.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const featureGates = { GenericWorkload: true, GangScheduling: true, TopologyAwareWorkloadScheduling: true };
const taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' } as const;
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

function group(minCount: number, key?: string): PodGroup {
  const topology = key === undefined ? {} : { schedulingConstraints: { topology: [{ key }] } };
  const spec = { schedulingPolicy: { gang: { minCount } }, ...topology };
  return { metadata: { name: 'g', namespace: 'default' }, spec };
}

function member(name: string, cpu: string, podGroupName = 'g'): Pod {
  const { metadata, spec } = makePod(name, { requests: { cpu } });
  const schedulingGroup = podGroupName === '' ? {} : { schedulingGroup: { podGroupName } };
  return { metadata: { ...metadata, uid: name }, spec: { ...(spec ?? { containers: [] }), ...schedulingGroup } };
}

function settled(nodes: readonly Node[], gang: PodGroup, pods: readonly Pod[]): PodGroupScheduler {
  const scheduler = new PodGroupScheduler({ featureGates });
  for (const node of nodes) scheduler.addNode(node);
  scheduler.setObject('PodGroup', gang);
  scheduler.scheduleBatch(pods);
  scheduler.settle();
  return scheduler;
}

async function remediesOf(nodes: readonly Node[], gang: PodGroup, pods: readonly Pod[], asked = pods[0] as Pod) {
  const scheduler = settled(nodes, gang, pods);
  const before = scheduler.explainInGroup(asked);
  const found = await findRemedies(groupTrial(scheduler, asked), async () => {});
  expect(scheduler.explainInGroup(asked)).toEqual(before);
  scheduler.close();
  return found.map(({ changes, group: places }) => {
    const text = changes.map((change) => change.text).join(' + ');
    return places === undefined ? text : `${text} (${places.placedCount} of ${places.waitingCount})`;
  });
}

const members = (count: number, cpu: string) => range(count).map((i) => member(`p${i}`, cpu));

describe('what would place a group', () => {
  it('shares what is free among all of its pods, or adds as many nodes as those without a place need', async () => {
    const nodes = range(2).map((i) => makeNode(`n${i}`, { cpu: 4 }));
    expect(await remediesOf(nodes, group(6), members(6, '2'))).toEqual([
      'request cpu 1333m instead of 2 (6 of 6)',
      'request cpu 1000m instead of 2 (6 of 6)',
      'request cpu 800m instead of 2 (6 of 6)',
      'add a node like n0 (cpu=4, memory=16Gi) (6 of 6)',
      'add 2 nodes of shape cpu=2,memory=1Gi (6 of 6)',
    ]);
  });

  it('changes every pod, and needs no more of them than the gang does', async () => {
    const labels = { rack: 'r' };
    const nodes = [
      makeNode('n0', { cpu: 2, labels, taints: [taint] }),
      makeNode('n1', { cpu: 2, labels, taints: [taint], unschedulable: true }),
    ];
    const pods = members(3, '2');
    const tolerated = 'tolerate the taint gpu=yes:NoSchedule';
    expect(await remediesOf(nodes.slice(0, 1), group(1), pods)).toContain(`${tolerated} (1 of 3)`);
    expect(await remediesOf(nodes, group(2, 'rack'), pods)).toContain(`uncordon node n1 + ${tolerated} (2 of 3)`);
  });

  it('tries the placements of a group that has to stay together', async () => {
    const racks = ['r', 's'].map((rack) => makeNode(rack, { cpu: 2, labels: { rack } }));
    const found = await remediesOf(racks, group(3, 'rack'), members(3, '1'));
    expect(found).toContain('add a node like r (cpu=2, memory=16Gi) (3 of 3)');
    expect(found.some((text) => text.startsWith('request cpu 666m instead of 1'))).toBe(true);
  });

  it('is found for a pod of no group, too', async () => {
    const pods = [...members(1, '1'), member('alone', '8', '')];
    expect(await remediesOf([makeNode('n', { cpu: 4 })], group(1), pods, pods[1])).toContain(
      'request cpu 3000m instead of 8',
    );
  });
});

/** Changes to try: each by itself, and the first two together. */
function candidates(trial: RemedyTrial, pod: Pod, { neededCount, missingCount }: Tried): readonly Change[][] {
  const states = trial.nodes();
  const single = [
    ...uncordoned(states.filter(({ node }) => node.spec?.unschedulable)),
    ...tolerations(pod, states),
    ...smallerRequests(pod, states, neededCount).slice(0, 3),
    ...newNodes(trial, pod, missingCount).slice(0, 1),
    fittingNodes(trial, pod, missingCount),
  ];
  return [...single.map((change) => [change]), single.slice(0, 2)];
}

/** How many of the pods get a place in a cluster that has the changes from the beginning. */
function placedAfter(nodes: readonly Node[], gang: PodGroup, pods: readonly Pod[], changes: readonly Change[]): number {
  const byName = new Map(nodes.map((node) => [node.metadata?.name, node]));
  for (const node of changes.flatMap((change) => change.nodes ?? [])) byName.set(node.metadata?.name, node);
  const changed = pods.map((pod) => changedPod(pod, changes));
  const scheduler = settled([...byName.values()], gang, changed);
  const placed = pods.filter((pod) => scheduler.nodeOf(pod) !== null).length;
  scheduler.close();
  return placed;
}

describe('a trial of changes', () => {
  it.each(range(16))('says what a cluster with these changes does (seed %i)', (seed) => {
    const prng = new Prng(seed);
    const nodes = range(1 + prng.below(4)).map((i) =>
      makeNode(`n${i}`, {
        cpu: 1 + prng.below(5),
        labels: { rack: `r${i % 2}` },
        ...(prng.below(3) === 0 && { taints: [taint] }),
        ...(prng.below(4) === 0 && { unschedulable: true }),
      }),
    );
    const pods = range(2 + prng.below(5)).map((i) => member(`p${i}`, `${1 + prng.below(prng.below(2) === 0 ? 1 : 3)}`));
    const minCount = 1 + prng.below(pods.length);
    const gang = group(minCount, prng.below(3) === 0 ? 'rack' : undefined);
    const scheduler = settled(nodes, gang, pods);
    const asked = pods[0] as Pod;
    if (pods.every((pod) => scheduler.nodeOf(pod) === null)) {
      const trial = groupTrial(scheduler, asked);
      const first = trial.after([]);
      expect(first.isPlaced).toBe(false);
      for (const changes of candidates(trial, asked, first)) {
        const { isPlaced, group: places } = trial.after(changes);
        const placedCount = placedAfter(nodes, gang, pods, changes);
        expect(isPlaced).toBe(placedCount > 0);
        // A gang that needs fewer may get its pods in several cycles.
        if (isPlaced && minCount === pods.length) expect(places?.placedCount).toBe(placedCount);
      }
      expect(trial.after([])).toEqual(first);
    }
    scheduler.close();
  });
});
