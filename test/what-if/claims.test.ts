import { expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { PodGroupScheduler } from '../../src/cluster/pod-group-scheduler.ts';
import { Scheduler } from '../../src/core/scheduler.ts';
import { answer, type Question } from '../../src/what-if/what-if.ts';
import { makeDeviceClaim, makeDeviceClass, makeSlice, podWithDevices, withDevices } from '../builders/make-devices.ts';
import { makeNode } from '../builders/make-node.ts';

const NOTHING: Question = { lose: [], drain: [], more: [], shrink: undefined, search: undefined };

/** A pod of a controller on a node, with the device of its claim there. */
function pod(name: string, nodeName: string): Pod {
  const { metadata, spec } = podWithDevices(name, [`c-${name}`]);
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'job', uid: 'job', controller: true };
  return {
    metadata: { ...metadata, namespace: 'default', uid: `uid-${name}`, ownerReferences: [owner] },
    spec: { ...(spec ?? { containers: [] }), nodeName },
  };
}

const featureGates = { GenericWorkload: true };

it.each([
  ['in turn', () => new Scheduler()],
  ['by a queue', () => new PodGroupScheduler({ featureGates })],
] as const)('pods give their devices back, and get others elsewhere: %s', async (_, newScheduler) => {
  const ask = async (spare: number, question: Partial<Question>) => {
    const scheduler = newScheduler();
    scheduler.setObject('DeviceClass', makeDeviceClass());
    const sizes = { n0: 2, n1: spare };
    for (const [name, count] of Object.entries(sizes)) {
      scheduler.addNode(makeNode(name));
      scheduler.setObject('ResourceSlice', makeSlice(name, ['d0', 'd1'].slice(0, count)));
    }
    for (const [i, name] of ['a', 'b'].entries()) {
      scheduler.setObject('ResourceClaim', withDevices(makeDeviceClaim(`c-${name}`, [1]), 'n0', [`d${i}`], [name]));
      scheduler.addPod(pod(name, 'n0'));
    }
    const options = { pause: async () => {}, replacesBare: false };
    const result = await answer({ scheduler, pending: [], budgets: [] }, { ...NOTHING, ...question }, options);
    scheduler.close();
    return result;
  };
  expect((await ask(2, { lose: ['n0'] })).counts).toEqual({ moved: 2 });
  expect((await ask(1, { lose: ['n0'] })).counts).toEqual({ moved: 1, pending: 1 });
  expect((await ask(2, { drain: ['n0'] })).counts).toEqual({ moved: 2 });
  const search = { kind: 'removeNodes' } as const;
  expect((await ask(1, { search })).removal?.removed).toEqual(['n1']);
  expect((await ask(2, { search })).removal?.removed).toHaveLength(1);
});
