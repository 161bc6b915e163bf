import { expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { ActionType, type EventResource } from '../../../src/framework/events.ts';
import { NodeVolumeLimits } from '../../../src/plugins/node-volume-limits/plugin.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makeClaim, podWithClaims, podWithVolumes } from '../../builders/make-storage.ts';
import { askHint } from '../ask-hint.ts';

const plugin = new NodeVolumeLimits(makeCluster([]));
const { Add, Update, Delete } = ActionType;

const csiNode = (limits: Readonly<Record<string, number>>) => ({
  spec: { drivers: Object.entries(limits).map(([name, count]) => ({ name, allocatable: { count } })) },
});
const attachment = (attacher: string) => ({ spec: { attacher } });
const disk = { name: 'd', awsElasticBlockStore: { volumeID: 'vol-1' } };
const withClaim = podWithClaims('p', ['c']);
const withDisk = podWithVolumes('p', [disk]);
const withFile = podWithVolumes('p', [{ name: 'f', azureFile: {} }]);
const unreadable = podWithVolumes('p', [{ name: 'd', awsElasticBlockStore: { volumeID: 'aws://zone/disk' } }]);
const ephemeral = podWithVolumes('p', [{ name: 'scratch', ephemeral: {} }]);

test.each<[string, Pod, EventResource, number, unknown, unknown, string]>([
  ['a new CSINode', withClaim, 'storage.k8s.io/CSINode', Add, undefined, csiNode({}), 'Queue'],
  ['a higher limit', withClaim, 'storage.k8s.io/CSINode', Update, csiNode({ a: 1 }), csiNode({ a: 2 }), 'Queue'],
  ['a new driver', withClaim, 'storage.k8s.io/CSINode', Update, csiNode({}), csiNode({ a: 1 }), 'Queue'],
  ['a lower limit', withClaim, 'storage.k8s.io/CSINode', Update, csiNode({ a: 2 }), csiNode({ a: 1 }), 'QueueSkip'],
  ['a pod with a claim is gone', withClaim, 'AssignedPod', Delete, podWithClaims('o', ['d'], 'n'), undefined, 'Queue'],
  ['a pod with a disk is gone', withClaim, 'AssignedPod', Delete, podWithVolumes('o', [disk], 'n'), undefined, 'Queue'],
  ['a pod without a node is gone', withClaim, 'AssignedPod', Delete, podWithClaims('o', ['d']), undefined, 'QueueSkip'],
  [
    'a pod without volumes is gone',
    withClaim,
    'AssignedPod',
    Delete,
    podWithVolumes('o', [], 'n'),
    undefined,
    'QueueSkip',
  ],
  ['its claim', withClaim, 'PersistentVolumeClaim', Add, undefined, makeClaim('c'), 'Queue'],
  [
    'the claim of its ephemeral volume',
    ephemeral,
    'PersistentVolumeClaim',
    Add,
    undefined,
    makeClaim('p-scratch'),
    'Queue',
  ],
  ['the claim of another pod', ephemeral, 'PersistentVolumeClaim', Add, undefined, makeClaim('q-scratch'), 'QueueSkip'],
  ['another claim', withClaim, 'PersistentVolumeClaim', Add, undefined, makeClaim('d'), 'QueueSkip'],
  [
    'any attachment, with a claim',
    withClaim,
    'storage.k8s.io/VolumeAttachment',
    Delete,
    attachment('x'),
    undefined,
    'Queue',
  ],
  [
    'an attachment of its driver',
    withDisk,
    'storage.k8s.io/VolumeAttachment',
    Delete,
    attachment('ebs.csi.aws.com'),
    undefined,
    'Queue',
  ],
  [
    'one of another driver',
    withDisk,
    'storage.k8s.io/VolumeAttachment',
    Delete,
    attachment('x'),
    undefined,
    'QueueSkip',
  ],
  [
    'an attachment of its driver, whose volumes nobody counts',
    withFile,
    'storage.k8s.io/VolumeAttachment',
    Delete,
    attachment('file.csi.azure.com'),
    undefined,
    'Queue',
  ],
  [
    'any attachment, with a disk that cannot be read',
    unreadable,
    'storage.k8s.io/VolumeAttachment',
    Delete,
    attachment('x'),
    undefined,
    'Queue',
  ],
  ['a node', withClaim, 'Node', Add, undefined, makeNode('n'), 'not registered'],
])('NodeVolumeLimits: %s', (_what, pod, resource, action, before, after, hint) => {
  expect(askHint(plugin, [resource, action], pod, { before, after })).toBe(hint);
});
