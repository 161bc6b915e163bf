import { describe, expect, it } from 'vitest';
import { ActionType, type EventResource } from '../../../src/framework/events.ts';
import { VolumeBinding } from '../../../src/plugins/volume-binding/plugin.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makeClaim, makeStorageClass, makeVolume, podWithClaims, podWithVolumes } from '../../builders/make-storage.ts';
import { askHint } from '../ask-hint.ts';

const plugin = new VolumeBinding(makeCluster([]));
const pod = podWithClaims('p', ['c']);
const { Add, Update } = ActionType;

const csiNode = (plugins?: string) => ({
  metadata: {
    name: 'n',
    annotations: plugins === undefined ? {} : { 'storage.alpha.kubernetes.io/migrated-plugins': plugins },
  },
});
const topology = (zone: string) => ({
  allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: [zone] }] }],
});
const capacity = (size?: string, maximumVolumeSize?: string) => ({ capacity: size, maximumVolumeSize });

describe('VolumeBinding', () => {
  it.each<[string, EventResource, number, unknown, unknown, string]>([
    ['a new class', 'storage.k8s.io/StorageClass', Add, undefined, makeStorageClass(), 'Queue'],
    [
      'other topologies',
      'storage.k8s.io/StorageClass',
      Update,
      makeStorageClass('s', topology('a')),
      makeStorageClass('s', topology('b')),
      'Queue',
    ],
    ['a class as before', 'storage.k8s.io/StorageClass', Update, makeStorageClass(), makeStorageClass(), 'QueueSkip'],
    ['its claim', 'PersistentVolumeClaim', Update, makeClaim('c'), makeClaim('c'), 'Queue'],
    ['another claim', 'PersistentVolumeClaim', Add, undefined, makeClaim('d'), 'QueueSkip'],
    [
      'a claim of another namespace',
      'PersistentVolumeClaim',
      Add,
      undefined,
      makeClaim('c', { namespace: 'other' }),
      'QueueSkip',
    ],
    ['any volume', 'PersistentVolume', Update, makeVolume('v'), makeVolume('v'), 'Queue'],
    ['labels of a node', 'Node', ActionType.UpdateNodeLabel, makeNode('n'), makeNode('n'), 'Queue'],
    ['a new CSINode', 'storage.k8s.io/CSINode', Add, undefined, csiNode(), 'Queue'],
    ['another plugin migrated', 'storage.k8s.io/CSINode', Update, csiNode(), csiNode('a'), 'Queue'],
    ['the same plugins', 'storage.k8s.io/CSINode', Update, csiNode('a,b'), csiNode('a,b'), 'QueueSkip'],
    ['new capacity', 'storage.k8s.io/CSIStorageCapacity', Add, undefined, capacity('1Gi'), 'Queue'],
    ['more capacity', 'storage.k8s.io/CSIStorageCapacity', Update, capacity('1Gi'), capacity('2Gi'), 'Queue'],
    [
      'a little more capacity',
      'storage.k8s.io/CSIStorageCapacity',
      Update,
      capacity('9007199254740992'),
      capacity('9007199254740993'),
      'Queue',
    ],
    ['less capacity', 'storage.k8s.io/CSIStorageCapacity', Update, capacity('2Gi'), capacity('1Gi'), 'QueueSkip'],
    [
      'a limit that did not grow',
      'storage.k8s.io/CSIStorageCapacity',
      Update,
      capacity('1Gi', '1Gi'),
      capacity('2Gi', '1Gi'),
      'QueueSkip',
    ],
    ['capacity that becomes known', 'storage.k8s.io/CSIStorageCapacity', Update, capacity(), capacity('0'), 'Queue'],
  ])('%s', (_what, resource, action, before, after, hint) => {
    expect(askHint(plugin, [resource, action], pod, { before, after })).toBe(hint);
  });

  it('queues for the claim of an ephemeral volume by its name', () => {
    const ephemeral = podWithVolumes('p', [{ name: 'scratch', ephemeral: {} }]);
    expect(askHint(plugin, ['PersistentVolumeClaim', Add], ephemeral, { after: makeClaim('p-scratch') })).toBe('Queue');
  });

  it('queues when the driver of an inline volume stops tracking capacity', () => {
    const inline = podWithVolumes('p', [{ name: 'v', csi: { driver: 'csi.example' } }]);
    const driver = (storageCapacity: boolean, name = 'csi.example') => ({
      metadata: { name },
      spec: { storageCapacity },
    });
    const ask = (before: unknown, after: unknown, who = inline) =>
      askHint(plugin, ['storage.k8s.io/CSIDriver', Update], who, { before, after });
    expect(ask(driver(true), driver(false))).toBe('Queue');
    expect(ask(driver(false), driver(true))).toBe('QueueSkip');
    expect(ask(driver(true, 'other'), driver(false, 'other'))).toBe('QueueSkip');
    expect(ask(driver(true), driver(false), pod)).toBe('QueueSkip');
  });
});
