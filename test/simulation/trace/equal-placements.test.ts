import { describe, expect, it } from 'vitest';
import { Cluster } from '../../../src/cluster/cluster.ts';
import type { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { ClusterRecorder } from '../../../src/live/record/cluster-recorder.ts';
import { KnownObjects } from '../../../src/recording/known-objects.ts';
import { RECORDING_FORMAT, RECORDING_VERSION } from '../../../src/recording/recording-lines.ts';
import type { StoreSchedulerOptions } from '../../../src/scheduler/store-scheduler.ts';
import { Simulation } from '../../../src/simulation/simulation.ts';
import type { ClusterTrace } from '../../../src/simulation/trace/cluster-trace.ts';
import { readTrace } from '../../../src/simulation/trace/read-trace.ts';
import type { PodAttempts } from '../../../src/simulation/trace/trace-player.ts';
import { RESOURCES, type Resource } from '../../../src/store/objects/resources.ts';

const MINUTE_MILLIS = 60_000;

interface Life {
  readonly seed: number;
  readonly nodes: number;
  readonly minutes: number;
  readonly podsPerMinute: number;
  /** Whether pods have claims for volumes that are made where the pod is put. */
  readonly hasClaims?: boolean;
}

/** Records the life of a random cluster: pods that run and end, others that are deleted, nodes that come and go. */
async function recorded({ seed, nodes, minutes, podsPerMinute, hasClaims = false }: Life): Promise<ClusterTrace> {
  const prng = new Prng(seed);
  const cluster = new Cluster({ seed, scheduler: {}, nodeAgents: {} });
  const { store } = cluster;
  const loop = cluster.loop as VirtualEventLoop;
  const pick = <T>(items: readonly T[]): T => oneOf(prng, items);
  const addNode = (name: string): void => {
    const amounts = { cpu: '8', memory: '32Gi', pods: '110' };
    const labels = { 'topology.kubernetes.io/zone': pick(['a', 'b']), 'kubernetes.io/hostname': name };
    store.create('nodes', { metadata: { name, labels }, status: { capacity: amounts, allocatable: amounts } });
  };
  for (let i = 0; i < nodes; i++) addNode(`node-${i}`);
  store.create('priorityclasses', { metadata: { name: 'high' }, value: 1000 });
  const provisioner = 'disks.example.com';
  const volumeBindingMode = 'WaitForFirstConsumer' as const;
  store.create('storageclasses', { metadata: { name: 'wait' }, provisioner, volumeBindingMode });
  cluster.start();
  const time = new Date(loop.nowMillis()).toISOString();
  const lines = [JSON.stringify({ format: RECORDING_FORMAT, version: RECORDING_VERSION, berth: 'test', time })];
  const recorder = new ClusterRecorder(
    {
      ...{ client: store, loop, prng: new Prng(1), reportError: () => {}, clock: loop },
      write: (line) => void lines.push(JSON.stringify(line)),
    },
    (Object.keys(RESOURCES) as Resource[]).filter((resource) => resource !== 'events' && resource !== 'leases'),
    new KnownObjects(),
  );
  recorder.start();
  cluster.runFor(MINUTE_MILLIS);
  let count = 0;
  const change = (): void => {
    const name = `node-${prng.below(nodes)}`;
    const isThere = store.list('nodes').items.some(({ metadata }) => metadata?.name === name);
    if (!isThere) addNode(name);
    else if (prng.below(3) === 0) store.delete('nodes', '', name);
    else store.patch('nodes', '', name, { type: 'merge', body: { spec: { unschedulable: prng.below(3) === 0 } } });
  };
  const deleteOne = (): void => {
    const { metadata } = pick(store.list('pods').items) ?? {};
    if (metadata?.name !== undefined) store.delete('pods', 'default', metadata.name);
  };
  for (let i = 0; i < minutes * podsPerMinute; i++) {
    cluster.runFor(prng.below((2 * MINUTE_MILLIS) / podsPerMinute));
    for (let burst = prng.below(40) === 0 ? 10 : 1; burst > 0; burst--) createPod(store, prng, count++, hasClaims);
    if (prng.below(50) === 0) change();
    if (prng.below(30) === 0) deleteOne();
  }
  cluster.runFor(MINUTE_MILLIS);
  recorder.stop();
  cluster.stop();
  return traceOf(lines);
}

/** Creates the pod of this number, with claims for volumes in half of the cases where pods may have some. */
function createPod(store: Cluster['store'], prng: Prng, number: number, hasClaims: boolean): void {
  const labels = { app: oneOf(prng, ['a', 'b', 'c']) };
  const claims = hasClaims && prng.below(2) === 0 ? [`claim-${number}`] : [];
  for (const name of claims) {
    const spec = { storageClassName: 'wait', resources: { requests: { storage: '1Gi' } } };
    const accessModes = ['ReadWriteOnce'] as const;
    const metadata = { name, namespace: 'default' };
    store.create('persistentvolumeclaims', { metadata, spec: { ...spec, accessModes } });
  }
  const podAffinityTerm = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: labels } };
  const apart = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, podAffinityTerm }] };
  store.create('pods', {
    metadata: {
      ...{ name: `p${number}`, namespace: 'default', labels },
      annotations: { 'berth.dev/run-duration': `${20 + prng.below(300)}s` },
    },
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'c', image: 'x', resources: { requests: { cpu: oneOf(prng, ['500m', '1', '3']) } } }],
      volumes: claims.map((name) => ({ name: 'v', persistentVolumeClaim: { claimName: name } })),
      ...(prng.below(20) === 0 && { priorityClassName: 'high' }),
      ...(prng.below(4) === 0 && { affinity: { podAntiAffinity: apart } }),
    },
  });
}

function oneOf<T>(prng: Prng, items: readonly T[]): T {
  return items[prng.below(items.length)] as T;
}

function traceOf(lines: readonly string[]): Promise<ClusterTrace> {
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  return readTrace(
    (async function* () {
      yield bytes;
    })(),
    'recording',
  );
}

function played(trace: ClusterTrace, attempts: PodAttempts, scheduler: StoreSchedulerOptions = {}) {
  const input = { seed: 1, objects: [], sources: [], faults: [], scheduler, untilMillis: undefined, trace, attempts };
  const simulation = new Simulation(input);
  simulation.start();
  while (simulation.end === undefined) simulation.run(1000);
  return simulation.summary();
}

describe('what was recorded', () => {
  it.each([
    { name: 'an hour with room for all pods', life: { seed: 1, nodes: 20, minutes: 60, podsPerMinute: 5 } },
    { name: 'pods that wait and evict each other', life: { seed: 2, nodes: 6, minutes: 8, podsPerMinute: 24 } },
    { name: 'claims', life: { seed: 4, nodes: 6, minutes: 6, podsPerMinute: 24, hasClaims: true } },
  ])('is played with equal placements: $name', async ({ life }) => {
    const { placements, pods, errors } = played(await recorded(life), 'recorded');
    expect(errors).toEqual([]);
    expect(placements?.differences).toEqual([]);
    expect(placements?.same).toBeGreaterThan(120);
    expect(pods.evicted > 0).toBe(life.nodes < 20);
  });

  it('is played under another configuration', async () => {
    const trace = await recorded({ seed: 3, nodes: 6, minutes: 6, podsPerMinute: 12 });
    const { placements } = played(trace, 'queue', { tieBreak: 'random', seed: 7 });
    expect(placements?.elsewhere).toBeGreaterThan(10);
    expect((placements?.same ?? 0) + (placements?.elsewhere ?? 0)).toBeGreaterThan(30);
  });
});
