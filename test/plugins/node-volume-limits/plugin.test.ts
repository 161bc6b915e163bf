import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import type { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { NodeVolumeLimits } from '../../../src/plugins/node-volume-limits/plugin.ts';
import { filterCluster } from '../../builders/filter-cluster.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makeClaim, makeStorageClass, makeVolume, podWithClaims, podWithVolumes } from '../../builders/make-storage.ts';

const FULL = 'Unschedulable: node(s) exceed max volume count';

/** One node `n` with room for two volumes of csi.example; claims c0 to c5, each bound to a volume of its own. */
function cluster(
  pods: readonly Pod[] = [],
  limits: Readonly<Record<string, number>> = { 'csi.example': 2 },
): ClusterState {
  const state = makeCluster([makeNode('n')], pods);
  const drivers = Object.entries(limits).map(([name, count]) => ({ name, allocatable: { count } }));
  state.objects.set('CSINode', { metadata: { name: 'n' }, spec: { drivers } });
  for (let i = 0; i < 6; i++) {
    state.objects.set('PersistentVolume', makeVolume(`v${i}`));
    state.objects.set('PersistentVolumeClaim', makeClaim(`c${i}`, { volume: `v${i}` }));
  }
  return state;
}

function verdict(state: ClusterState, pod: Pod): string | null {
  const found = filterCluster(new NodeVolumeLimits(state), state, pod);
  return typeof found === 'string' ? found : (found[0] ?? null);
}

describe('NodeVolumeLimits', () => {
  it('skips pods without volumes of drivers', () => {
    expect(verdict(cluster(), podWithClaims('p', []))).toBe('Skip');
    expect(verdict(cluster(), podWithVolumes('p', [{ image: { reference: 'a' } }]))).toBe('Skip');
    expect(verdict(cluster(), podWithVolumes('p', [{ vsphereVolume: {} }]))).toBeNull();
  });

  it('counts the volumes of the pods on the node', () => {
    const running = podWithClaims('q', ['c0'], 'n');
    expect(verdict(cluster([running]), podWithClaims('p', ['c1']))).toBeNull();
    expect(verdict(cluster([running]), podWithClaims('p', ['c1', 'c2']))).toBe(FULL);
    expect(verdict(cluster([podWithClaims('q', ['c0'])]), podWithClaims('p', ['c1', 'c2']))).toBeNull();
  });

  it('counts a volume once, whoever mounts it', () => {
    const running = [podWithClaims('q', ['c0', 'c1'], 'n'), podWithClaims('r', ['c1'], 'n')];
    expect(verdict(cluster(running), podWithClaims('p', ['c0', 'c0', 'c1']))).toBeNull();
    expect(verdict(cluster(running), podWithClaims('p', ['c2']))).toBe(FULL);
  });

  it('knows no limit where none is set', () => {
    const many = podWithClaims('p', ['c0', 'c1', 'c2', 'c3']);
    expect(verdict(cluster([], {}), many)).toBeNull();
    expect(verdict(cluster([], { other: 0 }), many)).toBeNull();
    const state = cluster();
    state.objects.set('CSINode', { metadata: { name: 'n' }, spec: { drivers: null } });
    expect(verdict(state, many)).toBeNull();
    state.objects.remove('CSINode', 'n');
    expect(verdict(state, many)).toBeNull();
  });

  it('lets a limit of 0 keep all volumes out', () => {
    expect(verdict(cluster([], { 'csi.example': 0 }), podWithClaims('p', ['c0']))).toBe(FULL);
  });

  it('counts each driver by itself', () => {
    const state = cluster([podWithClaims('q', ['c0', 'c1'], 'n')], { 'csi.example': 2, other: 1 });
    state.objects.set('PersistentVolume', makeVolume('v2', { spec: { csi: { driver: 'other', volumeHandle: 'h' } } }));
    expect(verdict(state, podWithClaims('p', ['c2']))).toBeNull();
    expect(verdict(state, podWithClaims('p', ['c2', 'c3']))).toBe(FULL);
  });
});

describe('NodeVolumeLimits, by VolumeAttachments', () => {
  const attach = (state: ClusterState, volume: string, nodeName = 'n') =>
    state.objects.set('VolumeAttachment', {
      metadata: { name: `${volume}-${nodeName}` },
      spec: { attacher: 'csi.example', nodeName, source: { persistentVolumeName: volume } },
    });

  it('counts what is attached without a pod', () => {
    const state = cluster([podWithClaims('q', ['c0'], 'n')]);
    attach(state, 'v0');
    expect(verdict(state, podWithClaims('p', ['c1']))).toBeNull();
    attach(state, 'v2');
    expect(verdict(state, podWithClaims('p', ['c1']))).toBe(FULL);
    state.objects.remove('VolumeAttachment', 'v2-n');
    expect(verdict(state, podWithClaims('p', ['c1']))).toBeNull();
  });

  it('follows changes with one and the same plugin', () => {
    const state = cluster([podWithClaims('q', ['c0'], 'n')]);
    const plugin = new NodeVolumeLimits(state);
    expect(filterCluster(plugin, state, podWithClaims('p', ['c1']))).toEqual([null]);
    attach(state, 'v2');
    expect(filterCluster(plugin, state, podWithClaims('p', ['c1']))).toEqual([FULL]);
  });

  it('leaves out other nodes and unknown volumes', () => {
    const state = cluster([podWithClaims('q', ['c0'], 'n')]);
    attach(state, 'v2', 'elsewhere');
    attach(state, 'gone');
    expect(verdict(state, podWithClaims('p', ['c1']))).toBeNull();
  });

  it('counts a volume twice that is attached, not in use, and wanted: as upstream', () => {
    const state = cluster([], { 'csi.example': 1 });
    attach(state, 'v0');
    expect(verdict(state, podWithClaims('p', ['c0']))).toBe(FULL);
  });
});

describe('NodeVolumeLimits, for claims without a volume', () => {
  const unbound = (provisioner: string, limits?: Readonly<Record<string, number>>): ClusterState => {
    const state = cluster([], limits);
    state.objects.set('StorageClass', makeStorageClass('wait', { provisioner }));
    for (const name of ['u0', 'u1', 'u2']) state.objects.set('PersistentVolumeClaim', makeClaim(name));
    return state;
  };

  it('counts the volume that the class will make', () => {
    expect(verdict(unbound('csi.example'), podWithClaims('p', ['u0', 'u1', 'u1']))).toBeNull();
    expect(verdict(unbound('csi.example'), podWithClaims('p', ['u0', 'u1', 'u2']))).toBe(FULL);
    expect(verdict(unbound('kubernetes.io/no-provisioner'), podWithClaims('p', ['u0', 'u1', 'u2']))).toBeNull();
  });

  it('counts for the driver that has taken over the provisioner', () => {
    const state = unbound('kubernetes.io/aws-ebs', { 'ebs.csi.aws.com': 0 });
    expect(verdict(state, podWithClaims('p', ['u0']))).toBe(FULL);
  });

  it('counts the same way a claim whose volume is gone', () => {
    const state = unbound('csi.example', { 'csi.example': 0 });
    state.objects.set('PersistentVolumeClaim', makeClaim('dangling', { volume: 'gone' }));
    expect(verdict(state, podWithClaims('p', ['dangling']))).toBe(FULL);
  });
});

describe('NodeVolumeLimits, for volumes of the time before CSI', () => {
  const disk = { awsElasticBlockStore: { volumeID: 'vol-1' } };

  it('counts inline volumes where CSI drivers are registered', () => {
    const state = cluster([], { 'ebs.csi.aws.com': 0 });
    expect(verdict(state, podWithVolumes('p', [disk]))).toBe(FULL);
    state.objects.remove('CSINode', 'n');
    expect(verdict(state, podWithVolumes('p', [disk]))).toBeNull();
  });

  it('sees that an inline volume and a persistent one are the same', () => {
    const state = cluster([podWithVolumes('q', [disk], 'n')], { 'ebs.csi.aws.com': 1 });
    state.objects.set('PersistentVolume', makeVolume('v0', { spec: { ...disk, csi: undefined } }));
    expect(verdict(state, podWithClaims('p', ['c0']))).toBeNull();
    expect(verdict(state, podWithVolumes('p', [{ awsElasticBlockStore: { volumeID: 'vol-2' } }]))).toBe(FULL);
  });
});

describe('NodeVolumeLimits, for claims in disorder', () => {
  const ephemeral = [{ name: 'x', ephemeral: {} }];
  const owned = (pod: string) =>
    makeClaim(`${pod}-x`, {
      volume: 'v0',
      metadata: { ownerReferences: [{ kind: 'Pod', name: pod, uid: `uid-${pod}`, controller: true }] },
    });

  it('rejects a pod whose claim is missing, and passes over missing claims of others', () => {
    expect(verdict(cluster(), podWithClaims('p', ['gone']))).toBe(
      'UnschedulableAndUnresolvable: looking up PVC default/gone: persistentvolumeclaim "gone" not found',
    );
    expect(verdict(cluster([podWithClaims('q', ['gone'], 'n')]), podWithClaims('p', ['c0', 'c1']))).toBeNull();
  });

  it('counts an ephemeral claim that belongs to its pod, and fails over one that does not', () => {
    const state = cluster([podWithVolumes('q', ephemeral, 'n')]);
    state.objects.set('PersistentVolumeClaim', owned('q'));
    expect(verdict(state, podWithClaims('p', ['c1', 'c2']))).toBe(FULL);
    state.objects.set('PersistentVolumeClaim', makeClaim('q-x'));
    expect(verdict(state, podWithClaims('p', ['c1']))).toBe(
      'Error: PVC default/q-x was not created for pod default/q (pod is not owner)',
    );
  });
});

describe('any number of pods with any claims', () => {
  const claims = fc.uniqueArray(fc.constantFrom('c0', 'c1', 'c2', 'c3', 'c4', 'c5'));

  it('fit while the distinct volumes, with the new ones, stay within the limit', () => {
    fc.assert(
      fc.property(fc.array(claims, { maxLength: 4 }), claims, fc.nat(9), (running, wanted, limit) => {
        const pods = running.map((names, i) => podWithClaims(`q${i}`, names, 'n'));
        const used = new Set(running.flat());
        const added = wanted.filter((name) => !used.has(name));
        const expected =
          wanted.length === 0 ? 'Skip' : added.length > 0 && used.size + added.length > limit ? FULL : null;
        expect(verdict(cluster(pods, { 'csi.example': limit }), podWithClaims('p', wanted))).toBe(expected);
      }),
    );
  });
});

describe('pods that share columns', () => {
  it('are concerned if they have volumes of drivers at all', () => {
    const plugin = new NodeVolumeLimits(cluster());
    const keyOf = (pod: Pod): string => JSON.stringify(plugin.concerns(pod));
    const without = keyOf(podWithVolumes('p', [{ iscsi: { iqn: 'i' } }]));
    expect(keyOf(podWithClaims('p', ['c0']))).not.toBe(without);
    expect(keyOf(podWithVolumes('p', [{ name: 'x', ephemeral: {} }]))).not.toBe(without);
    expect(keyOf(podWithVolumes('p', [{ cinder: { volumeID: 'c' } }]))).not.toBe(without);
    expect(keyOf(podWithClaims('p', ['c0']))).toBe(keyOf(podWithClaims('q', ['c1'])));
  });
});
