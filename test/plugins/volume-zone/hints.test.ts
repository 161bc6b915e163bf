import { expect, test } from 'vitest';
import { ActionType, type EventResource } from '../../../src/framework/events.ts';
import { VolumeZone } from '../../../src/plugins/volume-zone/plugin.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makeClaim, makeStorageClass, makeVolume, podWithClaims } from '../../builders/make-storage.ts';
import { askHint } from '../ask-hint.ts';

const ZONE = 'topology.kubernetes.io/zone';
const inZones = (zones: string) => makeVolume('v', { labels: { [ZONE]: zones } });
const { Add, Update, UpdateNodeLabel } = ActionType;

test.each<[string, EventResource, number, unknown, unknown, string]>([
  ['a class that waits for pods', 'storage.k8s.io/StorageClass', Add, undefined, makeStorageClass(), 'Queue'],
  [
    'another class',
    'storage.k8s.io/StorageClass',
    Add,
    undefined,
    makeStorageClass('s', { volumeBindingMode: 'Immediate' }),
    'QueueSkip',
  ],
  [
    'a class that changed',
    'storage.k8s.io/StorageClass',
    Update,
    makeStorageClass(),
    makeStorageClass(),
    'not registered',
  ],
  ['labels of a node', 'Node', UpdateNodeLabel, makeNode('n'), makeNode('n'), 'Queue'],
  ['its claim', 'PersistentVolumeClaim', Update, makeClaim('c'), makeClaim('c'), 'Queue'],
  ['another claim', 'PersistentVolumeClaim', Add, undefined, makeClaim('d'), 'QueueSkip'],
  ['a new volume', 'PersistentVolume', Add, undefined, makeVolume('v'), 'Queue'],
  ['a volume in another zone', 'PersistentVolume', Update, inZones('a'), inZones('b'), 'Queue'],
  ['the same zones in another order', 'PersistentVolume', Update, inZones('a__b'), inZones('b__a'), 'QueueSkip'],
])('VolumeZone: %s', (_what, resource, action, before, after, hint) => {
  const plugin = new VolumeZone(makeCluster([]));
  expect(askHint(plugin, [resource, action], podWithClaims('p', ['c']), { before, after })).toBe(hint);
});
