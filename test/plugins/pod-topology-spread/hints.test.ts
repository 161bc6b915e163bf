import { describe, expect, it } from 'vitest';
import type { Labels } from '../../../src/api/meta.ts';
import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import type { TopologySpreadConstraint } from '../../../src/api/topology-spread.ts';
import { ActionType } from '../../../src/framework/events.ts';
import { PodTopologySpread } from '../../../src/plugins/pod-topology-spread/plugin.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { askHint, known } from '../ask-hint.ts';

const plugin = new PodTopologySpread(makeCluster([]));

function spread(over: Partial<TopologySpreadConstraint> = {}): Pod {
  const labelSelector = { matchLabels: { app: 'x' } };
  const constraint = { topologyKey: 'zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector, ...over };
  return known({ metadata: { name: 'p', namespace: 'default' }, spec: { topologySpreadConstraints: [constraint] } });
}

const other = (labels: Labels, namespace = 'default', nodeName = 'n'): Pod =>
  known({ metadata: { name: 'o', namespace, labels }, spec: { nodeName } });
const [counted, uncounted] = [other({ app: 'x' }), other({ app: 'y' })];

describe('PodTopologySpread: pods', () => {
  it.each<[string, Pod | undefined, Pod | undefined, string]>([
    ['one that counts comes', undefined, counted, 'Queue'],
    ['another comes', undefined, uncounted, 'QueueSkip'],
    ['one without a node comes', undefined, other({ app: 'x' }, 'default', ''), 'QueueSkip'],
    ['one of another namespace comes', undefined, other({ app: 'x' }, 'other'), 'QueueSkip'],
    ['one that counted goes', counted, undefined, 'Queue'],
    ['another goes', uncounted, undefined, 'QueueSkip'],
    ['one without a node goes', other({ app: 'x' }, 'default', ''), undefined, 'QueueSkip'],
    [
      'one that was only to get a node goes',
      { ...other({ app: 'x' }, 'default', ''), status: { nominatedNodeName: 'n' } },
      undefined,
      'QueueSkip',
    ],
    ['begins to count', uncounted, counted, 'Queue'],
    ['counts no more', counted, uncounted, 'Queue'],
    ['counts as before', counted, counted, 'QueueSkip'],
  ])('%s', (_what, before, after, hint) => {
    const action =
      before === undefined ? ActionType.Add : after === undefined ? ActionType.Delete : ActionType.UpdatePodLabel;
    expect(askHint(plugin, ['AssignedPod', action], spread(), { before, after })).toBe(hint);
  });

  it('asks every constraint by itself', () => {
    const byLabel = (key: string, topologyKey: string): TopologySpreadConstraint => ({
      topologyKey,
      maxSkew: 1,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchExpressions: [{ key, operator: 'Exists' }] },
    });
    const own = (labels: Labels): Pod =>
      known({
        metadata: { name: 'p', namespace: 'default', labels },
        spec: { topologySpreadConstraints: [byLabel('foo', 'zone'), byLabel('bar', 'node')] },
      });
    const pod = own({ foo: '' });
    const ask = (before: Pod, after: Pod) =>
      askHint(plugin, ['AssignedPod', ActionType.UpdatePodLabel], pod, { before, after });
    expect(ask(other({ foo: '' }), other({ foo: '', bar: '' }))).toBe('Queue');
    expect(ask(other({ foo: '', bar: '' }), other({ foo: 'x', bar: 'x' }))).toBe('QueueSkip');
    expect(ask(pod, own({ bar: '' }))).toBe('Queue');
    expect(ask(pod, own({ foo: 'x' }))).toBe('QueueSkip');
  });

  it('registers for its own tolerations where taints decide which nodes take part', () => {
    const event = ['UnschedulablePod', ActionType.UpdatePodToleration] as const;
    const ask = (pod: Pod) => {
      const after = { ...pod, spec: { ...pod.spec, tolerations: [{ key: 'k' }] } };
      return askHint(plugin, event, pod, { before: pod, after });
    };
    expect([ask(spread({ nodeTaintsPolicy: 'Honor' })), ask(spread())]).toEqual(['Queue', 'QueueSkip']);
  });

  it('fails where the constraints cannot be read', () => {
    const broken = spread({ labelSelector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } });
    expect(() => askHint(plugin, ['AssignedPod', ActionType.Add], broken, { after: counted })).toThrow('Near');
    const elsewhere = other({ app: 'x' }, 'other');
    expect(askHint(plugin, ['AssignedPod', ActionType.Add], broken, { after: elsewhere })).toBe('QueueSkip');
  });
});

describe('PodTopologySpread: nodes', () => {
  const inZone = (zone?: string, taints: Node['spec'] = {}): Node => ({
    ...makeNode('n', { labels: zone === undefined ? {} : { zone } }),
    spec: taints,
  });
  const tainted = { taints: [{ key: 'k', effect: 'PreferNoSchedule' }] };

  it.each<[string, Node | undefined, Node | undefined, string]>([
    ['comes with the key', undefined, inZone('a'), 'Queue'],
    ['comes without', undefined, inZone(), 'QueueSkip'],
    ['goes with the key', inZone('a'), undefined, 'Queue'],
    ['goes without', inZone(), undefined, 'QueueSkip'],
    ['gets the key', inZone(), inZone('a'), 'Queue'],
    ['loses the key', inZone('a'), inZone(), 'Queue'],
    ['changes zones', inZone('a'), inZone('b'), 'Queue'],
    ['changes taints', inZone('a'), inZone('a', tainted), 'Queue'],
    ['changes taints without the key', inZone(), inZone(undefined, tainted), 'QueueSkip'],
    ['changes in nothing of that', inZone('a'), inZone('a'), 'QueueSkip'],
  ])('%s', (_what, before, after, hint) => {
    const action =
      before === undefined ? ActionType.Add : after === undefined ? ActionType.Delete : ActionType.UpdateNodeLabel;
    expect(askHint(plugin, ['Node', action], spread(), { before, after })).toBe(hint);
  });
});
