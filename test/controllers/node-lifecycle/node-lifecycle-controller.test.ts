import { beforeEach, describe, expect, test } from 'vitest';
import type { Condition } from '../../../src/api/meta.ts';
import type { EventRecorder } from '../../../src/client/events/event-recorder.ts';
import { NodeLifecycleController } from '../../../src/controllers/node-lifecycle/node-lifecycle-controller.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { ControlPlane } from '../control-plane.ts';

let plane: ControlPlane;
let controller: NodeLifecycleController;
let events: string[];

beforeEach(() => {
  plane = new ControlPlane();
  const { client, informers, loop, reportError } = plane;
  events = [];
  const recorder: EventRecorder = {
    event: ({ metadata }, type, reason, message) => events.push(`${metadata?.name} ${type} ${reason}: ${message}`),
  };
  controller = new NodeLifecycleController({ client, informers, loop, reportError, recorder });
});

function start(): void {
  plane.informers.start();
  controller.start();
  plane.runSeconds(1);
}

function addNode(name: string, status: string | undefined, zone?: string): void {
  const conditions: Condition[] = status === undefined ? [] : [{ type: 'Ready', status }];
  const node = makeNode(name, zone === undefined ? {} : { zone });
  plane.store.create('nodes', { ...node, status: { ...node.status, conditions } });
}

function setReady(name: string, status: string): void {
  const node = plane.store.get('nodes', '', name);
  const lastTransitionTime = new Date(plane.loop.nowMillis());
  const conditions = [{ type: 'Ready', status, lastTransitionTime }];
  plane.store.updateStatus('nodes', { ...node, status: { ...node.status, conditions } });
}

function renew(name: string): void {
  const renewTime = new Date(plane.loop.nowMillis());
  const lease = plane.store.list('leases').items.find(({ metadata }) => metadata?.name === name);
  if (lease === undefined) {
    plane.store.create('leases', { metadata: { name, namespace: 'kube-node-lease' }, spec: { renewTime } });
  } else plane.store.update('leases', { ...lease, spec: { renewTime } });
}

const ready = (name: string) =>
  plane.store.get('nodes', '', name).status?.conditions?.find(({ type }) => type === 'Ready');
const taints = (name: string) =>
  plane.store.get('nodes', '', name).spec?.taints?.map(({ key, effect }) => `${key.slice(19)}:${effect}`) ?? [];

describe('NodeLifecycleController', () => {
  test('a node is alive as long as its lease is renewed', () => {
    addNode('a', 'True');
    start();
    for (let i = 0; i < 20; i++) {
      renew('a');
      plane.runSeconds(10);
    }
    expect(ready('a')?.status).toBe('True');
    plane.runSeconds(60);
    expect(ready('a')).toMatchObject({
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
    });
  });

  test('a node that never said anything has a minute', () => {
    addNode('a', undefined);
    start();
    plane.runSeconds(55);
    expect(ready('a')).toBeUndefined();
    plane.runSeconds(15);
    expect(ready('a')).toMatchObject({ status: 'Unknown', reason: 'NodeStatusNeverUpdated' });
  });

  test('the conditions of a silent node keep their places, and its pods are told that they are not ready', () => {
    addNode('a', 'True');
    const { metadata, status } = plane.store.get('nodes', '', 'a');
    const conditions = [{ type: 'DiskPressure', status: 'False' }, ...(status?.conditions ?? [])];
    plane.store.updateStatus('nodes', { ...plane.store.get('nodes', '', 'a'), status: { ...status, conditions } });
    const pod = plane.store.create('pods', makePod('p', { nodeName: 'a' }));
    const isReady = [{ type: 'Ready', status: 'True' }];
    plane.store.updateStatus('pods', { ...pod, status: { phase: 'Running', conditions: isReady } });
    start();
    plane.runSeconds(80);
    const found = plane.store.get('nodes', '', 'a').status?.conditions ?? [];
    expect(found.map(({ type }) => type)).toEqual(['DiskPressure', 'Ready', 'MemoryPressure', 'PIDPressure']);
    expect(found[3]?.lastHeartbeatTime).toEqual(metadata?.creationTimestamp);
    expect(events).toEqual([
      'a Normal NodeNotReady: Node a status is now: NodeNotReady',
      'p Warning NodeNotReady: Node is not ready',
    ]);
  });

  test('a node that says it is not ready is tainted, and the taints go when it is', () => {
    for (const name of ['a', 'b', 'c']) addNode(name, 'True');
    start();
    setReady('a', 'False');
    plane.runSeconds(6);
    expect(taints('a')).toEqual(['not-ready:NoSchedule', 'not-ready:NoExecute']);
    setReady('a', 'Unknown');
    plane.runSeconds(6);
    expect(taints('a').sort()).toEqual(['unreachable:NoExecute', 'unreachable:NoSchedule']);
    setReady('a', 'True');
    plane.runSeconds(6);
    expect(taints('a')).toEqual([]);
  });

  test('of one zone, a node every ten seconds; of another one beside it', () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) addNode(name, 'True', 'one');
    for (const name of ['f', 'g']) addNode(name, 'True', 'two');
    start();
    for (const name of ['a', 'b', 'f']) setReady(name, 'False');
    const tainted = () => ['a', 'b', 'f'].filter((name) => taints(name).includes('not-ready:NoExecute'));
    plane.runSeconds(6);
    expect(tainted()).toEqual(['a', 'f']);
    plane.runSeconds(11);
    expect(tainted()).toEqual(['a', 'b', 'f']);
  });

  test('when all nodes are down none is tainted for eviction, until one is back', () => {
    for (const name of ['a', 'b']) addNode(name, 'True');
    start();
    for (const name of ['a', 'b']) setReady(name, 'False');
    plane.runSeconds(100);
    expect(taints('a')).toContain('unreachable:NoSchedule');
    expect([...taints('a'), ...taints('b')].filter((taint) => taint.endsWith('NoExecute'))).toEqual([]);
    setReady('b', 'True');
    plane.runSeconds(15);
    expect(taints('a')).toContain('unreachable:NoExecute');
  });

  test('refused writes are tried again', () => {
    addNode('a', 'True');
    start();
    plane.isRefused = ({ verb }) => verb === 'updateStatus';
    plane.runSeconds(80);
    expect(ready('a')?.status).toBe('True');
    expect(plane.reported.length).toBeGreaterThan(0);
    plane.isRefused = () => false;
    plane.runSeconds(10);
    expect(ready('a')?.status).toBe('Unknown');
  });

  test('taints that could not be removed from a node that is ready again are removed by a later pass', () => {
    for (const name of ['a', 'b']) addNode(name, 'True');
    start();
    setReady('a', 'False');
    plane.runSeconds(6);
    expect(taints('a')).toEqual(['not-ready:NoSchedule', 'not-ready:NoExecute']);
    plane.isRefused = ({ verb }) => verb === 'update';
    setReady('a', 'True');
    plane.runSeconds(6);
    expect(taints('a')).toEqual(['not-ready:NoSchedule', 'not-ready:NoExecute']);
    plane.isRefused = () => false;
    plane.runSeconds(6);
    expect(taints('a')).toEqual([]);
  });

  test('a taint for eviction that somebody removed from a node that is not ready is set again', () => {
    for (const name of ['a', 'b']) addNode(name, 'True');
    start();
    setReady('a', 'False');
    plane.runSeconds(6);
    const node = plane.store.get('nodes', '', 'a');
    plane.store.update('nodes', { ...node, spec: { ...node.spec, taints: [] } });
    plane.runSeconds(16);
    expect(taints('a')).toEqual(['not-ready:NoSchedule', 'not-ready:NoExecute']);
  });

  test('a taint that could not be set when the conditions changed is set by a later pass', () => {
    for (const name of ['a', 'b']) addNode(name, 'True');
    start();
    plane.isRefused = ({ verb }) => verb === 'update';
    const node = plane.store.get('nodes', '', 'a');
    plane.store.updateStatus('nodes', {
      ...node,
      status: {
        ...node.status,
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'DiskPressure', status: 'True' },
        ],
      },
    });
    plane.runSeconds(6);
    expect(taints('a')).toEqual([]);
    plane.isRefused = () => false;
    plane.runSeconds(6);
    expect(taints('a')).toEqual(['disk-pressure:NoSchedule']);
    // Nothing is left to be done after the success.
    expect(plane.reported.length).toBeLessThanOrEqual(3);
  });

  test('no pass is made while nothing can be found', () => {
    addNode('a', 'True');
    const silent = { 'berth.dev/renewed-every-seconds': '10' };
    plane.store.create('leases', {
      metadata: { name: 'a', namespace: 'kube-node-lease', annotations: silent },
      spec: { renewTime: new Date(plane.loop.nowMillis()) },
    });
    start();
    plane.runSeconds(20);
    expect(plane.loop.pending).toBe(0);
    plane.runSeconds(3600);
    expect(ready('a')?.status).toBe('True');
  });
});
