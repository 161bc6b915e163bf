import { describe, expect, it } from 'vitest';
import type { Device } from '../../src/api/resource-claims.ts';
import { storeApi } from '../../src/scheduler/store-api.ts';
import { makeDeviceClaim, makeDeviceClass, makeSlice, podWithDevices, withDevices } from '../builders/make-devices.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { SchedulerRig } from './scheduler-rig.ts';

/** The binding of devices may take so long. */
const BINDING_MILLIS = 600_000;

type RigParameters = ConstructorParameters<typeof SchedulerRig>;

/** A cluster with one device, and a claim for it. */
function start(device: Device, modulesOf?: RigParameters[1], options: RigParameters[0] = {}): SchedulerRig {
  const rig = new SchedulerRig(options, modulesOf);
  rig.store.create('nodes', makeNode('n'));
  rig.store.create('deviceclasses', makeDeviceClass());
  rig.store.create('resourceslices', makeSlice('n', [device]));
  const { metadata, spec } = makeDeviceClaim('c', [1]);
  rig.store.create('resourceclaims', { metadata: { name: 'c', namespace: metadata?.namespace }, spec });
  return rig;
}

describe('a pod with a claim for devices that is not bound in the end', () => {
  it('no longer uses its claim, which keeps its devices for the next attempt', () => {
    let refusals = 1;
    const rig = start({ name: 'd' }, ({ store }) => {
      const api = storeApi(store);
      const bindPod: typeof api.bindPod = (pod, node) => {
        if (refusals-- <= 0) return api.bindPod(pod, node);
        const { status } = store.get('resourceclaims', 'default', 'c');
        expect(status?.reservedFor).toHaveLength(1);
        throw new Error('the binding failed');
      };
      return { api: { ...api, bindPod } };
    });
    rig.store.create('pods', podWithDevices('p', ['c']));
    rig.runMillis(100);
    const { status } = rig.store.get('resourceclaims', 'default', 'c');
    expect([status?.reservedFor ?? [], status?.allocation?.devices?.results?.length]).toEqual([[], 1]);
    rig.runMillis(5000);
    expect(rig.nodeOf('p')).toBe('n');
    const again = rig.store.get('resourceclaims', 'default', 'c').status;
    expect(again?.reservedFor).toMatchObject([{ name: 'p' }]);
  });

  it('gives its devices up if they do not get ready in time', () => {
    const rig = start({ name: 'd', bindingConditions: ['Attached'], bindingFailureConditions: ['Broken'] });
    rig.store.create('pods', podWithDevices('p', ['c']));
    rig.runMillis(BINDING_MILLIS + 500);
    const { status } = rig.store.get('resourceclaims', 'default', 'c');
    expect([status?.reservedFor ?? [], status?.allocation?.devices?.results?.length]).toEqual([[], 1]);
    expect(rig.events.at(-1)?.note).toContain('device binding timeout: context deadline exceeded');
    rig.runMillis(5000);
    expect(rig.events.map(({ note }) => note).join()).toContain('deallocation of ResourceClaim completed');
  });
});

it('a trial of a group in a copy of the cluster writes nothing of the claims that its pods have', () => {
  const rig = start({ name: 'd' }, undefined, { featureGates: { GenericWorkload: true } });
  rig.store.create('podgroups', {
    metadata: { name: 'g', namespace: 'default' },
    spec: { schedulingPolicy: { basic: {} } },
  });
  const pod = makePod('p', { requests: { cpu: '1000' } });
  const resourceClaims = [{ name: 'c', resourceClaimName: 'c' }];
  const spec = { ...pod.spec, resourceClaims, schedulingGroup: { podGroupName: 'g' } };
  const { uid = '' } = rig.store.create('pods', { ...pod, spec }).metadata ?? {};
  const claim = rig.store.get('resourceclaims', 'default', 'c');
  const { status } = withDevices(claim, 'n', ['d']);
  const reservedFor = [{ resource: 'pods', name: 'p', uid }];
  const before = rig.store.updateStatus('resourceclaims', { ...claim, status: { ...status, reservedFor } });
  rig.runMillis(1000);
  const nodes = [makeNode('n', { cpu: '2000' })];
  const { group } = rig.scheduler.changedGroup().explain(rig.pod('p'), { nodes, changed: (given) => given });
  expect(group?.members).toMatchObject([{ node: 'n' }]);
  expect(rig.store.get('resourceclaims', 'default', 'c')).toBe(before);
});
