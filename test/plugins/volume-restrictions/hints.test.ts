import { expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { ActionType } from '../../../src/framework/events.ts';
import { VolumeRestrictions } from '../../../src/plugins/volume-restrictions/plugin.ts';
import { makeNode } from '../../builders/make-node.ts';
import { claimVolume, makeClaim, podWithClaims, podWithVolumes } from '../../builders/make-storage.ts';
import { askHint } from '../ask-hint.ts';

const plugin = new VolumeRestrictions();
const disk = { name: 'd', awsElasticBlockStore: { volumeID: 'vol-1' } };
const pod = podWithVolumes('p', [disk, claimVolume('c'), { name: 'empty' }]);

test.each<[string, Pod, string]>([
  ['had its disk', podWithVolumes('gone', [disk], 'n'), 'Queue'],
  ['had its claim', podWithClaims('gone', ['c'], 'n'), 'Queue'],
  ['had other claims and disks', podWithClaims('gone', ['d'], 'n'), 'QueueSkip'],
  ['had volumes of another kind', podWithVolumes('gone', [{ name: 'empty' }], 'n'), 'QueueSkip'],
  ['was of another namespace', podWithClaims('gone', ['c'], 'n', 'other'), 'QueueSkip'],
])('VolumeRestrictions: the deleted pod %s', (_what, before, hint) => {
  expect(askHint(plugin, ['AssignedPod', ActionType.Delete], pod, { before })).toBe(hint);
});

test('VolumeRestrictions: new nodes, and new claims of the pod', () => {
  expect(askHint(plugin, ['Node', ActionType.Add], pod, { after: makeNode('n') })).toBe('Queue');
  const claim = (name: string, action: number) =>
    askHint(plugin, ['PersistentVolumeClaim', action], pod, { after: makeClaim(name) });
  expect([claim('c', ActionType.Add), claim('d', ActionType.Add), claim('c', ActionType.Update)]).toEqual([
    ...['Queue', 'QueueSkip', 'not registered'],
  ]);
});
