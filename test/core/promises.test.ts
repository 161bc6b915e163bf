/** Devices and volumes that pods were promised: random lives with forks and restores, the reference engine beside. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EngineName, type Pod, Scheduler, SchedulerError, type SchedulerOptions } from '../../src/index.ts';
import { arbitraryDeviceObject, DEVICE_CLAIMS } from '../builders/arbitrary-devices.ts';
import { type AnyObject, nameOfObject, type ObjectName, setAnyObject } from '../builders/arbitrary-objects.ts';
import { makeDeviceClaim, makeDeviceClass, makeSlice } from '../builders/make-devices.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { claimVolume, makeClaim, makeVolume } from '../builders/make-storage.ts';
import { runs } from '../builders/runs.ts';

const numRuns = runs(20);
const NODES = ['n0', 'n1', 'n2'];
const VOLUME_CLAIMS = ['c0', 'c1', 'c2'];
const VOLUMES = ['v0', 'v1', 'v2'];
const PODS = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5'];
const CLASSES = { wait: 'kubernetes.io/no-provisioner', made: 'csi.example' };
/** A resource that devices back: the scheduler makes a claim for a pod that requests it. */
const EXTENDED = 'example.com/gpu';
const clock = { nowMillis: () => Date.UTC(2026, 0, 1) };

type Event =
  | { readonly do: 'schedule' | 'explain' | 'batch'; readonly pod: Pod }
  | { readonly do: 'removePod' | 'removeNode' | 'addNode'; readonly name: string }
  | { readonly do: 'set'; readonly object: AnyObject }
  | { readonly do: 'remove'; readonly object: ObjectName };

const object = (kind: AnyObject['kind'], made: object): AnyObject => ({ kind, object: made }) as AnyObject;

const volumeClaims = fc
  .record({ name: fc.constantFrom(...VOLUME_CLAIMS), className: fc.constantFrom('wait', 'wait', 'made') })
  .map(({ name, className }) => object('PersistentVolumeClaim', makeClaim(name, { className })));
const volumes = fc
  .record({ name: fc.constantFrom(...VOLUMES), zone: fc.constantFrom(undefined, ...NODES) })
  .map(({ name, zone }) => object('PersistentVolume', makeVolume(name, { className: 'wait', ...(zone && { zone }) })));
const objects = fc.oneof(
  { weight: 3, arbitrary: arbitraryDeviceObject(NODES) },
  { weight: 2, arbitrary: fc.oneof(volumeClaims, volumes) },
);

const pods = fc
  .record({
    name: fc.constantFrom(...PODS),
    devices: fc.subarray(DEVICE_CLAIMS, { maxLength: 2 }),
    volumes: fc.subarray(VOLUME_CLAIMS, { maxLength: 2 }),
    extended: fc.constantFrom(0, 0, 1),
  })
  .map(({ name, devices, volumes, extended }): Pod => {
    const resourceClaims = devices.map((claim) => ({ name: claim, resourceClaimName: claim }));
    return makePod(name, {
      spec: {
        containers: [
          { name: 'app', image: 'app', ...(extended > 0 && { resources: { requests: { [EXTENDED]: extended } } }) },
        ],
        ...(devices.length > 0 && { resourceClaims }),
        ...(volumes.length > 0 && { volumes: volumes.map(claimVolume) }),
      },
    });
  });

const events: fc.Arbitrary<Event> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('schedule', 'batch', 'explain'), pod: pods }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('removePod'), name: fc.constantFrom(...PODS) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('removeNode', 'addNode'), name: fc.constantFrom(...NODES) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('set'), object: objects }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove'), object: objects.map(nameOfObject) }) },
) as fc.Arbitrary<Event>;

/** The zone of a node is its name, so that a volume can be reached from one node alone. */
const node = (name: string) => makeNode(name, { labels: { zone: name } });

function born(options: SchedulerOptions, first: readonly AnyObject[]): Scheduler {
  const scheduler = new Scheduler({ clock, ...options });
  for (const name of NODES) scheduler.addNode(node(name));
  for (const [name, provisioner] of Object.entries(CLASSES)) {
    scheduler.setObject('StorageClass', { metadata: { name }, provisioner, volumeBindingMode: 'WaitForFirstConsumer' });
  }
  const { metadata, spec } = makeDeviceClass();
  scheduler.setObject('DeviceClass', { metadata, spec: { ...spec, extendedResourceName: EXTENDED } });
  for (const name of NODES) scheduler.setObject('ResourceSlice', makeSlice(name, ['d0', 'd1']));
  for (const name of DEVICE_CLAIMS) scheduler.setObject('ResourceClaim', makeDeviceClaim(name, [1]));
  for (const name of VOLUME_CLAIMS) scheduler.setObject('PersistentVolumeClaim', makeClaim(name));
  for (const name of VOLUMES.slice(1)) scheduler.setObject('PersistentVolume', makeVolume(name));
  for (const each of first) setAnyObject(scheduler, each);
  return scheduler;
}

/** Returns what the scheduler answered: a value, or the error by which it refused. */
function play(scheduler: Scheduler, event: Event): unknown {
  try {
    switch (event.do) {
      case 'schedule':
        return scheduler.schedule(event.pod);
      case 'batch':
        return [...scheduler.scheduleBatch([event.pod])];
      case 'explain':
        return scheduler.explain(event.pod);
      case 'removePod':
        return scheduler.removePod('default', event.name);
      case 'removeNode':
        return scheduler.removeNode(event.name);
      case 'addNode':
        return scheduler.addNode(node(event.name));
      case 'set':
        return setAnyObject(scheduler, event.object);
      case 'remove':
        return scheduler.removeObject(event.object.kind, event.object.name, event.object.namespace || undefined);
    }
  } catch (error) {
    if (error instanceof SchedulerError) return error.message;
    throw error;
  }
}

/** The claims and volumes as decisions know them, as JSON. */
function promised(scheduler: Scheduler): string {
  return JSON.stringify([
    DEVICE_CLAIMS.map((name) => scheduler.object('ResourceClaim', name, 'default')),
    VOLUME_CLAIMS.map((name) => scheduler.object('PersistentVolumeClaim', name, 'default')),
    VOLUMES.map((name) => scheduler.object('PersistentVolume', name)),
  ]);
}

describe('promises', () => {
  test('are those of the reference engine, and are kept by forks and restored schedulers', () => {
    let kept = 0;
    const life = (
      first: readonly AnyObject[],
      past: readonly Event[],
      future: readonly Event[],
      engine: EngineName,
    ): void => {
      const [control, otherControl] = [born({ engine: 'reference' }, first), born({ engine: 'reference' }, first)];
      const origin = born({ engine }, first);
      for (const [i, event] of past.entries()) {
        play(otherControl, event);
        expect(play(origin, event), `past ${i}`).toEqual(play(control, event));
      }
      expect(promised(origin)).toBe(promised(control));
      if (/"allocation"|"claimRef"|selected-node/.test(promised(origin))) kept++;
      const copies = {
        fork: origin.fork(),
        restored: Scheduler.restore(origin.snapshot(), { engine, clock }),
      };
      for (const [i, event] of future.entries()) {
        const expected = play(control, event);
        for (const [name, copy] of Object.entries(copies)) expect(play(copy, event), `${name} ${i}`).toEqual(expected);
        const other = future[future.length - 1 - i] as Event;
        expect(play(origin, other), `origin ${i}`).toEqual(play(otherControl, other));
      }
      for (const copy of Object.values(copies)) expect(promised(copy)).toBe(promised(control));
      expect(promised(origin)).toBe(promised(otherControl));
    };
    const lists = [
      fc.array(objects, { maxLength: 6 }),
      fc.array(events, { minLength: 6, maxLength: 20 }),
      fc.array(events, { minLength: 6, maxLength: 16 }),
    ] as const;
    fc.assert(fc.property(...lists, fc.constantFrom<EngineName>('simd', 'scalar', 'reference'), life), { numRuns });
    expect(kept).toBeGreaterThan(numRuns / 2);
  });

  test('end with the object of which something was promised', () => {
    const scheduler = born({}, []);
    for (const name of VOLUMES.slice(1)) scheduler.removeObject('PersistentVolume', name);
    const volume = makeVolume('v0');
    scheduler.setObject('PersistentVolume', volume);
    const podOf = (name: string, claim: string) => makePod(name, { spec: { volumes: [claimVolume(claim)] } });
    expect(scheduler.schedule(podOf('p', 'c0'))).toMatchObject({ status: 'scheduled' });
    expect(scheduler.object('PersistentVolume', 'v0')?.spec?.claimRef?.name).toBe('c0');
    expect(scheduler.schedule(podOf('q', 'c1'))).toMatchObject({ status: 'unschedulable' });
    scheduler.setObject('PersistentVolume', makeVolume('v0'));
    scheduler.setObject('PersistentVolume', volume);
    expect(scheduler.object('PersistentVolume', 'v0')).toEqual(volume);
    expect(scheduler.schedule(podOf('q', 'c1'))).toMatchObject({ status: 'scheduled' });
    scheduler.removeObject('PersistentVolume', 'v0');
    expect(scheduler.object('PersistentVolume', 'v0')).toBeUndefined();
  });
});
