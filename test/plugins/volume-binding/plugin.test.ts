import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../src/api/storage.ts';
import type { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import { VolumeBinding } from '../../../src/plugins/volume-binding/plugin.ts';
import { filterCluster, textOf } from '../../builders/filter-cluster.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makeClaim, makeStorageClass, makeVolume, podWithClaims, podWithVolumes } from '../../builders/make-storage.ts';

// The reasons in upstream's words.
const UNBOUND_IMMEDIATE_CLAIMS = 'pod has unbound immediate PersistentVolumeClaims';
const NODE_CONFLICT = "node(s) didn't match PersistentVolume's node affinity";
const BIND_CONFLICT = "node(s) didn't find available persistent volumes to bind";
const NOT_ENOUGH_SPACE = 'node(s) did not have enough free storage';
const VOLUME_NOT_EXIST = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';
const NEVER = 'UnschedulableAndUnresolvable: ';
const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

/** Nodes `a` and `b` in zones of the same names; classes `wait` (by hand), `make` (creates volumes) and `now`. */
function cluster(
  claims: readonly PersistentVolumeClaim[] = [],
  volumes: readonly PersistentVolume[] = [],
): ClusterState {
  const state = makeCluster([makeNode('a', { labels: { zone: 'a' } }), makeNode('b', { labels: { zone: 'b' } })]);
  state.objects.set('StorageClass', makeStorageClass('wait'));
  state.objects.set('StorageClass', makeStorageClass('make', { provisioner: 'csi.example' }));
  state.objects.set('StorageClass', makeStorageClass('now', { volumeBindingMode: 'Immediate' }));
  state.objects.set('StorageClass', makeStorageClass('unset', { volumeBindingMode: undefined }));
  for (const claim of claims) state.objects.set('PersistentVolumeClaim', claim);
  for (const volume of volumes) state.objects.set('PersistentVolume', volume);
  return state;
}

function verdicts(state: ClusterState, pod: Pod): (string | null)[] | string {
  return filterCluster(new VolumeBinding(state), state, pod);
}

describe('VolumeBinding, before any node is looked at', () => {
  const ephemeral = podWithVolumes('p', [{ name: 'x', ephemeral: {} }]);

  it('skips pods without claims', () => {
    expect(verdicts(cluster(), podWithVolumes('p', [{ awsElasticBlockStore: { volumeID: 'v' } }]))).toBe('Skip');
  });

  it.each<[string, PersistentVolumeClaim[], Pod, string]>([
    ['missing', [], podWithClaims('p', ['c']), 'persistentvolumeclaim "c" not found'],
    [
      'not created yet',
      [],
      ephemeral,
      'waiting for ephemeral volume controller to create the persistentvolumeclaim "p-x"',
    ],
    [
      'of another pod',
      [makeClaim('p-x')],
      ephemeral,
      'PVC default/p-x was not created for pod default/p (pod is not owner)',
    ],
    [
      'lost',
      [{ ...makeClaim('c', { volume: 'v' }), status: { phase: 'Lost' } }],
      podWithClaims('p', ['c']),
      'persistentvolumeclaim "c" bound to non-existent persistentvolume "v"',
    ],
    [
      'being deleted',
      [makeClaim('c', { volume: 'v', metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })],
      podWithClaims('p', ['c']),
      'persistentvolumeclaim "c" is being deleted',
    ],
    ['of no class', [makeClaim('c', { className: '' })], podWithClaims('p', ['c']), UNBOUND_IMMEDIATE_CLAIMS],
    ['of an unknown class', [makeClaim('c', { className: 'x' })], podWithClaims('p', ['c']), UNBOUND_IMMEDIATE_CLAIMS],
    [
      'to be bound at once',
      [makeClaim('c', { className: 'now' })],
      podWithClaims('p', ['c']),
      UNBOUND_IMMEDIATE_CLAIMS,
    ],
    [
      'given a volume by hand',
      [makeClaim('c', { spec: { volumeName: 'v' } })],
      podWithClaims('p', ['c']),
      UNBOUND_IMMEDIATE_CLAIMS,
    ],
  ])('rejects a pod whose claim is %s', (_, claims, pod, reason) => {
    expect(verdicts(cluster(claims), pod)).toBe(NEVER + reason);
  });

  it('reports the first problem, and a missing claim before an unbound one', () => {
    const state = cluster([makeClaim('c', { className: 'now' })]);
    expect(verdicts(state, podWithClaims('p', ['c', 'x', 'y']))).toBe(`${NEVER}persistentvolumeclaim "x" not found`);
  });

  it('fails over a class without binding mode', () => {
    const state = cluster([makeClaim('c', { className: 'unset' })]);
    expect(verdicts(state, podWithClaims('p', ['c']))).toBe(
      'Error: VolumeBindingMode not set for StorageClass "unset"',
    );
  });
});

describe('VolumeBinding, for bound claims', () => {
  const [ca, cb] = [makeClaim('ca', { volume: 'va' }), makeClaim('cb', { volume: 'vb' })];
  const [va, vb] = [makeVolume('va', { zone: 'a' }), makeVolume('vb', { zone: 'b' })];

  it('goes to where every volume can be reached', () => {
    const state = cluster([ca, cb], [va, vb]);
    expect(verdicts(state, podWithClaims('p', ['ca']))).toEqual([null, NEVER + NODE_CONFLICT]);
    expect(verdicts(state, podWithClaims('p', ['ca', 'cb']))).toEqual([NEVER + NODE_CONFLICT, NEVER + NODE_CONFLICT]);
    expect(verdicts(cluster([ca], [makeVolume('va')]), podWithClaims('p', ['ca']))).toEqual([null, null]);
  });

  it('lets the first claim with a problem decide', () => {
    const state = cluster([ca, cb], [va]);
    expect(verdicts(state, podWithClaims('p', ['cb', 'ca']))).toEqual([
      NEVER + VOLUME_NOT_EXIST,
      NEVER + VOLUME_NOT_EXIST,
    ]);
    expect(verdicts(state, podWithClaims('p', ['ca', 'cb']))).toEqual([
      NEVER + VOLUME_NOT_EXIST,
      NEVER + NODE_CONFLICT,
    ]);
  });

  it('takes the ephemeral claim of the pod itself', () => {
    const owner = { kind: 'Pod', name: 'p', uid: 'uid-p', controller: true };
    const own = makeClaim('p-x', { volume: 'va', metadata: { ownerReferences: [owner] } });
    const state = cluster([own], [va]);
    const pod = podWithVolumes('p', [{ name: 'x', ephemeral: {} }]);
    expect(verdicts(state, pod)).toEqual([null, NEVER + NODE_CONFLICT]);
  });

  it('shows the node without its name: volumes know labels only', () => {
    const required = {
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['elsewhere'] }] }],
    };
    const state = cluster([ca], [makeVolume('va', { spec: { nodeAffinity: { required } } })]);
    expect(verdicts(state, podWithClaims('p', ['ca']))).toEqual([null, null]);
  });
});

describe('VolumeBinding, for claims that wait for their pod', () => {
  it('goes to where a free volume is', () => {
    const state = cluster([makeClaim('c')], [makeVolume('v', { zone: 'b' })]);
    expect(verdicts(state, podWithClaims('p', ['c']))).toEqual([NEVER + BIND_CONFLICT, null]);
  });

  it('needs a volume of its own for every claim', () => {
    const claims = [makeClaim('large', { size: '5Gi' }), makeClaim('small')];
    const volumes = [makeVolume('v5', { size: '5Gi', zone: 'a' }), makeVolume('v6', { size: '6Gi', zone: 'a' })];
    const pod = podWithClaims('p', ['large', 'small']);
    expect(verdicts(cluster(claims, volumes), pod)).toEqual([null, NEVER + BIND_CONFLICT]);
    expect(verdicts(cluster(claims, volumes.slice(0, 1)), pod)).toEqual([NEVER + BIND_CONFLICT, NEVER + BIND_CONFLICT]);
  });

  it('lets the smallest claim choose first, wherever the pod names it', () => {
    const onlyV5 = { selector: { matchLabels: { disk: 'v5' } } };
    const claims = [makeClaim('large', { size: '5Gi' }), makeClaim('small', { spec: onlyV5 })];
    const volumes = [makeVolume('v5', { size: '5Gi', labels: { disk: 'v5' } }), makeVolume('v6', { size: '6Gi' })];
    // If the large claim were first it would take v5, and nothing would be left for the small one.
    for (const names of [
      ['large', 'small'],
      ['small', 'large'],
    ]) {
      expect(verdicts(cluster(claims, volumes), podWithClaims('p', names))).toEqual([null, null]);
    }
    const picky = [makeClaim('large', { size: '5Gi', spec: onlyV5 }), makeClaim('small')];
    expect(verdicts(cluster(picky, volumes), podWithClaims('p', ['large', 'small']))).toEqual([
      NEVER + BIND_CONFLICT,
      NEVER + BIND_CONFLICT,
    ]);
  });

  it('needs two volumes for a claim that is mounted twice, as upstream', () => {
    const pod = podWithClaims('p', ['c', 'c']);
    const [v, w] = [makeVolume('v'), makeVolume('w')];
    expect(verdicts(cluster([makeClaim('c')], [v]), pod)).toEqual([NEVER + BIND_CONFLICT, NEVER + BIND_CONFLICT]);
    expect(verdicts(cluster([makeClaim('c')], [v, w]), pod)).toEqual([null, null]);
  });

  it('has volumes made where none is free', () => {
    const state = cluster([makeClaim('c', { className: 'make' })]);
    expect(verdicts(state, podWithClaims('p', ['c']))).toEqual([null, null]);
    state.objects.set('CSIDriver', { metadata: { name: 'csi.example' }, spec: { storageCapacity: true } });
    expect(verdicts(state, podWithClaims('p', ['c']))).toEqual([NEVER + NOT_ENOUGH_SPACE, NEVER + NOT_ENOUGH_SPACE]);
  });

  it('waits on the node for which a volume is being made', () => {
    const state = cluster([makeClaim('c', { className: 'make', annotations: { [SELECTED_NODE]: 'b' } })]);
    expect(verdicts(state, podWithClaims('p', ['c']))).toEqual([NEVER + BIND_CONFLICT, null]);
  });

  it('looks for no other volume while one is being made', () => {
    const byHand = makeClaim('c', { annotations: { [SELECTED_NODE]: 'b' } });
    const state = cluster([byHand], [makeVolume('free')]);
    expect(verdicts(state, podWithClaims('p', ['c']))).toEqual([NEVER + BIND_CONFLICT, NEVER + BIND_CONFLICT]);
  });

  it('gives the reasons of bound and unbound claims together', () => {
    const claims = [makeClaim('bound', { volume: 'v' }), makeClaim('gone', { volume: 'x' }), makeClaim('c')];
    const state = cluster(claims, [makeVolume('v', { zone: 'a', phase: 'Bound' })]);
    expect(verdicts(state, podWithClaims('p', ['bound', 'c']))).toEqual([
      NEVER + BIND_CONFLICT,
      `${NEVER}${NODE_CONFLICT} + ${BIND_CONFLICT}`,
    ]);
    expect(verdicts(state, podWithClaims('p', ['gone', 'c']))).toEqual([
      `${NEVER}${BIND_CONFLICT} + ${VOLUME_NOT_EXIST}`,
      `${NEVER}${BIND_CONFLICT} + ${VOLUME_NOT_EXIST}`,
    ]);
  });
});

describe('VolumeBinding, for a claim whose selector is malformed', () => {
  const spec = { selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } };
  const failure =
    'Error: error creating internal label selector for claim: default/c: "Near" is not a valid label selector operator';

  it('fails on every node that it is asked about', () => {
    expect(verdicts(cluster([makeClaim('c', { spec })]), podWithClaims('p', ['c']))).toEqual([failure, failure]);
  });

  it('does not look for a volume, and so does not fail, where one is being made', () => {
    const made = makeClaim('c', { className: 'make', annotations: { [SELECTED_NODE]: 'b' }, spec });
    expect(verdicts(cluster([made]), podWithClaims('p', ['c']))).toEqual([NEVER + BIND_CONFLICT, null]);
    // The claim that is being made elsewhere is known before any volume is looked for.
    const state = cluster([makeClaim('c', { spec }), makeClaim('d', { annotations: { [SELECTED_NODE]: 'b' } })]);
    expect(verdicts(state, podWithClaims('p', ['c', 'd']))).toEqual([NEVER + BIND_CONFLICT, failure]);
  });
});

describe('VolumeBinding, when a pod has got its node', () => {
  function reserve(state: ClusterState, plugin: VolumeBinding, pod: Pod, nodeName: string): CycleState {
    const cycle = new CycleState();
    const node = state.node(nodeName);
    if (node === undefined) throw new Error('no node');
    expect(plugin.preFilter(cycle, state.pods.info(pod))).toBeNull();
    expect(plugin.reserve(cycle, state.pods.info(pod), node)).toBeNull();
    return cycle;
  }

  it('reserves a volume for one pod, until it is unreserved', () => {
    const state = cluster([makeClaim('c'), makeClaim('d')], [makeVolume('v', { zone: 'a' })]);
    const plugin = new VolumeBinding(state);
    const [first, second] = [podWithClaims('p', ['c']), podWithClaims('q', ['d'])];
    const cycle = reserve(state, plugin, first, 'a');
    expect(filterCluster(plugin, state, second)).toEqual([NEVER + BIND_CONFLICT, NEVER + BIND_CONFLICT]);
    // Another pod with the same claim gets the same volume.
    expect(filterCluster(plugin, state, podWithClaims('r', ['c']))).toEqual([null, NEVER + BIND_CONFLICT]);
    plugin.unreserve(cycle, state.pods.info(first));
    expect(filterCluster(plugin, state, second)).toEqual([null, NEVER + BIND_CONFLICT]);
  });

  it('sends other pods with the claim to where the volume is being made', () => {
    const state = cluster([makeClaim('c', { className: 'make' })]);
    const plugin = new VolumeBinding(state);
    const cycle = reserve(state, plugin, podWithClaims('p', ['c']), 'b');
    expect(filterCluster(plugin, state, podWithClaims('q', ['c']))).toEqual([NEVER + BIND_CONFLICT, null]);
    plugin.unreserve(cycle, state.pods.info(podWithClaims('p', ['c'])));
    expect(filterCluster(plugin, state, podWithClaims('q', ['c']))).toEqual([null, null]);
  });

  it('believes the API server more than itself', () => {
    const state = cluster([makeClaim('c'), makeClaim('d')], [makeVolume('v')]);
    const plugin = new VolumeBinding(state);
    reserve(state, plugin, podWithClaims('p', ['c']), 'a');
    state.objects.set('PersistentVolume', makeVolume('v'));
    expect(filterCluster(plugin, state, podWithClaims('q', ['d']))).toEqual([null, null]);
  });

  it('does nothing for pods without claims', () => {
    const state = cluster();
    const plugin = new VolumeBinding(state);
    const pod = state.pods.info(podWithClaims('p', []));
    const [node] = state.nodeInfos();
    if (node === undefined) throw new Error('no node');
    expect(plugin.reserve(new CycleState(), pod, node)).toBeNull();
    expect(() => plugin.unreserve(new CycleState(), pod)).not.toThrow();
  });
});

describe('pods that share columns', () => {
  it('are concerned if they have claims at all, ephemeral ones too', () => {
    const plugin = new VolumeBinding(cluster());
    const keyOf = (pod: Pod): string => JSON.stringify(plugin.concerns(pod));
    const without = keyOf(podWithVolumes('p', [{ gcePersistentDisk: { pdName: 'd' } }]));
    expect(keyOf(podWithClaims('p', ['c']))).not.toBe(without);
    expect(keyOf(podWithVolumes('p', [{ name: 'x', ephemeral: {} }]))).not.toBe(without);
    // Each pod of a StatefulSet has claims of its own: they must not have columns of their own.
    expect(keyOf(podWithClaims('p', ['c']))).toBe(keyOf(podWithClaims('q', ['d'])));
  });
});

describe('VolumeBinding scoring', () => {
  it('is off', () => {
    expect(textOf(new VolumeBinding(cluster()).preScore())).toBe('Skip');
  });
});
