import { describe, expect, it } from 'vitest';
import type { Labels } from '../../../src/api/meta.ts';
import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { ActionType } from '../../../src/framework/events.ts';
import { InterPodAffinity } from '../../../src/plugins/inter-pod-affinity/plugin.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { askHint, known } from '../ask-hint.ts';

const plugin = new InterPodAffinity(makeCluster([]));
const { Add, Delete, UpdatePodLabel, UpdateNodeLabel } = ActionType;

function podWith(name: string, labels: Labels, affinity: object = {}, nodeName = 'n', namespace = 'default'): Pod {
  return known({ metadata: { name, namespace, labels }, spec: { nodeName, affinity } });
}

const terms = (...apps: readonly string[]) => ({
  requiredDuringSchedulingIgnoredDuringExecution: apps.map((app) => ({
    topologyKey: 'zone',
    labelSelector: { matchLabels: { app } },
  })),
});
const attracted = podWith('p', { app: 'me' }, { podAffinity: terms('db') }, '');
const repelled = podWith('p', { app: 'me' }, { podAntiAffinity: terms('db') }, '');
const loner = podWith('p', { app: 'me' }, {}, '');
const db = podWith('db', { app: 'db' });
const web = podWith('db', { app: 'web' });

describe('InterPodAffinity: pods', () => {
  it.each<[string, Pod, Pod, string]>([
    ['one that it wants to be near', attracted, db, 'Queue'],
    ['another', attracted, web, 'QueueSkip'],
    ['one without a node', attracted, podWith('db', { app: 'db' }, {}, ''), 'QueueSkip'],
    ['one of another namespace', attracted, podWith('db', { app: 'db' }, {}, 'n', 'other'), 'QueueSkip'],
    ['one that matches one term of two', podWith('p', {}, { podAffinity: terms('db', 'web') }, ''), db, 'QueueSkip'],
    ['one that it wants to be away from', repelled, db, 'QueueSkip'],
  ])('added: %s', (_what, pod, after, hint) => {
    expect(askHint(plugin, ['AssignedPod', Add], pod, { after })).toBe(hint);
  });

  it.each<[string, Pod, Pod, Pod, string]>([
    ['begins to attract', attracted, web, db, 'Queue'],
    ['attracts as before', attracted, db, db, 'QueueSkip'],
    ['repels no more', repelled, db, web, 'Queue'],
    ['begins to repel', repelled, web, db, 'QueueSkip'],
    ['is the pod itself', loner, loner, loner, 'Queue'],
  ])('relabelled: %s', (_what, pod, before, after, hint) => {
    expect(askHint(plugin, ['AssignedPod', UpdatePodLabel], pod, { before, after })).toBe(hint);
  });

  it.each<[string, Pod, Pod, string]>([
    ['one that repelled', repelled, db, 'Queue'],
    ['one that attracted', attracted, db, 'QueueSkip'],
    ['one that was repelled by the pod', loner, podWith('db', {}, { podAntiAffinity: terms('me') }), 'Queue'],
    ['one that was repelled by others', loner, podWith('db', {}, { podAntiAffinity: terms('db') }), 'QueueSkip'],
  ])('deleted: %s', (_what, pod, before, hint) => {
    expect(askHint(plugin, ['AssignedPod', Delete], pod, { before })).toBe(hint);
  });
});

describe('InterPodAffinity: the pod itself loses its nomination', () => {
  it.each<[string, Pod, string]>([
    ['and never stood in its own way', attracted, 'QueueSkip'],
    ['and keeps away from others like it', podWith('p', { app: 'me' }, { podAntiAffinity: terms('me') }, ''), 'Queue'],
  ])('%s', (_what, pod, hint) => {
    const before = { ...pod, status: { nominatedNodeName: 'n' } };
    expect(askHint(plugin, ['AssignedPod', Delete], pod, { before })).toBe(hint);
  });
});

describe('InterPodAffinity: nodes', () => {
  const inZone = (zone?: string): Node => makeNode('n', { labels: zone === undefined ? {} : { zone } });

  it.each<[string, Pod, Node | undefined, Node, string]>([
    ['new, with the key', attracted, undefined, inZone('a'), 'Queue'],
    ['new, without the key', attracted, undefined, inZone(), 'QueueSkip'],
    ['new, for a pod that keeps away', repelled, undefined, inZone(), 'Queue'],
    ['new, for a pod without terms', loner, undefined, inZone('a'), 'QueueSkip'],
    ['gets the key', attracted, inZone(), inZone('a'), 'Queue'],
    ['changes zones', attracted, inZone('a'), inZone('b'), 'Queue'],
    ['loses the key', attracted, inZone('a'), inZone(), 'QueueSkip'],
    ['gets the key, for a pod that keeps away', repelled, inZone(), inZone('a'), 'QueueSkip'],
    ['changes zones, for a pod that keeps away', repelled, inZone('a'), inZone('b'), 'Queue'],
    ['loses the key, for a pod that keeps away', repelled, inZone('a'), inZone(), 'Queue'],
  ])('%s', (_what, pod, before, after, hint) => {
    const action = before === undefined ? Add : UpdateNodeLabel;
    expect(askHint(plugin, ['Node', action], pod, { before, after })).toBe(hint);
  });
});

describe('InterPodAffinity: terms that cannot be read', () => {
  const term = { topologyKey: 'zone', labelSelector: { matchExpressions: [{ key: 'app', operator: 'Near' }] } };
  const malformed = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  const preferred = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }] };
  const node = makeNode('n', { labels: { zone: 'a' } });

  it.each([{ podAffinity: malformed }, { podAntiAffinity: malformed }])('fail: %j', (affinity) => {
    const pod = podWith('p', {}, affinity, '');
    expect(() => askHint(plugin, ['AssignedPod', Add], pod, { after: db })).toThrow('Near');
    expect(() => askHint(plugin, ['AssignedPod', Delete], pod, { before: db })).toThrow('Near');
    expect(() => askHint(plugin, ['Node', Add], pod, { after: node })).toThrow('Near');
    // Pods without a node are not matched.
    expect(askHint(plugin, ['AssignedPod', Add], pod, { after: podWith('db', {}, {}, '') })).toBe('QueueSkip');
  });

  it('do not matter where they are only preferred', () => {
    const pod = podWith('p', {}, { podAffinity: { ...terms('db'), ...preferred } }, '');
    expect(askHint(plugin, ['AssignedPod', Add], pod, { after: db })).toBe('Queue');
  });
});
