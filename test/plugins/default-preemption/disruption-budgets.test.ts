import { describe, expect, test } from 'vitest';
import type { Labels } from '../../../src/api/meta.ts';
import type { PodDisruptionBudget } from '../../../src/api/pod-disruption-budget.ts';
import { ClusterObjects } from '../../../src/framework/cluster-objects.ts';
import type { PodInfo } from '../../../src/framework/pod-info.ts';
import { DisruptionBudgets } from '../../../src/plugins/default-preemption/disruption-budgets.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { makePod } from '../../builders/make-pod.ts';

const web = { app: 'web' };

function pod(name: string, labels: Labels = web, namespace = 'default'): PodInfo {
  const made = makePod(name, { namespace });
  return makePodInfo({ ...made, metadata: { ...made.metadata, labels } });
}

function budget(
  name: string,
  selector: NonNullable<PodDisruptionBudget['spec']>['selector'],
  disruptionsAllowed: number | undefined,
  disruptedPods: readonly string[] = [],
): PodDisruptionBudget {
  const disrupted = Object.fromEntries(disruptedPods.map((pod) => [pod, '2026-01-01T00:00:00Z']));
  return { metadata: { name }, spec: { selector }, status: { disruptionsAllowed, disruptedPods: disrupted } };
}

/** Names of the violating pods. */
function violating(pods: readonly PodInfo[], ...budgets: PodDisruptionBudget[]): string[] {
  const objects = new ClusterObjects();
  for (const each of budgets) objects.set('PodDisruptionBudget', each);
  const split = new DisruptionBudgets(objects).split(pods);
  expect(split.violating.length + split.nonViolating.length).toBe(pods.length);
  return split.violating.map(({ name }) => name);
}

describe('DisruptionBudgets', () => {
  test('as many pods as a budget allows go free, in order', () => {
    const pods = [pod('a'), pod('b'), pod('c')];
    expect(violating(pods, budget('pdb', { matchLabels: web }, 1))).toEqual(['b', 'c']);
    expect(violating(pods, budget('pdb', { matchLabels: web }, undefined))).toEqual(['a', 'b', 'c']);
    expect(violating(pods)).toEqual([]);
  });

  test('of several budgets one that is used up is enough, and all are charged', () => {
    const both = { ...web, tier: 'gold' };
    const pods = [pod('a', both), pod('b', web), pod('c', { tier: 'gold' })];
    const budgets = [budget('web', { matchLabels: web }, 2), budget('gold', { matchLabels: { tier: 'gold' } }, 0)];
    expect(violating(pods, ...budgets)).toEqual(['a', 'c']);
    expect(violating([...pods, pod('d', web)], ...budgets)).toEqual(['a', 'c', 'd']);
  });

  test('an eviction that the API server knows of is not counted again', () => {
    expect(violating([pod('a'), pod('b')], budget('pdb', { matchLabels: web }, 1, ['a']))).toEqual([]);
  });

  test('budgets of other namespaces, without a usable selector, and for pods without labels protect no pod', () => {
    expect(violating([pod('a', web, 'other')], budget('pdb', { matchLabels: web }, 0))).toEqual([]);
    expect(violating([pod('a')], budget('none', undefined, 0), budget('empty', {}, 0))).toEqual([]);
    const malformed = { matchExpressions: [{ key: 'app', operator: 'Near' }] };
    expect(violating([pod('a')], budget('malformed', malformed, 0))).toEqual([]);
    const absent = { matchExpressions: [{ key: 'x', operator: 'DoesNotExist' }] };
    expect(violating([pod('bare', {}), pod('a')], budget('absent', absent, 0))).toEqual(['a']);
  });

  test('a change of the budgets counts from the next question on', () => {
    const objects = new ClusterObjects();
    const budgets = new DisruptionBudgets(objects);
    expect(budgets.split([pod('a')]).violating).toEqual([]);
    const before = budgets.version;
    objects.set('PodDisruptionBudget', budget('pdb', { matchLabels: web }, 0));
    expect(budgets.version).not.toBe(before);
    expect(budgets.split([pod('a')]).violating.length).toBe(1);
    objects.remove('PodDisruptionBudget', 'pdb', 'default');
    expect(budgets.split([pod('a')]).violating).toEqual([]);
  });
});
