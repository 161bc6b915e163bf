import { beforeEach, describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { loadConfiguration } from '../../src/caller/load-configuration.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { SchedulerRig } from './scheduler-rig.ts';

const featureGates = { GenericWorkload: true, GangScheduling: true };
let rig: SchedulerRig;

beforeEach(() => {
  rig = new SchedulerRig({ featureGates });
});

function createGang(minCount: number): void {
  const metadata = { name: 'g', namespace: 'default' };
  rig.store.create('podgroups', { metadata, spec: { schedulingPolicy: { gang: { minCount } } } });
}

/** A pod of gang `g` that takes half of a node. */
function createMember(name: string, spec: Pod['spec'] = {}): void {
  rig.store.create(
    'pods',
    makePod(name, { requests: { cpu: '1' }, spec: { schedulingGroup: { podGroupName: 'g' }, ...spec } }),
  );
}

function createNode(name: string): void {
  rig.store.create('nodes', makeNode(name, { cpu: '2' }));
}

const nodesOf = (...names: string[]): string[] => names.map((name) => rig.nodeOf(name));
const condition = (): unknown => rig.store.get('podgroups', 'default', 'g').status?.conditions?.[0];
const messageOf = (name: string): string =>
  rig.pod(name).status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message ?? '';

describe('the cycle of a group', () => {
  it('binds all pods when the last one that the gang needs has come', () => {
    createNode('a');
    createNode('b');
    createGang(3);
    createMember('x');
    createMember('y');
    rig.runMillis(1000);
    expect(nodesOf('x', 'y')).toEqual(['', '']);
    expect(messageOf('x')).toBe('');
    createMember('z');
    rig.runMillis(1000);
    expect(nodesOf('x', 'y', 'z').sort()).toEqual(['a', 'a', 'b']);
    expect(condition()).toMatchObject({ type: 'PodGroupScheduled', status: 'True', reason: 'Scheduled' });
  });

  it('binds no pod of a gang without a place for enough of them, and leaves the nodes to others', () => {
    createNode('a');
    createGang(3);
    for (const name of ['x', 'y', 'z']) createMember(name);
    rig.runMillis(1000);
    expect(nodesOf('x', 'y', 'z')).toEqual(['', '', '']);
    expect(condition()).toMatchObject({ status: 'False', reason: 'Unschedulable' });
    const messages = ['x', 'y', 'z'].map(messageOf).sort();
    expect(messages[0]).toContain('0/1 nodes are available: 1 Insufficient cpu');
    expect(messages[1]).toContain('pod group is unschedulable, waiting for minCount pods from a gang to be scheduled');
    rig.store.create('pods', makePod('plain', { requests: { cpu: '2' } }));
    rig.runMillis(1000);
    expect(nodesOf('plain')).toEqual(['a']);
  });

  it('binds the gang when there is room', () => {
    createNode('a');
    createGang(3);
    for (const name of ['x', 'y', 'z']) createMember(name);
    rig.runMillis(1000);
    createNode('b');
    rig.runMillis(20_000);
    expect(nodesOf('x', 'y', 'z').every((node) => node !== '')).toBe(true);
    expect(condition()).toMatchObject({ status: 'True' });
  });

  it('binds the pods that have a place if these are enough, and a late one alone', () => {
    createNode('a');
    createGang(2);
    for (const name of ['x', 'y', 'z']) createMember(name);
    rig.runMillis(1000);
    expect(nodesOf('x', 'y', 'z').filter((node) => node === 'a').length).toBe(2);
    expect(condition()).toMatchObject({ status: 'True' });
    createNode('b');
    rig.runMillis(20_000);
    expect(nodesOf('x', 'y', 'z').sort()).toEqual(['a', 'a', 'b']);
  });

  it('tries pods of higher priority first', () => {
    createNode('a');
    createGang(1);
    createMember('x', { priority: 0 });
    createMember('y', { priority: 5 });
    createMember('z', { priority: 9 });
    rig.runMillis(1000);
    expect(nodesOf('y', 'z')).toEqual(['a', 'a']);
    expect(nodesOf('x')).toEqual(['']);
  });
});

describe('profiles of groups', () => {
  const configured = (...profiles: object[]) =>
    loadConfiguration({ apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration', profiles });

  it('pods of several profiles are refused, which the condition of the group does not show', () => {
    const configuration = configured({ schedulerName: 'one' }, { schedulerName: 'two' });
    rig = new SchedulerRig({ configuration, featureGates });
    createNode('a');
    createGang(2);
    createMember('x', { schedulerName: 'one' });
    createMember('y', { schedulerName: 'two' });
    rig.runMillis(1000);
    const why = 'all pods in a single pod group should have the same .spec.schedulerName set';
    // The name of the pod that differs from the first one comes first.
    expect([messageOf('x'), messageOf('y')]).toEqual(Array(2).fill(`${why}, got: "two" and "one"`));
    expect(condition()).toBeUndefined();
  });

  it('one without GangScheduling binds each pod of a gang that has a place', () => {
    const plugins = { multiPoint: { disabled: [{ name: 'GangScheduling' }] } };
    rig = new SchedulerRig({ configuration: configured({ plugins }), featureGates });
    createNode('a');
    createGang(3);
    createMember('x');
    rig.runMillis(1000);
    expect(nodesOf('x')).toEqual(['a']);
  });

  it('one without DefaultPreemption evicts nothing for groups', () => {
    const plugins = { postFilter: { disabled: [{ name: 'DefaultPreemption' }] } };
    const gates = { ...featureGates, WorkloadAwarePreemption: true };
    rig = new SchedulerRig({ configuration: configured({ plugins }), featureGates: gates });
    createNode('a');
    createGang(3);
    for (const name of ['x', 'y', 'z']) createMember(name);
    rig.runMillis(1000);
    const why = 'default preemption plugin is not registered, workload aware preemption is disabled';
    expect(condition()).toMatchObject({ message: `pod group is unschedulable, ${why}` });
  });
});

describe('where groups have placements', () => {
  beforeEach(() => {
    rig = new SchedulerRig({ featureGates: { ...featureGates, TopologyAwareWorkloadScheduling: true } });
  });

  it('all nodes are the one placement of a group without a constraint', () => {
    createNode('a');
    createGang(3);
    for (const name of ['x', 'y', 'z']) createMember(name);
    rig.runMillis(1000);
    const message = '0/1 placements are available, first placement status: pod group is unschedulable';
    expect(condition()).toMatchObject({ status: 'False', reason: 'Unschedulable', message });
  });

  it.each([
    ['a node without the label', 'a', 'no topology domain found for pod default/x'],
    ['an unknown node', 'b', 'getting node for pod default/x: nodeinfo not found for node name "b"'],
  ])('a pod of the group on %s is an error', (_, nodeName, why) => {
    createNode('a');
    const metadata = { name: 'g', namespace: 'default' };
    const schedulingConstraints = { topology: [{ key: 'rack' }] };
    const spec = { schedulingPolicy: { gang: { minCount: 1 } }, schedulingConstraints };
    rig.store.create('podgroups', { metadata, spec });
    createMember('x', { nodeName });
    createMember('y');
    rig.runMillis(1000);
    expect(messageOf('y')).toBe(`cannot determine domain for already scheduled pods: ${why}`);
    expect(condition()).toMatchObject({ status: 'False', reason: 'SchedulerError' });
  });

  it.each<[string, object, string[]]>([
    ['above all the count', { enabled: [{ name: 'PodGroupPodsCount', weight: 10 }] }, ['wide', 'wide', 'wide']],
    ['above all the resources', { enabled: [{ name: 'NodeResourcesFit', weight: 10 }] }, ['', 'full', 'full']],
    ['not the count', { disabled: [{ name: 'PodGroupPodsCount' }] }, ['', 'full', 'full']],
    ['only the count', { disabled: [{ name: 'NodeResourcesFit' }] }, ['wide', 'wide', 'wide']],
    ['none of them, so the first is taken', { disabled: [{ name: '*' }] }, ['', 'full', 'full']],
  ])('the profile weighs the scores of placements: %s', (_, placementScore, places) => {
    const resources = [{ name: 'cpu', weight: 1 }];
    const configuration = loadConfiguration({
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      profiles: [
        {
          plugins: { placementScore },
          pluginConfig: [
            { name: 'NodeResourcesFit', args: { scoringStrategy: { type: 'LeastAllocated', resources } } },
          ],
        },
      ],
    });
    const gates = { ...featureGates, TopologyAwareWorkloadScheduling: true };
    rig = new SchedulerRig({ configuration, featureGates: gates });
    rig.store.create('nodes', makeNode('full', { cpu: '2', labels: { rack: 'r1' } }));
    rig.store.create('nodes', makeNode('wide', { cpu: '64', labels: { rack: 'r2' } }));
    const metadata = { name: 'g', namespace: 'default' };
    const schedulingConstraints = { topology: [{ key: 'rack' }] };
    const spec = { schedulingPolicy: { gang: { minCount: 2 } }, schedulingConstraints };
    rig.store.create('podgroups', { metadata, spec });
    for (const pod of ['x', 'y', 'z']) createMember(pod);
    rig.runMillis(1000);
    expect(nodesOf('x', 'y', 'z').sort()).toEqual(places);
  });
});
