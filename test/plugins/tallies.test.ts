import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import type { ClusterState } from '../../src/framework/cluster/cluster-state.ts';
import { CycleState } from '../../src/framework/cycle-state.ts';
import type { NodeInfo } from '../../src/framework/node-info.ts';
import type { FilterPlugin } from '../../src/framework/plugin.ts';
import type { PodInfo } from '../../src/framework/pod-info.ts';
import type { Status } from '../../src/framework/status.ts';
import { defaultFramework } from '../builders/default-framework.ts';
import { makeCluster, makePodInfo } from '../builders/make-cluster.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { makeClaim, makeVolume } from '../builders/make-storage.ts';

const GPU = 'example.com/gpu';

const node = fc.record({
  cpu: fc.nat(4),
  pods: fc.nat(6),
  gpus: fc.nat(2),
  /** The number of volumes that the CSI driver can attach; undefined without a CSINode. */
  limit: fc.constantFrom(undefined, 0, 1, 2, 3),
  /** The volumes that are attached, whether or not a pod uses them. */
  attached: fc.uniqueArray(fc.constantFrom('v0', 'v1'), { maxLength: 2 }),
});
const sketch = fc.record({
  cpu: fc.constantFrom('0', '500m', '1'),
  gpus: fc.nat(1),
  ports: fc.array(
    fc.record({ hostPort: fc.constantFrom(80, 80, 81), hostIP: fc.constantFrom(undefined, '1.1.1.1', '::') }),
    { maxLength: 2 },
  ),
  disk: fc.constantFrom(undefined, undefined, 'd', 'e'),
  /** The names of CSI volumes that the pod mounts. */
  volumes: fc.uniqueArray(fc.constantFrom('v0', 'v1', 'v2', 'v3'), { maxLength: 2 }),
});
const pods = fc.array(sketch, { minLength: 1, maxLength: 5, size: 'max' });

function podsOf(prefix: string, sketches: readonly (typeof sketch extends fc.Arbitrary<infer S> ? S : never)[]): Pod[] {
  return sketches.map(({ cpu, gpus, ports, disk, volumes }, i) => {
    const { metadata, spec } = makePod(`${prefix}${i}`, { requests: { cpu, ...(gpus > 0 && { [GPU]: gpus }) }, ports });
    const claims = volumes.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
    const disks = disk === undefined ? [] : [{ name: 'disk', gcePersistentDisk: { pdName: disk } }];
    return { metadata, spec: { ...spec, volumes: [...claims, ...disks] } };
  });
}

const tallying = defaultFramework(makeCluster([])).filterPlugins.filter(({ tally }) => tally !== undefined);

describe('the tally of', () => {
  test.each(tallying.map(({ name }) => name))('%s answers as its filter does on a node with these pods', (name) => {
    fc.assert(
      fc.property(node, pods, pods, pods, fc.array(fc.nat(4), { maxLength: 8 }), (shape, on, expected, one, moves) => {
        const { cpu, pods: allowed, gpus } = shape;
        const running = podsOf('r', on).map((pod) => ({
          ...pod,
          spec: { ...pod.spec, containers: pod.spec?.containers ?? [], nodeName: 'n' },
        }));
        const cluster = makeCluster([makeNode('n', { cpu, pods: allowed, allocatable: { [GPU]: gpus } })], running);
        setVolumes(cluster, shape);
        const plugin = defaultFramework(cluster).filterPlugins.find((each) => each.name === name);
        const [info] = cluster.nodeInfos();
        const [incoming] = podsOf('p', one).map((pod) => makePodInfo(pod));
        if (info === undefined || incoming === undefined || plugin === undefined) return;
        const state = stateFor(cluster, incoming);
        const ahead = podsOf('w', expected).map((pod) => makePodInfo(pod));
        const tally = state.skipFilter.has(plugin.name) ? null : plugin.tally?.(state, incoming, info, ahead);
        if (state.skipFilter.has(plugin.name) || tally === undefined) return;
        const copy = info.clone();
        const all = info.pods.slice();
        const first = beside(plugin, state, incoming, copy, ahead);
        const compare = (): void => {
          const answer = beside(plugin, state, incoming, copy, ahead);
          if (tally === null) {
            expect(answer).toEqual(first);
            return;
          }
          const rejection = tally.rejection() ?? tally.rejectionAlone?.() ?? null;
          expect([rejection, tally.fits()]).toEqual([answer, answer === null]);
        };
        compare();
        for (const move of moves) {
          const pod = all[move % all.length] as PodInfo;
          const isThere = copy.pods.includes(pod);
          if (isThere) copy.removePod(pod);
          else copy.addPod(pod);
          if (isThere) tally?.remove(pod);
          else tally?.add(pod);
          compare();
        }
      }),
      { numRuns: 150 },
    );
  });

  test('somebody is there', () => {
    expect(tallying.map(({ name }) => name)).toEqual([
      'NodePorts',
      'NodeResourcesFit',
      'VolumeRestrictions',
      'NodeVolumeLimits',
    ]);
  });

  const failing = tallying.filter(({ name }) => name !== 'NodeVolumeLimits');

  test.each(failing.map((plugin) => [plugin.name, plugin] as const))(
    '%s is silent without its PreFilter',
    (_, plugin) => {
      const cluster = makeCluster([makeNode('n')]);
      const [info] = cluster.nodeInfos();
      const pod = makePodInfo(makePod('p', { ports: [{ hostPort: 80 }] }));
      if (info === undefined) throw new Error('the cluster has a node');
      expect(plugin.tally?.(new CycleState(), pod, info, [])).toBeNull();
      expect(plugin.filter(new CycleState(), pod, info)?.code).toBe('Error');
    },
  );
});

function setVolumes({ objects }: ClusterState, { limit, attached }: { limit: number | undefined; attached: string[] }) {
  for (const name of ['v0', 'v1', 'v2', 'v3']) {
    objects.set('PersistentVolumeClaim', makeClaim(name, { volume: name }));
    objects.set('PersistentVolume', makeVolume(name));
  }
  for (const name of attached) {
    const spec = { attacher: 'csi.example', nodeName: 'n', source: { persistentVolumeName: name } };
    objects.set('VolumeAttachment', { metadata: { name: `attached-${name}` }, spec });
  }
  if (limit === undefined) return;
  const drivers = [{ name: 'csi.example', nodeID: 'n', allocatable: { count: limit } }];
  objects.set('CSINode', { metadata: { name: 'n' }, spec: { drivers } });
}

function stateFor(cluster: ClusterState, pod: PodInfo): CycleState {
  const state = new CycleState();
  defaultFramework(cluster).runPreFilter(state, pod, cluster);
  return state;
}

/** Filters with the expected pods, and without them. */
function beside(
  plugin: FilterPlugin,
  state: CycleState,
  pod: PodInfo,
  node: NodeInfo,
  ahead: readonly PodInfo[],
): Status | null {
  const crowded = node.clone();
  for (const other of ahead) crowded.addPod(other);
  return plugin.filter(state, pod, crowded) ?? plugin.filter(state, pod, node);
}
