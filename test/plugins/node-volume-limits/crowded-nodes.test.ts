import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeFeed } from '../../../src/engine/columns/attempt-masks.ts';
import type { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import { NodeVolumeLimits } from '../../../src/plugins/node-volume-limits/plugin.ts';
import { makeCluster, makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makeClaim, makeStorageClass, makeVolume, podWithClaims } from '../../builders/make-storage.ts';

const NODES = ['n0', 'n1', 'n2'];
const CLAIMS = ['c0', 'c1', 'c2', 'c3'];

type Change = (cluster: ClusterState) => void;

const node = fc.constantFrom(...NODES);
const claim = fc.constantFrom(...CLAIMS);

const change: fc.Arbitrary<Change> = fc.oneof(
  fc
    .tuple(node, fc.constantFrom(0, 1, 2, 3, 17, 18), fc.constantFrom('csi.example', 'other'))
    .map(([name, count, driver]): Change => {
      const spec = { drivers: [{ name: driver, allocatable: { count } }] };
      return ({ objects }) => objects.set('CSINode', { metadata: { name }, spec });
    }),
  node.map(
    (name): Change =>
      ({ objects }) =>
        void objects.remove('CSINode', name),
  ),
  fc.tuple(node, fc.nat(3), fc.subarray(CLAIMS)).map(([nodeName, i, names]): Change => {
    return ({ pods }) => pods.update(podWithClaims(`q${i}`, names, nodeName));
  }),
  fc.nat(3).map(
    (i): Change =>
      ({ pods }) => {
        if (pods.get('default', `q${i}`) !== undefined) pods.remove('default', `q${i}`);
      },
  ),
  fc.tuple(claim, fc.constantFrom(undefined, 'v0', 'v1')).map(([name, volume]): Change => {
    return ({ objects }) =>
      objects.set('PersistentVolumeClaim', makeClaim(name, volume === undefined ? {} : { volume }));
  }),
  claim.map(
    (name): Change =>
      ({ objects }) =>
        void objects.remove('PersistentVolumeClaim', name, 'default'),
  ),
  fc.constantFrom('v0', 'v1').map(
    (name): Change =>
      ({ objects }) =>
        objects.set('PersistentVolume', makeVolume(name)),
  ),
  fc.constantFrom('v0', 'v1').map(
    (name): Change =>
      ({ objects }) =>
        void objects.remove('PersistentVolume', name),
  ),
  fc.constantFrom('csi.example', 'other').map((provisioner): Change => {
    return ({ objects }) => objects.set('StorageClass', makeStorageClass('wait', { provisioner }));
  }),
  fc.tuple(node, fc.constantFrom('v0', 'v1'), fc.nat(2)).map(([nodeName, volume, i]): Change => {
    const spec = { attacher: 'csi.example', nodeName, source: { persistentVolumeName: volume } };
    return ({ objects }) => objects.set('VolumeAttachment', { metadata: { name: `a${i}` }, spec });
  }),
  fc.nat(2).map(
    (i): Change =>
      ({ objects }) =>
        void objects.remove('VolumeAttachment', `a${i}`),
  ),
  node.map(
    (name): Change =>
      (cluster) => {
        if (cluster.node(name) === undefined) cluster.addNode(makeNode(name));
        else cluster.removeNode(name);
      },
  ),
);

const LONG = { maxLength: 20, size: 'max' } as const;

/** Each claim waits for a volume of the driver, of which each node can attach two. */
const furnish: Change = ({ objects }) => {
  objects.set('StorageClass', makeStorageClass('wait', { provisioner: 'csi.example' }));
  for (const name of CLAIMS) objects.set('PersistentVolumeClaim', makeClaim(name));
  const spec = { drivers: [{ name: 'csi.example', allocatable: { count: 2 } }] };
  for (const name of NODES) objects.set('CSINode', { metadata: { name }, spec });
};

test('as many pods as there is room for are accepted by every node, even if all are placed on one', () => {
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 15, size: 'max' }),
      fc.array(fc.subarray(CLAIMS), { minLength: 1, maxLength: 4 }),
      (changes, waiting) => {
        const cluster = makeCluster(NODES.map((name) => makeNode(name)));
        const plugin = new NodeVolumeLimits(cluster);
        for (const apply of changes) apply(cluster);
        const pods = waiting.map((names, i) => makePodInfo(podWithClaims(`p${i}`, names)));
        const room = Math.min(...pods.map((pod) => plugin.attemptRoom(pod, nodeFeed(cluster))));
        for (const info of cluster.knownNodes()) {
          const crowded = info.clone();
          for (const pod of pods.slice(0, room)) {
            expect(new NodeVolumeLimits(cluster).filter(new CycleState(), pod, crowded)).toBeNull();
            crowded.addPod(pod);
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('a node that is not suspected is accepted, and what is kept is what a new plugin finds', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(change, fc.subarray(CLAIMS)), LONG), fc.boolean(), (steps, isFurnished) => {
      const cluster = makeCluster(NODES.map((name) => makeNode(name)));
      if (isFurnished) furnish(cluster);
      const kept = new NodeVolumeLimits(cluster);
      for (const [i, [apply, names]] of steps.entries()) {
        apply(cluster);
        const pod = makePodInfo(podWithClaims(`p${i}`, names));
        const state = new CycleState();
        const suspects = kept.attemptSuspects(state, pod, nodeFeed(cluster));
        for (const info of cluster.knownNodes()) {
          const expected = new NodeVolumeLimits(cluster).filter(state, pod, info);
          expect(kept.filter(state, pod, info)).toEqual(expected);
          if (suspects?.has(info.slot) === false) expect(expected).toBeNull();
        }
      }
    }),
    { numRuns: 300 },
  );
});
