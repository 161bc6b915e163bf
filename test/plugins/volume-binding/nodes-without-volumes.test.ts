import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeFeed } from '../../../src/engine/columns/attempt-masks.ts';
import type { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import { Scheduler } from '../../../src/index.ts';
import { VolumeBinding } from '../../../src/plugins/volume-binding/plugin.ts';
import { makeCluster, makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { claimVolume, makeClaim, makeStorageClass, makeVolume, podWithClaims } from '../../builders/make-storage.ts';

const NODES = Array.from({ length: 20 }, (_, i) => `n${i}`);
const CLAIMS = ['c0', 'c1', 'c2', 'c3'];

type Change = (cluster: ClusterState, plugin: VolumeBinding) => void;

const node = fc.constantFrom(...NODES);
const claim = fc.constantFrom(...CLAIMS);

/** A disk of the node of this name, or one that others may reach. */
const volume = fc
  .tuple(node, fc.constantFrom('1Gi', '1Gi', '2Gi'), fc.constantFrom('own', 'own', 'own', 'and', 'all', 'claim'))
  .map(([name, size, reach]) => {
    const made = makeVolume(name, { size, ...(reach !== 'all' && { zone: name }) });
    if (reach === 'claim') return { ...made, spec: { ...made.spec, claimRef: { name: 'c3', namespace: 'default' } } };
    if (reach !== 'and') return made;
    const matchExpressions = [
      { key: 'zone', operator: 'In', values: [name, 'n0'] },
      { key: 'fast', operator: 'Exists' },
    ];
    const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions }] } };
    return { ...made, spec: { ...made.spec, nodeAffinity } };
  });

const change: fc.Arbitrary<Change> = fc.oneof(
  volume.map(
    (made): Change =>
      ({ objects }) =>
        objects.set('PersistentVolume', made),
  ),
  node.map(
    (name): Change =>
      ({ objects }) =>
        void objects.remove('PersistentVolume', name),
  ),
  fc.tuple(node, fc.constantFrom(...NODES.slice(0, 3), undefined), fc.boolean()).map(([name, zone, isFast]): Change => {
    const labels = { ...(zone && { zone }), ...(isFast && { fast: '' }) };
    return (cluster) => {
      if (cluster.node(name) === undefined) cluster.addNode(makeNode(name, { labels }));
      else if (isFast) cluster.updateNode(makeNode(name, { labels }));
      else cluster.removeNode(name);
    };
  }),
  fc.tuple(claim, fc.constantFrom('1Gi', '2Gi'), fc.boolean()).map(([name, size, isSelected]): Change => {
    const annotations: Record<string, string> = isSelected ? { 'volume.kubernetes.io/selected-node': 'n1' } : {};
    return ({ objects }) => objects.set('PersistentVolumeClaim', makeClaim(name, { size, annotations }));
  }),
  fc
    .tuple(fc.constantFrom('kubernetes.io/no-provisioner', 'csi.example', 'csi.example'), fc.boolean())
    .map(([provisioner, isLimited]): Change => {
      const allowedTopologies = [{ matchLabelExpressions: [{ key: 'zone', values: NODES.slice(5) }] }];
      return ({ objects }) =>
        objects.set('StorageClass', makeStorageClass('wait', { provisioner, ...(isLimited && { allowedTopologies }) }));
    }),
  fc.boolean().map((storageCapacity): Change => {
    return ({ objects }) => objects.set('CSIDriver', { metadata: { name: 'csi.example' }, spec: { storageCapacity } });
  }),
  fc
    .tuple(node, fc.constantFrom('0', '1Gi', '2Gi'), fc.constantFrom('wait', 'wait', 'other'), fc.nat(9))
    .map(([name, capacity, storageClassName, reach]): Change => {
      const nodeTopology = reach === 0 ? {} : { matchLabels: { zone: name, ...(reach === 1 && { fast: '' }) } };
      const metadata = { name, namespace: 'kube-system' };
      return ({ objects }) => objects.set('CSIStorageCapacity', { metadata, storageClassName, capacity, nodeTopology });
    }),
  node.map(
    (name): Change =>
      ({ objects }) =>
        void objects.remove('CSIStorageCapacity', name, 'kube-system'),
  ),
  fc
    .tuple(node, fc.subarray(CLAIMS, { minLength: 1, maxLength: 2 }), fc.boolean())
    .map(([name, names, stays]): Change => {
      return (cluster, plugin) => {
        const [pod, info, state] = [makePodInfo(podWithClaims('q', names)), cluster.node(name), new CycleState()];
        if (info === undefined || plugin.preFilter(state, pod) !== null) return;
        if (plugin.filter(state, pod, info) !== null) return;
        plugin.reserve(state, pod, info);
        if (!stays) plugin.unreserve(state, pod);
      };
    }),
);

/** A driver with room on some nodes. */
function furnish({ objects }: ClusterState): void {
  objects.set('StorageClass', makeStorageClass('wait', { provisioner: 'csi.example' }));
  objects.set('CSIDriver', { metadata: { name: 'csi.example' }, spec: { storageCapacity: true } });
  for (const name of NODES.slice(10)) {
    const metadata = { name, namespace: 'kube-system' };
    const nodeTopology = { matchLabels: { zone: name } };
    objects.set('CSIStorageCapacity', { metadata, storageClassName: 'wait', capacity: '2Gi', nodeTopology });
  }
}

test('the nodes that are kept are those that the filter of a new plugin rejects', () => {
  let kept = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(change, fc.subarray(CLAIMS, { minLength: 1 })), { maxLength: 30, size: 'max' }),
      fc.boolean(),
      (steps, isProvisioned) => {
        const cluster = makeCluster(NODES.map((name) => makeNode(name, { labels: { zone: name } })));
        cluster.objects.set('StorageClass', makeStorageClass('wait'));
        for (const name of CLAIMS) cluster.objects.set('PersistentVolumeClaim', makeClaim(name));
        for (const name of NODES) cluster.objects.set('PersistentVolume', makeVolume(name, { zone: name }));
        if (isProvisioned) furnish(cluster);
        const plugin = new VolumeBinding(cluster);
        for (const [i, [apply, names]] of steps.entries()) {
          apply(cluster, plugin);
          const pod = makePodInfo(podWithClaims(`p${i}`, names));
          const [state, freshState] = [new CycleState(), new CycleState()];
          const fresh = new VolumeBinding(cluster);
          expect(plugin.preFilter(state, pod)).toEqual(fresh.preFilter(freshState, pod));
          const rejected = plugin.attemptRejections(state, pod, nodeFeed(cluster));
          if (rejected !== null) kept++;
          for (const info of cluster.knownNodes()) {
            const expected = fresh.filter(freshState, pod, info);
            expect(plugin.filter(state, pod, info)).toEqual(expected);
            if (rejected !== null) expect(rejected.slots.has(info.slot)).toBe(expected !== null);
          }
        }
      },
    ),
    { numRuns: 100 },
  );
  expect(kept).toBeGreaterThan(100);
});

test('pods take the disks of nodes until none is left, as with the reference engine', () => {
  const podOf = (name: string, claimName: string) => makePod(name, { spec: { volumes: [claimVolume(claimName)] } });
  const schedulers = (['simd', 'reference'] as const).map((engine) => new Scheduler({ engine }));
  const lives = schedulers.map((scheduler) => {
    for (const name of NODES) scheduler.addNode(makeNode(name, { labels: { zone: name } }));
    scheduler.setObject('StorageClass', makeStorageClass('wait'));
    for (const name of NODES) scheduler.setObject('PersistentVolume', makeVolume(name, { zone: name }));
    const outcomes = Array.from({ length: NODES.length + 1 }, (_, i) => {
      scheduler.setObject('PersistentVolumeClaim', makeClaim(`c${i}`));
      return scheduler.schedule(podOf(`p${i}`, `c${i}`));
    });
    return { outcomes, explained: scheduler.explain(podOf('q', 'c20')) };
  });
  expect(lives[0]).toEqual(lives[1]);
  const nodes = lives[0]?.outcomes.map((outcome) => (outcome.status === 'scheduled' ? outcome.node : null));
  expect([new Set(nodes).size, nodes?.at(-1)]).toEqual([NODES.length + 1, null]);
});
