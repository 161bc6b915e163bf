import { beforeEach, expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { newPodGcController, type PodGcController } from '../../../src/controllers/podgc/pod-gc-controller.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { ControlPlane } from '../control-plane.ts';

let plane: ControlPlane;
let gc: PodGcController;

beforeEach(() => {
  plane = new ControlPlane();
  const { client, informers, loop, reportError } = plane;
  gc = newPodGcController({ client, informers, loop, reportError, terminatedPodThreshold: 2 });
  informers.start();
  gc.start();
  plane.runSeconds(1);
});

function createPod(name: string, nodeName?: string, finalizers?: readonly string[]): Pod {
  const pod = makePod(name);
  const created = plane.store.create('pods', { ...pod, metadata: { ...pod.metadata, finalizers } });
  if (nodeName !== undefined) plane.store.bind('default', name, { target: { name: nodeName } });
  return created;
}

const setPhase = (name: string, phase: string): unknown =>
  plane.store.patch('pods', 'default', name, { type: 'merge', body: { status: { phase } } }, 'status');

test('pods of a node that went fail, say why, and go', () => {
  plane.store.create('nodes', makeNode('n'));
  createPod('a', 'n');
  createPod('held', 'n', ['example.com/held']);
  setPhase('held', 'Running');
  plane.runSeconds(100);
  expect(plane.names('pods')).toHaveLength(2);
  plane.store.delete('nodes', '', 'n');
  plane.runSeconds(80);
  expect(plane.names('pods')).toEqual(['default/held']);
  const { metadata, status } = plane.store.get('pods', 'default', 'held');
  expect(metadata?.deletionTimestamp).toBeDefined();
  expect(status?.phase).toBe('Failed');
  expect(status?.conditions?.find(({ type }) => type === 'DisruptionTarget')).toMatchObject({
    status: 'True',
    reason: 'DeletionByPodGC',
    message: 'PodGC: node no longer exists',
  });
  expect(plane.reported).toEqual([]);
});

test('of the pods that ended, the oldest go', () => {
  plane.store.create('nodes', makeNode('n'));
  for (const name of ['d', 'c', 'b', 'a']) {
    createPod(name, 'n');
    setPhase(name, 'Succeeded');
    plane.runSeconds(1);
  }
  plane.runSeconds(20);
  expect(plane.names('pods')).toEqual(['default/a', 'default/b']);
  expect(gc.metrics.terminated).toEqual({ total: 2, errors: 0 });
});

test('a pod that another one has replaced is spared', () => {
  createPod('a', 'gone');
  plane.runSeconds(30);
  plane.informers.of('pods').stop();
  plane.store.delete('pods', 'default', 'a', { gracePeriodSeconds: 0 });
  const { metadata } = createPod('a', 'gone');
  plane.runSeconds(40);
  expect(plane.store.get('pods', 'default', 'a').metadata?.uid).toBe(metadata?.uid);
  expect(plane.reported).toHaveLength(1);
});
