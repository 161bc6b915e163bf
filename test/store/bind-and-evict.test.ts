import { describe, expect, it } from 'vitest';
import type { PodStatus } from '../../src/api/pod.ts';
import type { PodDisruptionBudget } from '../../src/api/pod-disruption-budget.ts';
import type { Store } from '../../src/store/store.ts';
import { makePod } from '../builders/make-pod.ts';
import { makeStore } from '../builders/make-store.ts';
import { refusal } from './refusal.ts';

describe('bind', () => {
  it('puts the pod on its node', () => {
    const { store, clock } = makeStore();
    store.create('pods', { ...makePod('p'), metadata: { name: 'p', annotations: { a: '1' } } });
    store.updateStatus('pods', { metadata: { name: 'p' }, status: { phase: 'Pending', nominatedNodeName: 'n2' } });
    clock.advance(2000);
    store.bind('default', 'p', { metadata: { annotations: { b: '2' } }, target: { kind: 'Node', name: 'n1' } });
    const pod = store.get('pods', 'default', 'p');
    expect(pod.spec?.nodeName).toBe('n1');
    expect(pod.metadata).toMatchObject({ annotations: { a: '1', b: '2' }, generation: 1 });
    expect(pod.status?.nominatedNodeName).toBeUndefined();
    expect(pod.status?.conditions).toEqual([
      { type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-01-01T00:00:02Z' },
    ]);
  });

  it('gives pods whose statuses differ in their nominations alone one status, and others their own', () => {
    const statuses: PodStatus[] = [
      { phase: 'Pending' },
      { phase: 'Pending', nominatedNodeName: 'n1' },
      { nominatedNodeName: 'n2', phase: 'Pending' },
      { phase: 'Pending', hostIP: '10.0.0.1' },
      { phase: 'Pending', hostIP: '10.0.0.2', nominatedNodeName: 'n1' },
      { phase: 'Pending' },
    ] as PodStatus[];
    const { store } = makeStore();
    const bound = statuses.map((status, i) => {
      store.create('pods', makePod(`p${i}`));
      store.updateStatus('pods', { metadata: { name: `p${i}` }, status });
      return store.bind('default', `p${i}`, node('n')).status;
    });
    for (const [i, status] of statuses.entries()) {
      const { nominatedNodeName: _, ...others } = status;
      expect(bound[i]).toEqual({ qosClass: 'BestEffort', ...others, conditions: bound[0]?.conditions });
    }
    expect([bound[1] === bound[0], bound[2] === bound[0], bound[3] === bound[0]]).toEqual([true, true, false]);
    expect(bound[3]?.conditions).toBe(bound[0]?.conditions);
  });

  it.each<[string, string, unknown, string, string]>([
    ['bound', 'a pod that is bound', node('n2'), 'Conflict', 'pod bound is already assigned to node "n1"'],
    ['gated', 'a pod behind a gate', node('n2'), 'Conflict', 'pod gated has non-empty .spec.schedulingGates'],
    ['leaving', 'a pod that is leaving', node('n2'), 'Conflict', 'is being deleted, cannot be assigned to a host'],
    ['missing', 'a pod that is not there', node('n2'), 'NotFound', 'pods "missing" not found'],
    [
      'free',
      'another pod of the name',
      { ...node('n2'), metadata: { uid: 'x' } },
      'Conflict',
      'UID in precondition: x',
    ],
    [
      'free',
      'another version',
      { ...node('n2'), metadata: { resourceVersion: '1' } },
      'Conflict',
      'ResourceVersion in precondition: 1',
    ],
    [
      'free',
      'a version that is no text',
      { target: { kind: 'Node', name: 'n2' }, metadata: { resourceVersion: 1 } },
      'Invalid',
      'metadata.resourceVersion: must be a string',
    ],
    ['free', 'no node', { target: {} }, 'Invalid', 'target.name: Required value'],
    ['free', 'no target', {}, 'Invalid', 'target: Required value'],
    ['free', 'nothing', undefined, 'Invalid', 'target: Required value'],
    [
      'free',
      'another kind',
      { target: { kind: 'Pod', name: 'n' } },
      'Invalid',
      'target.kind: Unsupported value: "Pod"',
    ],
    [
      'free',
      'bad labels',
      { ...node('n2'), metadata: { labels: { a: '!' } } },
      'Invalid',
      'metadata.labels.a: bad label',
    ],
  ])('refuses %s: %s', (name, _, binding, reason, message) => {
    const { store } = makeStore();
    for (const free of ['free', 'bound']) store.create('pods', makePod(free));
    store.create('pods', makePod('gated', { gates: ['g'] }));
    store.create('pods', { ...makePod('leaving'), metadata: { name: 'leaving', finalizers: ['example.com/hold'] } });
    store.delete('pods', 'default', 'leaving');
    store.bind('default', 'bound', node('n1'));
    const before = store.list('pods');
    const error = refusal(() => store.bind('default', name, binding as ReturnType<typeof node>));
    expect(error.reason).toBe(reason);
    expect(error.message).toContain(message);
    expect(store.list('pods')).toEqual(before);
  });
});

it('binds the version that is meant', () => {
  const { store } = makeStore();
  const { resourceVersion } = store.create('pods', makePod('p')).metadata ?? {};
  store.bind('default', 'p', { metadata: { resourceVersion }, target: { kind: 'Node', name: 'n' } });
  expect(store.get('pods', 'default', 'p').spec?.nodeName).toBe('n');
});

function node(name: string): { readonly target: { readonly name: string } } {
  return { target: { name } };
}

const READY: PodStatus = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

/** Three web pods on a node, and a budget for them. */
function withBudget(status: PodDisruptionBudget['status'], spec: PodDisruptionBudget['spec'] = {}): Store {
  const { store } = makeStore();
  for (const name of ['a', 'b', 'c']) {
    store.create('pods', { ...makePod(name, { nodeName: 'n' }), metadata: { name, labels: { app: 'web' } } });
    store.updateStatus('pods', { metadata: { name }, status: READY });
  }
  const selector = { matchLabels: { app: 'web' } };
  const budget = store.create('poddisruptionbudgets', { metadata: { name: 'web' }, spec: { selector, ...spec } });
  store.updateStatus('poddisruptionbudgets', { ...budget, status: { observedGeneration: 1, ...status } });
  return store;
}

function disruptions(store: Store): unknown {
  return store.get('poddisruptionbudgets', 'default', 'web').status?.disruptionsAllowed;
}

describe('evict', () => {
  it('deletes the pod, with a condition that says why, and spends the budget', () => {
    const store = withBudget({ disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2 });
    store.evict('default', 'a');
    const { metadata, status } = store.get('pods', 'default', 'a');
    expect(metadata).toMatchObject({ deletionTimestamp: '2026-01-01T00:00:30Z', deletionGracePeriodSeconds: 30 });
    expect(status?.conditions?.[1]).toMatchObject({
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    });
    const budget = store.get('poddisruptionbudgets', 'default', 'web');
    expect(budget.status).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { a: '2026-01-01T00:00:00Z' },
      conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }],
    });
    expect(refusal(() => store.evict('default', 'b'))).toMatchObject({
      reason: 'TooManyRequests',
      statusCode: 429,
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      causes: [
        { reason: 'DisruptionBudget', message: 'The disruption budget web does not allow evicting pods currently' },
      ],
    });
  });

  it.each<[string, string, string, number]>([
    ['SyncFailed', 'no scale', 'does not allow evicting pods currently because it failed sync: no scale', 2],
    ['InsufficientPods', '', 'needs 2 healthy pods and has 2 currently', 2],
    ['Held', 'by hand', 'does not allow evicting pods currently (Held): by hand', 3],
  ])('says why a budget allows nothing: %s', (reason, message, why, currentHealthy) => {
    const time = '2026-01-01T00:00:00Z';
    const condition = { type: 'DisruptionAllowed', status: 'False', reason, message, lastTransitionTime: time };
    const store = withBudget({ disruptionsAllowed: 0, desiredHealthy: 2, currentHealthy, conditions: [condition] });
    expect(refusal(() => store.evict('default', 'a')).causes[0]?.message).toBe(`The disruption budget web ${why}`);
  });

  it('asks no budget about a pod that has not begun, has ended or is leaving', () => {
    const store = withBudget({ disruptionsAllowed: 0 });
    store.updateStatus('pods', { metadata: { name: 'a' }, status: { phase: 'Succeeded' } });
    store.updateStatus('pods', { metadata: { name: 'b' }, status: { phase: 'Pending' } });
    store.delete('pods', 'default', 'c');
    for (const name of ['a', 'b', 'c']) store.evict('default', name, { gracePeriodSeconds: 0 });
    expect(store.list('pods').items).toEqual([]);
    expect(disruptions(store)).toBe(0);
  });

  it.each<[string, PodDisruptionBudget['status'], string | undefined, boolean]>([
    ['enough others are healthy', { currentHealthy: 2, desiredHealthy: 2 }, undefined, true],
    ['too few others are healthy', { currentHealthy: 1, desiredHealthy: 2 }, undefined, false],
    ['nothing is known', {}, 'IfHealthyBudget', false],
    ['the budget always allows it', {}, 'AlwaysAllow', true],
  ])('lets a pod that is not ready go when %s', (_, status, unhealthyPodEvictionPolicy, isAllowed) => {
    const store = withBudget({ disruptionsAllowed: 0, ...status }, { unhealthyPodEvictionPolicy });
    store.updateStatus('pods', { metadata: { name: 'a' }, status: { phase: 'Running' } });
    if (isAllowed) store.evict('default', 'a');
    else expect(refusal(() => store.evict('default', 'a')).reason).toBe('TooManyRequests');
    const { deletionTimestamp } = store.get('pods', 'default', 'a').metadata ?? {};
    expect(deletionTimestamp !== undefined).toBe(isAllowed);
    expect(disruptions(store)).toBe(0);
  });

  it('refuses while the budget is not worked out, is overdrawn, or is not the only one', () => {
    const stale = withBudget({ disruptionsAllowed: 1, observedGeneration: 0 });
    expect(refusal(() => stale.evict('default', 'a')).causes[0]?.message).toContain('still being processed');
    const overdrawn = withBudget({ disruptionsAllowed: -1 });
    expect(refusal(() => overdrawn.evict('default', 'a')).reason).toBe('Forbidden');
    const disruptedPods = Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`p${i}`, '2026-01-01T00:00:00Z']));
    const full = withBudget({ disruptionsAllowed: 1, disruptedPods });
    expect(refusal(() => full.evict('default', 'a')).message).toContain('DisruptedPods map too big');
    const two = withBudget({ disruptionsAllowed: 1 });
    const selector = { matchExpressions: [{ key: 'app', operator: 'Exists' }] };
    two.create('poddisruptionbudgets', { metadata: { name: 'all' }, spec: { selector } });
    const before = two.list('pods');
    expect(refusal(() => two.evict('default', 'a')).reason).toBe('InternalError');
    expect(two.list('pods')).toEqual(before);
  });

  it.each<[string, PodDisruptionBudget['spec'], boolean]>([
    ['an empty selector: all pods of the namespace', { selector: {} }, true],
    ['no selector: none', { selector: undefined }, false],
  ])('asks a budget with %s', (_, spec, isAsked) => {
    const store = withBudget({ disruptionsAllowed: 0 }, spec);
    if (isAsked) expect(refusal(() => store.evict('default', 'a')).reason).toBe('TooManyRequests');
    else store.evict('default', 'a');
    expect(store.get('pods', 'default', 'a').metadata?.deletionTimestamp !== undefined).toBe(!isAsked);
  });

  it('honours preconditions', () => {
    const store = withBudget({ disruptionsAllowed: 1 });
    expect(refusal(() => store.evict('default', 'a', { preconditions: { uid: 'x' } })).reason).toBe('Conflict');
    expect(disruptions(store)).toBe(1);
    const { resourceVersion } = store.get('pods', 'default', 'a').metadata ?? {};
    store.evict('default', 'a', { preconditions: { resourceVersion }, gracePeriodSeconds: 0 });
    expect(refusal(() => store.evict('default', 'a')).reason).toBe('NotFound');
    expect(disruptions(store)).toBe(0);
  });
});
