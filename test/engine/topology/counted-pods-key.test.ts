import { describe, expect, test } from 'vitest';
import type { ObjectMeta } from '../../../src/api/meta.ts';
import type { PodSpec } from '../../../src/api/pod.ts';
import { countedPodsKey, PartNumbers, planKey } from '../../../src/engine/topology/counted-pods-key.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';

const podOf = (metadata: ObjectMeta, spec: PodSpec = {}) => makePodInfo({ metadata: { name: 'p', ...metadata }, spec });
const term = { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'web' } } };
const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };

describe('numbers of parts', () => {
  test('are equal for equal values, also of different objects', () => {
    const parts = new PartNumbers();
    const shared = { app: 'web' };
    expect(parts.of(shared)).toBe(parts.of(shared));
    expect(parts.of({ app: 'web' })).toBe(parts.of(shared));
    expect(parts.of({ app: 'db' })).not.toBe(parts.of(shared));
    expect(parts.of([])).not.toBe(parts.of({}));
  });

  test('are 0 for what is missing, and for nothing else', () => {
    const parts = new PartNumbers();
    expect([parts.of(undefined), parts.of(null)]).toEqual([0, 0]);
    expect(parts.of({})).toBeGreaterThan(0);
  });

  test('are forgotten with the last key that holds them, and never given to another value', () => {
    const parts = new PartNumbers();
    const [first, second] = [
      { a: '1', b: ['x'] },
      { a: '1', c: '2' },
    ];
    const numbers = [parts.of(first), parts.of(second)];
    parts.hold([first, second, undefined]);
    parts.hold([{ ...first }]);
    parts.release([first, second, undefined]);
    expect(parts.of(first)).toBe(numbers[0]);
    expect(numbers).not.toContain(parts.of(second));
    parts.release([first]);
    expect(numbers).not.toContain(parts.of(first));
  });

  test('are also given to what is not JSON', () => {
    const parts = new PartNumbers();
    const date = { at: new Date(0) };
    const number = parts.of(date);
    parts.hold([date]);
    expect(parts.of({ at: new Date(0) })).toBe(number);
    parts.release([date]);
    expect(parts.of(date)).not.toBe(number);
  });
});

test('the nodes to which a pod may go matter to its plan, and to no counter', () => {
  const parts = new PartNumbers();
  const onNode = (name: string) => {
    const matchFields = [{ key: 'metadata.name', operator: 'In', values: [name] }];
    const required = { nodeSelectorTerms: [{ matchFields }] };
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: required };
    return podOf({ labels: { app: 'web' } }, { affinity: { ...affinity, nodeAffinity } });
  };
  expect(countedPodsKey(onNode('a'), parts)).toBe(countedPodsKey(onNode('b'), parts));
  expect(planKey(onNode('a'), parts)).not.toBe(planKey(onNode('b'), parts));
});

describe('the key of counted pods', () => {
  const parts = new PartNumbers();
  const base = countedPodsKey(podOf({ labels: { app: 'web' } }), parts);

  test('is one for pods that no selector can distinguish', () => {
    const other = podOf({ name: 'other', labels: { app: 'web' }, namespace: 'default' }, { priority: 7 });
    expect(countedPodsKey(other, parts)).toBe(base);
  });

  test.each([
    ['labels', podOf({ labels: { app: 'db' } })],
    ['no labels', podOf({})],
    ['the namespace', podOf({ labels: { app: 'web' }, namespace: 'other' })],
    ['its end', podOf({ labels: { app: 'web' }, deletionTimestamp: '2026-01-01T00:00:00Z' })],
    ['terms of its own', podOf({ labels: { app: 'web' } }, { affinity })],
  ])('is another for %s', (_, pod) => {
    expect(countedPodsKey(pod, parts)).not.toBe(base);
  });
});

describe('the key of a plan', () => {
  const parts = new PartNumbers();
  const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
  const base = planKey(podOf({ labels: { app: 'web' } }), parts);

  test('does not change with what no constraint looks at', () => {
    expect(planKey(podOf({ name: 'other', labels: { app: 'web' } }, { priority: 7, hostNetwork: true }), parts)).toBe(
      base,
    );
  });

  test.each<[string, ObjectMeta, PodSpec]>([
    ['constraints', {}, { topologySpreadConstraints: [constraint] }],
    ['node selectors', {}, { nodeSelector: { pool: 'x' } }],
    ['tolerations', {}, { tolerations: [{ operator: 'Exists' }] }],
    ['affinity', {}, { affinity }],
    ['owners', { ownerReferences: [{ apiVersion: 'v1', kind: 'ReplicaSet', name: 'r', uid: 'u' }] }, {}],
    ['labels', { labels: {} }, {}],
  ])('changes with %s', (_, metadata, spec) => {
    expect(planKey(podOf({ labels: { app: 'web' }, ...metadata }, spec), parts)).not.toBe(base);
  });

  test('distinguishes equal parts in different places', () => {
    const pool = { pool: 'x' };
    const asLabels = planKey(podOf({ labels: pool }), parts);
    expect(planKey(podOf({}, { nodeSelector: pool }), parts)).not.toBe(asLabels);
  });
});
