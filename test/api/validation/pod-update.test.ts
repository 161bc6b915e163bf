import { describe, expect, it } from 'vitest';
import type { PodSpec } from '../../../src/api/pod.ts';
import { validatePodUpdate } from '../../../src/api/validation/pod-update.ts';

const STORED: PodSpec = {
  containers: [{ name: 'a', image: 'i' }],
  initContainers: [{ name: 'b', image: 'i' }],
  activeDeadlineSeconds: 10,
  terminationGracePeriodSeconds: 30,
  tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
};

function fields(change: PodSpec, stored: PodSpec = STORED): string[] {
  const spec = { ...stored, ...change };
  return validatePodUpdate({ metadata: { name: 'p' }, spec }, { metadata: { name: 'p' }, spec: stored }).map(
    ({ field }) => field,
  );
}

function terms(...keys: readonly (readonly string[])[]): PodSpec {
  const nodeSelectorTerms = keys.map((each) => ({
    matchExpressions: each.map((key) => ({ key, operator: 'Exists' })),
  }));
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

describe('validatePodUpdate', () => {
  it.each<[string, PodSpec]>([
    ['nothing', {}],
    ['images', { containers: [{ name: 'a', image: 'j' }], initContainers: [{ name: 'b', image: 'j' }] }],
    ['a nearer deadline', { activeDeadlineSeconds: 9 }],
    ['one more toleration', { tolerations: [...(STORED.tolerations ?? []), { key: 'x', operator: 'Exists' }] }],
    ['a longer toleration', { tolerations: [{ ...STORED.tolerations?.[0], tolerationSeconds: 9 }] }],
  ])('allows %s', (_, change) => {
    expect(fields(change)).toEqual([]);
  });

  it.each<[string, PodSpec, string]>([
    ['an empty image', { containers: [{ name: 'a', image: '' }] }, 'spec.containers[0].image'],
    ['another name', { containers: [{ name: 'x', image: 'i' }] }, 'spec'],
    ['a container more', { initContainers: [{ name: 'b' }, { name: 'c' }] }, 'spec.initContainers'],
    ['a later deadline', { activeDeadlineSeconds: 11 }, 'spec.activeDeadlineSeconds'],
    ['no deadline', { activeDeadlineSeconds: undefined }, 'spec.activeDeadlineSeconds'],
    ['another toleration', { tolerations: [{ key: 'x', operator: 'Exists' }] }, 'spec.tolerations'],
    ['another grace period', { terminationGracePeriodSeconds: 1 }, 'spec'],
    ['a node', { nodeName: 'n' }, 'spec'],
    ['a node selector', { nodeSelector: { a: 'b' } }, 'spec'],
    ['a gate', { schedulingGates: [{ name: 'g' }] }, 'spec.schedulingGates'],
  ])('refuses %s', (_, change, field) => {
    expect(fields(change)).toEqual([field]);
  });

  it('lets a grace period below zero become one second', () => {
    const stored = { ...STORED, terminationGracePeriodSeconds: -1 };
    expect(fields({ terminationGracePeriodSeconds: 1 }, stored)).toEqual([]);
    expect(fields({ terminationGracePeriodSeconds: 2 }, stored)).toEqual(['spec']);
  });

  it('lets a pod behind a gate be narrowed down', () => {
    const gated = { ...STORED, schedulingGates: [{ name: 'g' }], nodeSelector: { a: '1' } };
    expect(fields({ schedulingGates: [] }, gated)).toEqual([]);
    expect(fields({ nodeSelector: { a: '1', b: '2' }, ...terms(['x'], ['y']) }, gated)).toEqual([]);
    expect(fields({ nodeSelector: { a: '2' } }, gated)).toEqual(['spec.nodeSelector']);
    const narrow = { ...gated, ...terms(['x'], ['y']) };
    expect(fields(terms(['x', 'z'], ['y']), narrow)).toEqual([]);
    expect(fields(terms(['x', 'z']), narrow)).toEqual(['spec.affinity.nodeAffinity']);
    expect(fields(terms(['z'], ['y']), narrow)).toEqual(['spec.affinity.nodeAffinity']);
    expect(fields({ affinity: undefined }, narrow)).toEqual(['spec.affinity.nodeAffinity']);
  });
});
