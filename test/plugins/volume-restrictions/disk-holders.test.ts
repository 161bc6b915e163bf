import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Volume } from '../../../src/api/volumes.ts';
import { nodeFeed } from '../../../src/engine/columns/attempt-masks.ts';
import type { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import { VolumeRestrictions } from '../../../src/plugins/volume-restrictions/plugin.ts';
import { makeCluster, makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makeClaim, podWithVolumes } from '../../builders/make-storage.ts';

const NODES = ['n0', 'n1', 'n2'];

const node = fc.constantFrom(...NODES, 'absent');
const name = fc.constantFrom(undefined, '', 'd0', 'd1');
const readOnly = fc.constantFrom(undefined, true);
const monitors = fc.constantFrom(undefined, ['m0'], ['m1', 'm0'], ['m2']);
const volume: fc.Arbitrary<Volume> = fc.oneof(
  fc.record({ gcePersistentDisk: fc.record({ pdName: name, readOnly }) }),
  fc.record({ awsElasticBlockStore: fc.record({ volumeID: name }) }),
  fc.record({ iscsi: fc.record({ iqn: name, readOnly }) }),
  fc.record({ rbd: fc.record({ image: name, pool: fc.constantFrom(undefined, '', 'rbd', 'd0'), monitors, readOnly }) }),
  fc.record({ persistentVolumeClaim: fc.constant({ claimName: 'once' }) }),
);
const volumes = fc.array(volume, { maxLength: 3 });

type Change = (cluster: ClusterState) => void;

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(node, fc.nat(4), volumes).map(([nodeName, i, used]): Change => {
      return ({ pods }) => pods.update(podWithVolumes(`q${i}`, used, nodeName));
    }),
  },
  fc.nat(4).map(
    (i): Change =>
      ({ pods }) => {
        if (pods.get('default', `q${i}`) !== undefined) pods.remove('default', `q${i}`);
      },
  ),
  node.map(
    (nodeName): Change =>
      (cluster) => {
        if (cluster.node(nodeName) === undefined) cluster.addNode(makeNode(nodeName));
        else cluster.removeNode(nodeName);
      },
  ),
);

test('a node that is not suspected is accepted', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(change, volumes), { maxLength: 20, size: 'max' }), (steps) => {
      const cluster = makeCluster(NODES.map((nodeName) => makeNode(nodeName)));
      cluster.objects.set('PersistentVolumeClaim', makeClaim('once', { spec: { accessModes: ['ReadWriteOncePod'] } }));
      const plugin = new VolumeRestrictions();
      for (const [i, [apply, wanted]] of steps.entries()) {
        apply(cluster);
        const pod = makePodInfo(podWithVolumes(`p${i}`, wanted));
        const state = new CycleState();
        if (plugin.preFilter(state, pod, cluster) !== null) continue;
        const suspects = plugin.attemptSuspects(state, pod, nodeFeed(cluster));
        for (const info of cluster.knownNodes()) {
          if (suspects?.has(info.slot) === false) expect(plugin.filter(state, pod, info)).toBeNull();
        }
      }
    }),
    { numRuns: 150 },
  );
});

test('only nodes with one of the disks are suspected', () => {
  const disk = { gcePersistentDisk: { pdName: 'd0' } };
  const used = podWithVolumes('q', [disk, { iscsi: { iqn: 'd1' } }], 'n1');
  const cluster = makeCluster(
    NODES.map((nodeName) => makeNode(nodeName)),
    [used],
  );
  const plugin = new VolumeRestrictions();
  const suspects = (wanted: Volume): ReadonlySet<number> | null => {
    const pod = makePodInfo(podWithVolumes('p', [wanted]));
    const state = new CycleState();
    plugin.preFilter(state, pod, cluster);
    return plugin.attemptSuspects(state, pod, nodeFeed(cluster));
  };
  expect(suspects(disk)).toEqual(new Set([cluster.node('n1')?.slot]));
  expect(suspects({ iscsi: { iqn: 'd0' } })).toEqual(new Set());
});
