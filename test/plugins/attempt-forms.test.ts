import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim } from '../../src/api/storage.ts';
import type { ClusterState } from '../../src/framework/cluster/cluster-state.ts';
import { CycleState } from '../../src/framework/cycle-state.ts';
import type { FilterPlugin, PreFilterPlugin } from '../../src/framework/plugin.ts';
import type { PodInfo } from '../../src/framework/pod-info.ts';
import { VolumeBinding } from '../../src/plugins/volume-binding/plugin.ts';
import { VolumeRestrictions } from '../../src/plugins/volume-restrictions/plugin.ts';
import { VolumeZone } from '../../src/plugins/volume-zone/plugin.ts';
import { makeCluster, makePodInfo } from '../builders/make-cluster.ts';
import { makeNode } from '../builders/make-node.ts';
import { podWithVolumes } from '../builders/make-storage.ts';

const ZONE = 'topology.kubernetes.io/zone';
const ZONES = ['a', 'b', 'c'];

/** CSI drivers stand in for in-tree plugins on two nodes. */
const MIGRATED = [
  ['n-a', 'kubernetes.io/aws-ebs,kubernetes.io/gce-pd,kubernetes.io/azure-disk'],
  ['n', 'kubernetes.io/gce-pd,kubernetes.io/aws-ebs'],
] as const;

const arbitraryVolumeSource = fc.constantFrom(
  { csi: { driver: 'd', volumeHandle: 'h' } },
  { csi: { driver: 'd', volumeHandle: 'other' } },
  { gcePersistentDisk: { pdName: 'disk' } },
  { awsElasticBlockStore: { volumeID: 'vol-1' } },
  { awsElasticBlockStore: { volumeID: 'vol-2' } },
  { awsElasticBlockStore: { volumeID: 'aws://a/' } },
  { azureDisk: { diskName: 'disk', diskURI: '/disk' } },
  { hostPath: { path: '/data' } },
);
const arbitraryRequired = fc.option(
  fc
    .subarray(ZONES)
    .map((values) => ({ nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In', values }] }] })),
  { nil: undefined },
);
const arbitraryVolume = fc.record({
  source: arbitraryVolumeSource,
  required: arbitraryRequired,
  label: fc.constantFrom(undefined, 'a', 'b', 'a__b', ''),
});
const arbitraryClaim = fc.record({
  volume: fc.constantFrom(0, 0, 1, 2, 3, undefined),
  mode: fc.constantFrom('ReadWriteOnce', 'ReadWriteOnce', 'ReadWriteOncePod'),
  phase: fc.constantFrom('Bound', 'Bound', 'Bound', 'Lost'),
  isConfirmed: fc.constantFrom(true, true, false),
  deletionTimestamp: fc.constantFrom(undefined, undefined, undefined, '2026-01-01T00:00:00Z'),
});
/** The volumes of a pod: claims by number, of which the last is none, and others. */
const arbitraryPod = fc.array(fc.constantFrom(0, 1, 2, 3, 4, 'scratch', 'disk'), { maxLength: 3 });

type Drawn<T> = T extends fc.Arbitrary<infer U> ? U : never;

function setVolume(cluster: ClusterState, i: number, { source, required, label }: Drawn<typeof arbitraryVolume>): void {
  cluster.objects.set('PersistentVolume', {
    metadata: { name: `v${i}`, ...(label !== undefined && { labels: { [ZONE]: label } }) },
    spec: { ...source, ...(required && { nodeAffinity: { required } }) },
  } as PersistentVolume);
}

function setClaim(cluster: ClusterState, i: number, claim: Drawn<typeof arbitraryClaim>): void {
  const { volume, mode, phase, isConfirmed, deletionTimestamp } = claim;
  const annotations = isConfirmed ? { 'pv.kubernetes.io/bind-completed': 'yes' } : {};
  cluster.objects.set('PersistentVolumeClaim', {
    metadata: { name: `c${i}`, namespace: 'default', annotations, deletionTimestamp },
    spec: { accessModes: [mode], ...(volume !== undefined && { volumeName: `v${volume}` }) },
    status: { phase },
  } as PersistentVolumeClaim);
}

function podWith(name: string, volumes: Drawn<typeof arbitraryPod>): PodInfo {
  const sources = volumes.map((volume, i) => {
    if (volume === 'scratch') return { name: `x${i}`, emptyDir: {} };
    if (volume === 'disk') return { name: `x${i}`, gcePersistentDisk: { pdName: 'shared' } };
    return { name: `x${i}`, persistentVolumeClaim: { claimName: `c${volume}` } };
  });
  return makePodInfo(podWithVolumes(name, sources));
}

type Asked = FilterPlugin & PreFilterPlugin;

/** The answers of PreFilter, and of the filter about each node. */
function answersOf(plugin: Asked, pod: PodInfo, cluster: ClusterState): unknown {
  const state = new CycleState();
  const outcome = plugin.preFilter(state, pod, cluster);
  if (outcome !== null && 'code' in outcome && outcome.code === 'Skip') return 'accepts all';
  const answers = [...cluster.nodeInfos()].map((node) => plugin.filter(state, pod, node));
  return outcome === null && answers.every((answer) => answer === null) ? 'accepts all' : [outcome, answers];
}

test('pods of one form get the same answers, and none is rejected before nodes are asked', () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryVolume, { minLength: 3, maxLength: 3 }),
      fc.array(arbitraryClaim, { minLength: 4, maxLength: 4 }),
      fc.array(arbitraryPod, { minLength: 2, maxLength: 8 }),
      (volumes, claims, pods) => {
        const cluster = makeCluster([
          ...ZONES.map((zone) => makeNode(`n-${zone}`, { labels: { [ZONE]: zone } })),
          makeNode('n'),
        ]);
        for (const [name, plugins] of MIGRATED) {
          const annotations = { 'storage.alpha.kubernetes.io/migrated-plugins': plugins };
          cluster.objects.set('CSINode', { metadata: { name, annotations }, spec: { drivers: [] } });
        }
        for (const [i, volume] of volumes.entries()) setVolume(cluster, i, volume);
        for (const [i, claim] of claims.entries()) setClaim(cluster, i, claim);
        for (const plugin of [new VolumeBinding(cluster), new VolumeZone(cluster), new VolumeRestrictions()]) {
          const known = new Map<string, unknown>();
          for (const [i, drawn] of pods.entries()) {
            const pod = podWith(`p${i}`, drawn);
            const form = plugin.attemptForm(pod, cluster);
            if (form === null) continue;
            const answers = answersOf(plugin, pod, cluster);
            const outcome = Array.isArray(answers) ? answers[0] : null;
            expect(outcome).toBe(null);
            if (known.has(form)) expect(answers).toEqual(known.get(form));
            known.set(form, answers);
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});
