import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ObjectKind, ObjectKinds } from '../../../src/api/kinds.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { type EngineName, Scheduler } from '../../../src/index.ts';
import { makeDeviceClaim, makeDeviceClass, makeSlice } from '../../builders/make-devices.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { claimVolume, makeClaim, makeStorageClass, makeVolume } from '../../builders/make-storage.ts';
import { runs } from '../../builders/runs.ts';

const numRuns = runs(30);

const NODES = ['n0', 'n1', 'n2', 'n3', 'n4'];
const ZONES = ['z0', 'z1'];
const zone = fc.constantFrom(...ZONES);

const node = fc.record({
  zone: fc.constantFrom(undefined, ...ZONES, ...ZONES),
  /** The number of volumes that the driver can attach; undefined without a CSINode. */
  limit: fc.constantFrom(undefined, 1, 2, 3, 30),
  devices: fc.nat(3),
});

/** What a pod has for itself, or shares with others of the same name. */
const wishes = fc.record({
  cpu: fc.constantFrom('2', '2', '2', '1'),
  /** A volume of the pod's own in this zone; an empty zone is one that every node reaches. */
  own: fc.option(fc.record({ zone: fc.oneof(zone, fc.constant('')), isLabelled: fc.boolean() })),
  /** Volumes that pods share; only one pod at a time may use the last one. */
  shared: fc.subarray(['shared-0', 'shared-1', 'exclusive'], { maxLength: 1 }),
  disk: fc.constantFrom(undefined, undefined, undefined, 'd0', 'd1'),
  devices: fc.constantFrom(0, 0, 0, 1, 1, 2, 3),
});
const low = fc.constantFrom(0, 0, 0, 1);
const high = fc.constantFrom(5, 5, 5, 9);
type Wishes = typeof wishes extends fc.Arbitrary<infer W> ? W : never;

/** Two such pods fill a node. */
const onNode = fc.record({ do: fc.constant('run' as const), wishes, priority: low, on: fc.constantFrom(...NODES) });
const event = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('schedule' as const), wishes, priority: high }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('again' as const), back: fc.nat(3) }) },
  { weight: 3, arbitrary: onNode },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), pod: fc.nat(30) }) },
  { weight: 3, arbitrary: fc.constant({ do: 'evict' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('node' as const), on: fc.nat(NODES.length - 1), node }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), back: fc.nat(3), zone }) },
);
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;
type NodeShape = typeof node extends fc.Arbitrary<infer N> ? N : never;

const life = fc.record({
  nodes: fc.array(node, { minLength: 3, maxLength: NODES.length, size: 'max' }),
  running: fc.array(fc.record({ wishes, priority: low }), { minLength: 8, maxLength: 10, size: 'max' }),
  events: fc.array(event, { minLength: 6, maxLength: 20, size: 'max' }),
});

/** A scheduler, and what a caller keeps beside it. Every pod brings its claims and volumes. */
class Life {
  readonly #scheduler: Scheduler;
  readonly #pending: Pod[] = [];
  #count = 0;
  #victims: readonly string[] = [];

  constructor(engine: EngineName, nodes: readonly NodeShape[]) {
    this.#scheduler = new Scheduler({ engine });
    this.#set('DeviceClass', makeDeviceClass());
    this.#set('StorageClass', makeStorageClass());
    for (const name of ['shared-0', 'shared-1', 'exclusive'])
      this.#setVolume(name, name === 'shared-1' ? 'z1' : '', false);
    for (const [i, shape] of nodes.entries()) this.#setNode(i, shape);
  }

  play(event: Event): unknown {
    const scheduler = this.#scheduler;
    switch (event.do) {
      case 'schedule':
        this.#pending.unshift(this.#podOf(event.wishes, event.priority));
        return this.#schedule(0);
      case 'again':
        return this.#schedule(event.back);
      case 'run': {
        const pod = this.#podOf(event.wishes, event.priority);
        if (scheduler.node(event.on) === undefined) return null;
        return scheduler.addPod({ ...pod, spec: { containers: [], ...pod.spec, nodeName: event.on } });
      }
      case 'remove':
        return this.#remove(`p${event.pod}`);
      case 'evict': {
        const victims = this.#victims;
        this.#victims = [];
        return victims.map((victim) => this.#remove(victim.slice('default/'.length)));
      }
      case 'node':
        return this.#setNode(event.on, event.node);
      case 'move': {
        const name = this.#pending[event.back]?.metadata?.name;
        return name === undefined ? null : this.#setVolume(`of-${name}`, event.zone, true);
      }
    }
  }

  #schedule(back: number): unknown {
    const pod = this.#pending[back];
    if (pod === undefined) return null;
    const name = pod.metadata?.name ?? '';
    if ((this.#scheduler.pod('default', name)?.node ?? null) !== null) return null;
    const result = this.#scheduler.schedule(pod);
    if (result.status === 'unschedulable') this.#victims = result.victims ?? [];
    return result;
  }

  #remove(name: string): unknown {
    if (this.#scheduler.pod('default', name) === undefined) return null;
    this.#scheduler.removePod('default', name);
    return name;
  }

  #podOf({ cpu, own, shared, disk, devices }: Wishes, priority: number): Pod {
    const name = `p${this.#count++}`;
    if (own !== null) this.#setVolume(`of-${name}`, own.zone, own.isLabelled);
    if (devices > 0) this.#set('ResourceClaim', makeDeviceClaim(`gpu-${name}`, [devices]));
    const disks = disk === undefined ? [] : [{ name: 'disk', gcePersistentDisk: { pdName: disk } }];
    const claims = [...(own === null ? [] : [`of-${name}`]), ...shared];
    const resourceClaims = devices > 0 ? [{ name: 'gpu', resourceClaimName: `gpu-${name}` }] : [];
    const { metadata, spec } = makePod(name, { requests: { cpu }, spec: { priority, resourceClaims } });
    return { metadata, spec: { containers: [], ...spec, volumes: [...claims.map(claimVolume), ...disks] } };
  }

  #setVolume(name: string, zone: string, isLabelled: boolean): void {
    const labels = isLabelled && zone !== '' ? { 'topology.kubernetes.io/zone': zone } : {};
    const modes = name === 'exclusive' ? { accessModes: ['ReadWriteOncePod'] } : {};
    this.#set('PersistentVolume', makeVolume(name, { labels, ...(zone !== '' && !isLabelled && { zone }) }));
    this.#set('PersistentVolumeClaim', makeClaim(name, { volume: name, spec: modes }));
  }

  #setNode(number: number, { zone, limit, devices }: NodeShape): void {
    const name = NODES[number] ?? '';
    const labels = zone === undefined ? {} : { zone, 'topology.kubernetes.io/zone': zone };
    const made = makeNode(name, { cpu: 4, labels });
    if (this.#scheduler.node(name) === undefined) this.#scheduler.addNode(made);
    else this.#scheduler.updateNode(made);
    this.#set(
      'ResourceSlice',
      makeSlice(
        name,
        Array.from({ length: devices }, (_, i) => `gpu-${i}`),
      ),
    );
    const drivers = [{ name: 'csi.example', nodeID: name, allocatable: { count: limit } }];
    this.#set('CSINode', { metadata: { name }, spec: { drivers: limit === undefined ? [] : drivers } });
  }

  #set<K extends ObjectKind>(kind: K, object: ObjectKinds[K]): void {
    this.#scheduler.setObject(kind, object);
  }
}

test('all engines preempt alike for pods with volumes, disks and devices, each with its own', () => {
  fc.assert(
    fc.property(life, ({ nodes, running, events }) => {
      const reference = new Life('reference', nodes);
      const others = (['scalar', 'simd'] as const).map((engine) => ({ engine, life: new Life(engine, nodes) }));
      const filling = running.map((one, i) => ({ do: 'run' as const, ...one, on: NODES[i >> 1] ?? '' }));
      const all: readonly Event[] = [...filling, ...events];
      for (const [step, event] of all.entries()) {
        const expected = reference.play(event);
        for (const { engine, life } of others) {
          expect(life.play(event), `${engine}, step ${step}, ${event.do}`).toEqual(expected);
        }
      }
    }),
    { numRuns },
  );
});
