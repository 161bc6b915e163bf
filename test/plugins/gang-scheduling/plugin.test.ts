import { beforeEach, describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import type { PodGroup } from '../../../src/api/pod-group.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import type { Handle } from '../../../src/framework/handle.ts';
import { PodGroupStates } from '../../../src/framework/pod-group-states.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import { GangScheduling } from '../../../src/plugins/gang-scheduling/plugin.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { makePod } from '../../builders/make-pod.ts';

const GANG: PodGroup = { metadata: { name: 'g' }, spec: { schedulingPolicy: { gang: { minCount: 2 } } } };

function member(name: string): Pod {
  const pod = makePod(name);
  const schedulingGroup = { podGroupName: 'g' };
  return { ...pod, metadata: { ...pod.metadata, uid: name }, spec: { ...pod.spec, schedulingGroup } };
}

let cluster: ClusterState;
let groups: PodGroupStates;
let allowed: string[];
let gangs: GangScheduling;

beforeEach(() => {
  cluster = new ClusterState(podRequirements);
  groups = new PodGroupStates();
  cluster.pods.groups = groups;
  allowed = [];
  const waiting = [member('a'), makePod('stranger')].map((pod) => ({
    pod: makePodInfo(pod),
    allow: () => allowed.push(pod.metadata?.name ?? ''),
  }));
  const handle = { waitingPods: () => waiting };
  gangs = new GangScheduling(cluster, handle as unknown as Handle);
});

describe('GangScheduling', () => {
  it('keeps pods out of the queue until their group and enough pods are known', () => {
    const reason = (): string | undefined => gangs.preEnqueue(makePodInfo(member('a')))?.reasons[0];
    groups.add(member('a'));
    expect(reason()).toContain('pod group "g"');
    cluster.objects.set('PodGroup', GANG);
    expect(reason()).toBe('waiting for minCount pods from a gang to appear in scheduling queue');
    groups.add(member('b'));
    expect(reason()).toBeUndefined();
    expect(gangs.preEnqueue(makePodInfo(makePod('alone')))).toBeNull();
  });

  it('holds a pod that has a node until enough others have one, and then lets all go', () => {
    cluster.objects.set('PodGroup', GANG);
    for (const name of ['a', 'b']) groups.add(member(name));
    groups.scheduled(makePodInfo(member('a')));
    expect(gangs.permit(null, makePodInfo(member('a')))).toMatchObject({ code: 'Wait', timeoutMillis: 300_000 });
    expect(allowed).toEqual([]);
    groups.scheduled(makePodInfo(member('b')));
    expect(gangs.permit(null, makePodInfo(member('b')))).toBeNull();
    expect(allowed).toEqual(['a']);
  });

  it('lets pods of other groups, and pods without one, go', () => {
    cluster.objects.set('PodGroup', { ...GANG, spec: { schedulingPolicy: { basic: {} } } });
    expect(gangs.permit(null, makePodInfo(member('a')))).toBeNull();
    expect(gangs.permits(makePodInfo(makePod('alone')))).toBe(false);
    cluster.objects.remove('PodGroup', 'g', 'default');
    expect(gangs.permit(null, makePodInfo(member('a')))?.code).toBe('Error');
  });

  it('asks again when a pod of the group or the group itself arrives', () => {
    const [pods, objects] = gangs.eventsToRegister();
    const pod = makePodInfo(member('a'));
    expect(pods?.hint?.(pod, undefined, member('b'))).toBe('Queue');
    expect(pods?.hint?.(pod, undefined, makePod('b'))).toBe('QueueSkip');
    expect(objects?.hint?.(pod, undefined, GANG)).toBe('Queue');
    expect(objects?.hint?.(pod, undefined, { ...GANG, metadata: { name: 'other' } })).toBe('QueueSkip');
    expect(pods?.keys?.ofPod(pod)).toEqual(objects?.keys?.ofEvent(undefined, GANG));
    cluster.objects.set('PodGroup', GANG);
    groups.add(member('a'));
    expect(pods?.keys?.ofEvent(undefined, member('a'))).toEqual([]);
    groups.add(member('b'));
    expect(pods?.keys?.ofEvent(undefined, member('b'))).toEqual(['default/g']);
  });
});
