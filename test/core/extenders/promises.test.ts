/** What Reserve promises after an extender has answered, when others got something meanwhile. */
import { describe, expect, test } from 'vitest';
import { type EngineName, type Pod, Scheduler } from '../../../src/index.ts';
import { makeDeviceClaim, makeDeviceClass, makeSlice, podWithDevices } from '../../builders/make-devices.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { claimVolume, makeClaim, makeVolume } from '../../builders/make-storage.ts';
import { configured } from '../configured.ts';
import { HeldTransport } from './held-transport.ts';

const MANAGED = 'example.com/slow';
const EXTENDER = { urlPrefix: 'http://e', filterVerb: 'filter', nodeCacheCapable: true };
const WAIT = { metadata: { name: 'wait' }, provisioner: 'none', volumeBindingMode: 'WaitForFirstConsumer' };

/** The extender is asked about pods that request the managed resource, and about no others. */
function schedulerOn(engine: EngineName) {
  const transport = new HeldTransport();
  const extenders = [{ ...EXTENDER, managedResources: [{ name: MANAGED }] }];
  const scheduler = new Scheduler({ engine, configuration: configured({ extenders }), extenderTransport: transport });
  scheduler.addNode(makeNode('a', { allocatable: { cpu: '4', memory: '8Gi', pods: 10, [MANAGED]: 5 } }));
  const provisioner = 'kubernetes.io/no-provisioner';
  scheduler.setObject('StorageClass', { ...WAIT, provisioner });
  scheduler.setObject('DeviceClass', makeDeviceClass());
  return { scheduler, transport };
}

function managed(pod: Pod): Pod {
  const requests = { [MANAGED]: 1 };
  return { ...pod, spec: { ...pod.spec, containers: [{ name: 'c', image: 'x', resources: { requests } }] } };
}

const podWithVolume = (name: string, claim: string): Pod => makePod(name, { spec: { volumes: [claimVolume(claim)] } });

describe.each<EngineName>(['reference', 'scalar', 'simd'])('while an extender thinks, engine %s', (engine) => {
  async function decided(first: Pod, second: Pod, prepare: (scheduler: Scheduler) => void) {
    const { scheduler, transport } = schedulerOn(engine);
    prepare(scheduler);
    const deciding = scheduler.scheduleAsync(managed(first));
    const { answer } = await transport.next();
    expect(scheduler.schedule(second)).toMatchObject({ status: 'scheduled' });
    answer({ NodeNames: ['a'] });
    return { scheduler, deciding };
  }

  test.each([2, 1])('another pod gets a device of %i', async (count) => {
    const { scheduler, deciding } = await decided(
      podWithDevices('p', ['x']),
      podWithDevices('q', ['y']),
      (scheduler) => {
        scheduler.setObject('ResourceSlice', makeSlice('a', ['d0', 'd1'].slice(0, count)));
        for (const name of ['x', 'y']) scheduler.setObject('ResourceClaim', makeDeviceClaim(name, [1]));
      },
    );
    if (count === 1) await expect(deciding).rejects.toMatchObject({ code: 'Conflict' });
    else expect(await deciding).toMatchObject({ node: 'a' });
    const devices = ['x', 'y'].flatMap((name) => {
      const { allocation } = scheduler.object('ResourceClaim', name, 'default')?.status ?? {};
      return allocation?.devices?.results?.map(({ device }) => device) ?? [];
    });
    expect(devices.sort()).toEqual(['d0', 'd1'].slice(0, count));
  });

  test('another pod gets devices by the same claim', async () => {
    const { scheduler, deciding } = await decided(
      podWithDevices('p', ['x']),
      podWithDevices('q', ['x']),
      (scheduler) => {
        scheduler.setObject('ResourceSlice', makeSlice('a', ['d0', 'd1']));
        scheduler.setObject('ResourceClaim', makeDeviceClaim('x', [1]));
      },
    );
    expect(await deciding).toMatchObject({ node: 'a' });
    const { reservedFor } = scheduler.object('ResourceClaim', 'x', 'default')?.status ?? {};
    expect(reservedFor?.map(({ name }) => name)).toEqual(['q', 'p']);
  });

  test.each([2, 1])('another pod gets a volume of %i', async (count) => {
    const { scheduler, deciding } = await decided(podWithVolume('p', 'x'), podWithVolume('q', 'y'), (scheduler) => {
      for (const name of ['v0', 'v1'].slice(0, count)) scheduler.setObject('PersistentVolume', makeVolume(name));
      for (const name of ['x', 'y']) scheduler.setObject('PersistentVolumeClaim', makeClaim(name));
    });
    if (count === 1) await expect(deciding).rejects.toMatchObject({ code: 'Conflict' });
    else expect(await deciding).toMatchObject({ node: 'a' });
    const owners = ['v0', 'v1'].map((name) => scheduler.object('PersistentVolume', name)?.spec?.claimRef?.name);
    expect(owners).toEqual(count === 1 ? ['y', undefined] : ['y', 'x']);
  });
});
