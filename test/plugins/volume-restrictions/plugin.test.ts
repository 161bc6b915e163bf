import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import type { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import { VolumeRestrictions } from '../../../src/plugins/volume-restrictions/plugin.ts';
import { filterCluster } from '../../builders/filter-cluster.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makeClaim, podWithClaims, podWithVolumes } from '../../builders/make-storage.ts';

const plugin = new VolumeRestrictions();
const gceDisk = { gcePersistentDisk: { pdName: 'd' } };
const IN_USE =
  'Unschedulable: ' +
  'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod';

/** Claims `once` and `once2` for one pod only, `shared` for many, in both namespaces; nodes n1 and n2. */
function cluster(...pods: Pod[]): ClusterState {
  const state = makeCluster([makeNode('n1'), makeNode('n2')], pods);
  for (const namespace of ['default', 'other']) {
    for (const name of ['once', 'once2']) {
      const spec = { accessModes: ['ReadWriteOncePod'] };
      state.objects.set('PersistentVolumeClaim', makeClaim(name, { namespace, spec }));
    }
    state.objects.set('PersistentVolumeClaim', makeClaim('shared', { namespace }));
  }
  return state;
}

describe('VolumeRestrictions', () => {
  it('skips pods without disks whose claims no other pod uses', () => {
    expect(filterCluster(plugin, cluster(), podWithClaims('p', []))).toBe('Skip');
    expect(filterCluster(plugin, cluster(), podWithClaims('p', ['once', 'shared']))).toBe('Skip');
    expect(filterCluster(plugin, cluster(podWithClaims('q', ['shared'], 'n1')), podWithClaims('p', ['shared']))).toBe(
      'Skip',
    );
  });

  it('rejects the nodes where the disk is in use', () => {
    const found = filterCluster(plugin, cluster(podWithVolumes('q', [gceDisk], 'n2')), podWithVolumes('p', [gceDisk]));
    expect(found).toEqual([null, 'Unschedulable: node(s) had no available disk']);
  });

  it('rejects all nodes while another pod anywhere uses a ReadWriteOncePod claim', () => {
    const found = filterCluster(plugin, cluster(podWithClaims('q', ['once'], 'n1')), podWithClaims('p', ['once']));
    expect(found).toEqual([IN_USE, IN_USE]);
  });

  it.each([
    ['in another namespace', podWithClaims('q', ['once'], 'n1', 'other')],
    ['on an unknown node', podWithClaims('q', ['once'], 'n9')],
    ['pending', podWithClaims('q', ['once'])],
  ])('does not count a pod %s', (_, other) => {
    expect(filterCluster(plugin, cluster(other), podWithClaims('p', ['once']))).toBe('Skip');
  });

  it('names the first claim that is missing', () => {
    expect(filterCluster(plugin, cluster(), podWithClaims('p', ['once', 'gone', 'lost']))).toBe(
      'UnschedulableAndUnresolvable: persistentvolumeclaim "gone" not found',
    );
  });

  it('leaves ephemeral claims to VolumeBinding', () => {
    expect(filterCluster(plugin, cluster(), podWithVolumes('p', [{ name: 'x', ephemeral: {} }]))).toBe('Skip');
  });
});

describe('VolumeRestrictions, when pods come and go', () => {
  const users = [podWithClaims('q', ['once'], 'n1'), podWithClaims('r', ['once2', 'once2'], 'n2')];
  const state = cluster(...users);
  const incoming = state.pods.info(podWithClaims('p', ['once', 'once2']));
  const [n1] = state.nodeInfos();
  if (n1 === undefined) throw new Error('no node');

  function begin(): CycleState {
    const cycle = new CycleState();
    expect(plugin.preFilter(cycle, incoming, state)).toBeNull();
    return cycle;
  }
  const fits = (cycle: CycleState): boolean => plugin.filter(cycle, incoming, n1) === null;
  const info = (pod: Pod) => state.pods.info(pod);

  it('lets the pod in when every user of its claims has left', () => {
    const cycle = begin();
    plugin.removePod(cycle, incoming, info(podWithClaims('q', ['once'], 'n1')));
    expect(fits(cycle)).toBe(false);
    plugin.removePod(cycle, incoming, info(podWithClaims('r', ['once2'], 'n2')));
    expect(fits(cycle)).toBe(true);
    plugin.addPod(cycle, incoming, info(podWithClaims('q', ['once'], 'n1')));
    expect(fits(cycle)).toBe(false);
  });

  it('counts a claim at first once for all its users, and then once for every mount', () => {
    const cycle = begin();
    // r mounts once2 twice: 1 + 1 - 2.
    plugin.removePod(cycle, incoming, info(podWithClaims('r', ['once2', 'once2'], 'n2')));
    expect(fits(cycle)).toBe(true);
  });

  it('forgets the namespace, as upstream', () => {
    const cycle = begin();
    plugin.removePod(cycle, incoming, info(podWithClaims('x', ['once', 'once2'], 'n2', 'other')));
    expect(fits(cycle)).toBe(true);
  });

  it('counts on a copy of the state without touching the original', () => {
    const cycle = begin();
    plugin.removePod(cycle.clone(), incoming, info(podWithClaims('q', ['once', 'once2'], 'n1')));
    const copy = cycle.clone();
    plugin.removePod(copy, incoming, info(podWithClaims('q', ['once', 'once2'], 'n1')));
    expect([fits(cycle), fits(copy)]).toEqual([false, true]);
  });
});

describe('pods that share columns', () => {
  it('are concerned if they have claims or disks at all', () => {
    const concerned = [[], [gceDisk], [{ persistentVolumeClaim: { claimName: 'a' } }]].map((volumes) =>
      plugin.concerns(podWithVolumes('p', volumes)),
    );
    expect(concerned).toEqual([false, true, true]);
  });
});
