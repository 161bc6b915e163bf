import { beforeEach, describe, expect, test } from 'vitest';
import type { Taint } from '../../../src/api/node.ts';
import type { Toleration } from '../../../src/api/taints.ts';
import { TaintEvictionController } from '../../../src/controllers/taint-eviction/taint-eviction-controller.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { ControlPlane } from '../control-plane.ts';

const TAINT: Taint = { key: 'maintenance', effect: 'NoExecute' };
const SECOND: Taint = { key: 'fire', effect: 'NoExecute' };

let plane: ControlPlane;
let messages: string[];

beforeEach(() => {
  plane = new ControlPlane();
  messages = [];
  const { client, informers, loop, reportError } = plane;
  const recorder = { event: (_: unknown, __: unknown, ___: string, message: string) => void messages.push(message) };
  const controller = new TaintEvictionController({ client, informers, loop, reportError, recorder });
  plane.store.create('nodes', makeNode('n'));
  plane.informers.start();
  controller.start();
});

function addPod(name: string, tolerations: readonly Toleration[] = []): void {
  plane.store.create('pods', makePod(name, { nodeName: 'n', tolerations }));
  plane.runSeconds(0);
}

function taint(...taints: readonly Taint[]): void {
  const node = plane.store.get('nodes', '', 'n');
  plane.store.update('nodes', { ...node, spec: { ...node.spec, taints } });
  plane.runSeconds(0);
}

const tolerating = (tolerationSeconds?: number, key = 'maintenance'): Toleration => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds !== undefined && { tolerationSeconds }),
});

describe('TaintEvictionController', () => {
  test('pods go at once, after a time, or not at all, as they tolerate', () => {
    addPod('none');
    addPod('some', [tolerating(60)]);
    addPod('all', [tolerating()]);
    taint(TAINT);
    expect(plane.leavingPods()).toEqual(['none']);
    expect(plane.store.get('pods', 'default', 'none').status?.conditions).toMatchObject([
      { type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager' },
    ]);
    plane.runSeconds(59);
    expect(plane.leavingPods()).toEqual(['none']);
    plane.runSeconds(1);
    expect(plane.leavingPods()).toEqual(['none', 'some']);
    plane.runSeconds(10_000);
    expect(plane.leavingPods()).toEqual(['none', 'some']);
  });

  test('what was planned is taken back with the taint', () => {
    addPod('some', [tolerating(60)]);
    taint(TAINT);
    plane.runSeconds(30);
    taint();
    plane.runSeconds(1000);
    expect(plane.leavingPods()).toEqual([]);
    expect(messages).toEqual(['Cancelling deletion of Pod default/some']);
  });

  test('every taint has to be tolerated, and the shortest time counts', () => {
    addPod('both', [tolerating(300), tolerating(60, 'fire')]);
    taint(TAINT, SECOND);
    plane.runSeconds(59);
    expect(plane.leavingPods()).toEqual([]);
    plane.runSeconds(1);
    expect(plane.leavingPods()).toEqual(['both']);
  });

  test('what was planned stays, unless a pod does not tolerate a further taint at all', () => {
    addPod('both', [tolerating(300), tolerating(60, 'fire')]);
    addPod('one', [tolerating(300)]);
    taint(TAINT);
    plane.runSeconds(30);
    taint(TAINT, SECOND);
    expect(plane.leavingPods()).toEqual(['one']);
    expect(messages).toEqual(['Cancelling deletion of Pod default/one', 'Marking for deletion Pod default/one']);
    plane.runSeconds(269);
    expect(plane.leavingPods()).toEqual(['one']);
    plane.runSeconds(1);
    expect(plane.leavingPods()).toEqual(['both', 'one']);
  });

  test('pods of a node that is gone leave as planned; those that are gone before are told so', () => {
    addPod('some', [tolerating(60)]);
    addPod('gone', [tolerating(60)]);
    taint(TAINT);
    plane.store.delete('nodes', '', 'n');
    plane.store.delete('pods', 'default', 'gone', { gracePeriodSeconds: 0 });
    plane.runSeconds(59);
    expect(plane.leavingPods()).toEqual([]);
    expect(messages).toEqual(['Cancelling deletion of Pod default/gone']);
    plane.runSeconds(1);
    expect(plane.leavingPods()).toEqual(['some']);
  });

  test('a pod that comes to a tainted node goes when some time has passed', () => {
    taint(TAINT);
    addPod('late');
    expect(plane.leavingPods()).toEqual([]);
    plane.runSeconds(0.05);
    expect(plane.leavingPods()).toEqual(['late']);
  });

  test('refused deletions are tried again', () => {
    addPod('none');
    let refusals = 2;
    plane.isRefused = ({ verb }) => verb === 'delete' && refusals-- > 0;
    taint(TAINT);
    plane.runSeconds(1);
    expect(plane.leavingPods()).toEqual(['none']);
    expect(plane.reported).toHaveLength(2);
  });

  test('a pod without a toleration for it may stay for five minutes on a node that does not respond', () => {
    addPod('plain');
    taint({ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' });
    plane.runSeconds(299);
    expect(plane.leavingPods()).toEqual([]);
    plane.runSeconds(2);
    expect(plane.leavingPods()).toEqual(['plain']);
  });
});
