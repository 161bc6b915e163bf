import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import type { PodGroup } from '../../src/api/pod-group.ts';
import { PodGroupScheduler } from '../../src/cluster/pod-group-scheduler.ts';
import { Scheduler } from '../../src/core/scheduler.ts';
import { Prng } from '../../src/lib/prng.ts';
import type { TrialScheduler } from '../../src/what-if/trial-scheduler.ts';
import { answer, type Question } from '../../src/what-if/what-if.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

const NOTHING: Question = { lose: [], drain: [], more: [], shrink: undefined, search: undefined };
const featureGates = { GenericWorkload: true, GangScheduling: true, TopologyAwareWorkloadScheduling: true };

const node = (name: string, cpu = 2, rack = name) => makeNode(name, { cpu, labels: { rack } });

function group(name: string, minCount: number, key?: string): PodGroup {
  const topology = key === undefined ? {} : { schedulingConstraints: { topology: [{ key }] } };
  return {
    metadata: { name, namespace: 'default' },
    spec: { schedulingPolicy: { gang: { minCount } }, ...topology },
  };
}

/** A pod of a controller that asks for one cpu. */
function pod(name: string, podGroupName = '', nodeName = '', priority = 0): Pod {
  const { metadata, spec } = makePod(name, { requests: { cpu: '1' } });
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'job', uid: 'job', controller: true };
  return {
    metadata: { ...metadata, uid: name, ownerReferences: [owner] },
    spec: {
      ...(spec ?? { containers: [] }),
      priority,
      ...(nodeName !== '' && { nodeName }),
      ...(podGroupName !== '' && { schedulingGroup: { podGroupName } }),
    },
  };
}

async function ask(
  scheduler: TrialScheduler,
  pods: readonly Pod[],
  question: Partial<Question>,
  ...groups: readonly PodGroup[]
) {
  for (const each of groups) scheduler.setObject('PodGroup', each);
  const pending = pods.filter(({ spec }) => !spec?.nodeName);
  for (const each of pods) if (!pending.includes(each)) scheduler.addPod(each);
  const options = { pause: async () => {}, replacesBare: false };
  const result = await answer({ scheduler, pending, budgets: [] }, { ...NOTHING, ...question }, options);
  scheduler.close();
  return result;
}

/** The nodes of these names in a cluster that knows groups. */
function cluster(...nodes: ReturnType<typeof node>[]): PodGroupScheduler {
  const scheduler = new PodGroupScheduler({ featureGates });
  for (const each of nodes) scheduler.addNode(each);
  return scheduler;
}

const three = (podGroupName: string, nodeName = '') =>
  ['a', 'b', 'c'].map((name) => pod(`${podGroupName}-${name}`, podGroupName, nodeName));

describe('what-if with groups of pods', () => {
  it('places a group that has lost its node as a whole, or not at all', async () => {
    const lose = ['n0'];
    const moved = await ask(cluster(node('n0', 4), node('n1', 3)), three('g', 'n0'), { lose }, group('g', 3));
    expect(moved.counts).toEqual({ moved: 3 });
    const none = await ask(cluster(node('n0', 4), node('n1', 2)), three('g', 'n0'), { lose }, group('g', 3));
    expect(none.counts).toEqual({ pending: 3 });
    expect(none.podGroups).toMatchObject([{ group: 'default/g', minCount: 3, scheduledCount: 0, hasPlace: false }]);
    expect(none.podGroups?.[0]?.members.map((member) => member.node)).toEqual(['n1', 'n1', null]);
    const some = await ask(cluster(node('n0', 4), node('n1', 2)), three('g', 'n0'), { lose }, group('g', 2));
    expect(some.counts).toEqual({ pending: 1, moved: 2 });
  });

  it('keeps to the topology of a group', async () => {
    const nodes = [node('n0', 4), node('n1', 2, 'r'), node('n2', 1, 's')];
    const result = await ask(cluster(...nodes), three('g', 'n0'), { lose: ['n0'] }, group('g', 3, 'rack'));
    expect(result.counts).toEqual({ pending: 3 });
    expect(result.podGroups?.[0]?.placements?.map(({ placedCount }) => placedCount).sort()).toEqual([1, 2]);
    const same = [node('n0', 4), node('n1', 2, 'r'), node('n2', 1, 'r')];
    expect((await ask(cluster(...same), three('g', 'n0'), { lose: ['n0'] }, group('g', 3, 'rack'))).counts).toEqual({
      moved: 3,
    });
  });

  it('finds how many new nodes a group needs, and which nodes can go without breaking one', async () => {
    const search = { kind: 'addNodes', shapes: ['cpu=2,pods=10'], daemonPods: () => [] } as const;
    const added = await ask(cluster(node('n0', 1)), three('g'), { search }, group('g', 3));
    expect(added).toMatchObject({ addition: { count: 1 }, pods: { pendingAfter: 0 } });
    const pods = [pod('g-a', 'g', 'n0'), pod('g-b', 'g', 'n1'), pod('single', '', 'n2')];
    const removal = await ask(
      cluster(node('n0'), node('n1'), node('n2', 1)),
      pods,
      { search: { kind: 'removeNodes' } },
      group('g', 2),
    );
    expect(removal.removal?.removed).toHaveLength(1);
    expect(removal.pods).toMatchObject({ placedAfter: 3, pendingAfter: 0 });
  });

  it('lets as many copies of a group in as have a place for all pods', async () => {
    const sample = { podGroup: group('g', 3), pods: three('g') };
    const search = { kind: 'fit', pod: sample.pods[0] as Pod, group: sample } as const;
    const { fit } = await ask(cluster(node('n0', 5), node('n1', 3)), [], { search });
    expect(fit).toMatchObject({ group: 'default/g', count: 2 });
    expect(fit?.reason).toMatch(/: pod group is unschedulable: 2 of 3 pods have a place, .*Insufficient cpu/);
  });

  it('lets the pods that a group preempts come back in their turn', async () => {
    const single = ['x', 'y'].map((name) => pod(name, '', 'n1'));
    const gang = ['a', 'b'].map((name) => pod(`g-${name}`, 'g', 'n0', 10));
    const result = await ask(cluster(node('n0'), node('n1')), [...single, ...gang], { lose: ['n0'] }, group('g', 2));
    expect(result.counts).toEqual({ pending: 2, moved: 2 });
    const waiting = result.groups.find(({ outcome }) => outcome === 'pending');
    expect(waiting?.cause).toBe('preempted by a pod of higher priority');
  });

  it.each([1, 2, 3, 4])('finds the same as without a queue where there is no group: seed %i', async (seed) => {
    const prng = new Prng(seed);
    const nodes = Array.from({ length: 4 }, (_, i) => node(`n${i}`, 1 + prng.below(4)));
    const pods = Array.from({ length: 8 }, (_, i) => {
      const target = `n${prng.below(4)}`;
      return pod(`p${i}`, '', prng.below(3) > 0 ? target : '', prng.below(2) * 10);
    });
    const plain = new Scheduler();
    for (const each of nodes) plain.addNode(each);
    const question: Partial<Question> = prng.below(2) > 0 ? { lose: ['n0'] } : { drain: ['n1'] };
    const [queued, inTurn] = [await ask(cluster(...nodes), pods, question), await ask(plain, pods, question)];
    expect(queued.pods).toEqual(inTurn.pods);
    expect(queued.notRunning).toBe(inTurn.notRunning);
  });
});
