import { describe, expect, it } from 'vitest';
import { SELECTED_NODE_ANNOTATION } from '../../../src/api/volume-claims.ts';
import { Simulation } from '../../../src/simulation/simulation.ts';
import type { ClusterTrace } from '../../../src/simulation/trace/cluster-trace.ts';
import { readTrace } from '../../../src/simulation/trace/read-trace.ts';
import type { PodAttempts } from '../../../src/simulation/trace/trace-player.ts';
import { claimVolume, makeClaim, makeStorageClass } from '../../builders/make-storage.ts';

const time = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
const amounts = { cpu: '4', memory: '8Gi', pods: '10' };
const node = (name: string, resourceVersion: string) => ({
  ...{ apiVersion: 'v1', kind: 'Node', metadata: { name, uid: name, resourceVersion } },
  status: { capacity: amounts, allocatable: amounts },
});
const pod = (name: string, resourceVersion: string, cpu: string, nodeName: string, phase = 'Pending') => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', uid: name, resourceVersion } },
  spec: {
    schedulerName: 'default-scheduler',
    containers: [{ name: 'c', image: 'x', resources: { requests: { cpu, memory: '1Gi' } } }],
    ...(nodeName !== '' && { nodeName }),
  },
  status: { phase },
});

const podOf = (name: string, version: number, nodeName: string, more: object = {}) => ({
  ...pod(name, String(version), '1', nodeName),
  ...more,
});
const waits = (message: string) => ({
  status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', message }] },
});

interface Change {
  readonly at: number;
  readonly type?: 'ADDED' | 'DELETED';
  readonly object: object;
}

/** Two nodes; a large pod on a, a small one on b; and what happens then, in the order of the list. */
async function traceOf(changes: readonly Change[]): Promise<ClusterTrace> {
  const lines = [
    { format: 'berth-cluster-recording', version: 1, berth: '0', time: time(0) },
    ...[node('a', '2'), node('b', '3')].map((object) => ({ time: time(1), type: 'ADDED', listed: true, object })),
    { time: time(1), type: 'BOOKMARK', resource: 'nodes', resourceVersion: '9', listed: true },
    ...[pod('large', '4', '3', 'a', 'Running'), pod('small', '5', '1', 'b', 'Running')].map((object) => {
      return { time: time(1), type: 'ADDED', listed: true, object };
    }),
    { time: time(1), type: 'BOOKMARK', resource: 'pods', resourceVersion: '9', listed: true },
    ...changes.map(({ at, type = 'MODIFIED', object }) => ({ time: time(at), type, object })),
  ];
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return readTrace(
    (async function* () {
      yield bytes;
    })(),
    'recording',
  );
}

async function started(changes: readonly Change[], attempts: PodAttempts = 'recorded'): Promise<Simulation> {
  const trace = await traceOf(changes);
  const input = { seed: 1, objects: [], sources: [], faults: [], scheduler: {}, untilMillis: undefined };
  const simulation = new Simulation({ ...input, trace, attempts });
  simulation.start();
  return simulation;
}

/** Returns the node of the new pod, and the second in which it got it; '' for none. */
async function played(changes: readonly Change[], attempts?: PodAttempts) {
  const simulation = await started(changes, attempts);
  const { store } = simulation.cluster;
  let found = '';
  while (simulation.end === undefined) {
    simulation.run(1);
    const node = store.list('pods').items.find(({ metadata }) => metadata?.name === 'new')?.spec?.nodeName;
    if (found === '' && node) found = `${node} at ${simulation.elapsedMillis / 1000}`;
  }
  return { found, placements: simulation.summary().placements };
}

const largeEnds = { at: 2, object: pod('large', '11', '3', 'a', 'Succeeded') };
const arrives = { at: 2, type: 'ADDED', object: podOf('new', 10, '') } as const;
/** Fills the nodes, so that a pod has to wait. */
const full = [6, 7, 8].map((version) => {
  return { at: 1.5, type: 'ADDED', object: podOf(`filler-${version}`, version, 'b') } as const;
});
const other = { at: 1.5, type: 'ADDED', object: podOf('filler-a', 9, 'a') } as const;

describe('a player of traces', () => {
  it('takes every write before a decision as seen; the recorded node decides nothing', async () => {
    for (const node of ['a', 'b']) {
      const { found } = await played([arrives, largeEnds, { at: 2, object: podOf('new', 12, node) }]);
      expect(found).toBe('a at 2');
      const { found: unseen } = await played([
        arrives,
        { at: 2, object: podOf('new', 11, node) },
        { ...largeEnds, object: pod('large', '12', '3', 'a', 'Succeeded') },
      ]);
      expect(unseen).toBe('b at 2');
    }
  });

  it('tries a pod that waits for room when it was tried there, and otherwise when its queue says so', async () => {
    const changes = [
      ...[...full, other, arrives, { at: 2, object: podOf('new', 11, '', waits('no room')) }],
      { at: 20, object: pod('large', '12', '3', 'a', 'Succeeded') },
      { at: 60, object: podOf('new', 13, 'a') },
    ];
    expect((await played(changes)).found).toBe('a at 60');
    expect((await played(changes, 'queue')).found).toBe('a at 20');
  });

  it('tries by its queue from then on what has a node only in the recording', async () => {
    const changes = [
      ...[...full, other, arrives, { at: 3, object: podOf('new', 11, 'a') }],
      { at: 20, object: pod('large', '12', '3', 'a', 'Succeeded') },
      { at: 60, object: node('b', '13') },
    ];
    const { found, placements } = await played(changes);
    expect(found).toBe('a at 20');
    expect(placements?.same).toBe(1);
  });

  it('decides about a pod with a claim before it sees the node that was selected for the claim', async () => {
    const volumes = [claimVolume('c')];
    const { spec, ...waiting } = podOf('new', 12, '');
    const claim = (resourceVersion: string, annotations: object) => {
      const { metadata, ...rest } = makeClaim('c', { className: 'wait' });
      const type = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
      return { ...type, ...rest, metadata: { ...metadata, uid: 'c', resourceVersion, annotations } };
    };
    const storageClass = makeStorageClass('wait', { provisioner: 'disks.example.com' });
    const classMetadata = { ...storageClass.metadata, resourceVersion: '10' };
    const type = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass' };
    const simulation = await started([
      { at: 2, type: 'ADDED', object: { ...type, ...storageClass, metadata: classMetadata } },
      { at: 2, type: 'ADDED', object: claim('11', {}) },
      { at: 2, type: 'ADDED', object: { ...waiting, spec: { ...spec, volumes } } },
      { ...largeEnds, object: pod('large', '13', '3', 'a', 'Succeeded') },
      { at: 3, object: claim('14', { [SELECTED_NODE_ANNOTATION]: 'b' }) },
    ]);
    const { store } = simulation.cluster;
    const selected = () =>
      store.list('persistentvolumeclaims').items[0]?.metadata?.annotations?.[SELECTED_NODE_ANNOTATION];
    while (simulation.end === undefined && selected() === undefined) simulation.run(1);
    expect(selected()).toBe('a');
  });
});
