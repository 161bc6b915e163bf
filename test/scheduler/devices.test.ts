import { describe, expect, it } from 'vitest';
import type { Device } from '../../src/api/resource-claims.ts';
import { storeApi } from '../../src/scheduler/store-api.ts';
import { makeDeviceClaim, makeDeviceClass, makeSlice, podWithDevices } from '../builders/make-devices.ts';
import { makeNode } from '../builders/make-node.ts';
import { SchedulerRig } from './scheduler-rig.ts';

/** The binding of devices may take so long. */
const BINDING_MILLIS = 600_000;

/** A cluster with one device, and a claim for it. */
function start(device: Device, modulesOf?: ConstructorParameters<typeof SchedulerRig>[1]): SchedulerRig {
  const rig = new SchedulerRig({}, modulesOf);
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
