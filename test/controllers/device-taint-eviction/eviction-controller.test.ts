import { beforeEach, describe, expect, test } from 'vitest';
import type { DeviceTaint } from '../../../src/api/resource-claims.ts';
import type { Toleration } from '../../../src/api/taints.ts';
import { DeviceTaintEvictionController } from '../../../src/controllers/device-taint-eviction/eviction-controller.ts';
import { makeDeviceClaim, makeSlice, withDevices } from '../../builders/make-devices.ts';
import { makePod } from '../../builders/make-pod.ts';
import { ControlPlane } from '../control-plane.ts';

const BROKEN: DeviceTaint = { key: 'broken', effect: 'NoExecute' };

let plane: ControlPlane;
let messages: string[];

beforeEach(() => {
  plane = new ControlPlane();
  messages = [];
  const { client, informers, loop, reportError } = plane;
  const recorder = {
    event: (_: unknown, type: string, reason: string, message: string) => {
      messages.push(`${type} ${reason}: ${message}`);
    },
  };
  const controller = new DeviceTaintEvictionController({ client, informers, loop, reportError, recorder });
  plane.store.create('resourceslices', makeSlice('n', ['d0', 'd1']));
  plane.informers.start();
  controller.start();
  plane.runSeconds(0);
});

/** A pod on node `n` that uses device `d0` by a claim with these tolerations. */
function addPod(name: string, tolerations: readonly Toleration[] = [], nodeName = 'n'): void {
  const resourceClaims = [{ name: 'own', resourceClaimName: name }];
  const { metadata } = plane.store.create('pods', makePod(name, { nodeName, spec: { resourceClaims } }));
  const claim = plane.store.create('resourceclaims', makeDeviceClaim(name, [1]));
  const allocated = withDevices(claim, 'n', ['d0']);
  const results = allocated.status?.allocation?.devices?.results?.map((result) => ({ ...result, tolerations }));
  const reservedFor = [{ resource: 'pods', name, uid: metadata?.uid ?? '' }];
  plane.store.updateStatus('resourceclaims', {
    ...claim,
    status: { allocation: { devices: { results } }, reservedFor },
  });
  plane.runSeconds(0);
}

function taint(device: string, taints: readonly DeviceTaint[], generation = 1): void {
  const slice = plane.store.get('resourceslices', '', 'n');
  const devices = slice.spec.devices?.map((each) => (each.name === device ? { ...each, taints } : each));
  const pool = { ...slice.spec.pool, generation };
  plane.store.update('resourceslices', { ...slice, spec: { ...slice.spec, devices, pool } });
  plane.runSeconds(0);
}

const tolerating = (tolerationSeconds?: number, effect = 'NoExecute'): Toleration => ({
  ...{ key: 'broken', operator: 'Exists' },
  ...(effect !== '' && { effect }),
  ...(tolerationSeconds !== undefined && { tolerationSeconds }),
});

describe('DeviceTaintEvictionController', () => {
  test('pods go at once, after a time, or not at all, as their claims tolerate', () => {
    addPod('none');
    addPod('some', [tolerating(60), tolerating(90)]);
    addPod('all', [tolerating(60), tolerating()]);
    addPod('any-effect', [tolerating(undefined, '')]);
    taint('d1', [BROKEN]);
    taint('d0', [{ ...BROKEN, effect: 'NoSchedule' }]);
    expect(plane.leavingPods()).toEqual([]);
    taint('d0', [BROKEN]);
    expect(plane.leavingPods()).toEqual(['any-effect', 'none']);
    expect(plane.store.get('pods', 'default', 'none').status?.conditions).toMatchObject([
      {
        ...{ type: 'DisruptionTarget', status: 'True', reason: 'DeletionByDeviceTaintManager' },
        message: 'Device Taint manager: deleting due to NoExecute taint',
      },
    ]);
    plane.runSeconds(59);
    expect(plane.leavingPods()).toEqual(['any-effect', 'none']);
    plane.runSeconds(1);
    expect(plane.leavingPods()).toEqual(['any-effect', 'none', 'some']);
    plane.runSeconds(10_000);
    expect(plane.leavingPods()).toEqual(['any-effect', 'none', 'some']);
    expect(messages).toEqual(Array(3).fill('Normal DeviceTaintManagerEviction: Marking for deletion'));
  });

  test('the time counts from when the taint was added, which the API notes', () => {
    addPod('some', [tolerating(60)]);
    taint('d0', [{ ...BROKEN, timeAdded: '2025-12-31T23:59:30Z' }]);
    plane.runSeconds(29);
    expect(plane.leavingPods()).toEqual([]);
    plane.runSeconds(1);
    expect(plane.leavingPods()).toEqual(['some']);
    taint('d1', [BROKEN]);
    const added = plane.store.get('resourceslices', '', 'n').spec.devices?.[1]?.taints?.[0]?.timeAdded;
    expect(added).toBe('2026-01-01T00:00:30Z');
  });

  test('what was planned is taken back with the taint, and with the slice', () => {
    addPod('some', [tolerating(60)]);
    taint('d0', [BROKEN]);
    taint('d0', []);
    expect(messages).toEqual(['Normal DeviceTaintManagerEviction: Cancelling deletion']);
    taint('d0', [BROKEN]);
    plane.store.delete('resourceslices', '', 'n');
    plane.runSeconds(1000);
    expect(plane.leavingPods()).toEqual([]);
    expect(messages).toHaveLength(2);
  });

  test('slices of an old generation do not count', () => {
    addPod('one');
    const newer = makeSlice('n', ['d0'], { pool: { name: 'n', generation: 2, resourceSliceCount: 1 } });
    plane.store.create('resourceslices', { ...newer, metadata: { name: 'newer' } });
    taint('d0', [BROKEN]);
    expect(plane.leavingPods()).toEqual([]);
    plane.store.delete('resourceslices', '', 'newer');
    plane.runSeconds(0);
    expect(plane.leavingPods()).toEqual(['one']);
  });

  test('pods that come to a tainted device go as well, those without a node stay', () => {
    taint('d0', [BROKEN]);
    addPod('waiting', [], '');
    addPod('late');
    expect(plane.leavingPods()).toEqual(['late']);
    expect(plane.names('pods')).toContain('default/waiting');
  });

  test('a pod that does not use the claim stays, also one with the name of a user', () => {
    addPod('user');
    const { metadata: _, ...spec } = makePod('other', {
      nodeName: 'n',
      spec: { resourceClaims: [{ name: 'own', resourceClaimName: 'user' }] },
    });
    plane.store.create('pods', { ...spec, metadata: { name: 'other', namespace: 'default' } });
    taint('d0', [BROKEN]);
    expect(plane.leavingPods()).toEqual(['user']);
  });

  test('an eviction that fails is tried again', () => {
    addPod('one');
    let refused = 2;
    plane.isRefused = ({ verb }) => verb === 'delete' && refused-- > 0;
    taint('d0', [BROKEN]);
    expect(plane.leavingPods()).toEqual([]);
    plane.runSeconds(1);
    expect(plane.leavingPods()).toEqual(['one']);
    expect(plane.reported).toHaveLength(2);
  });
});
