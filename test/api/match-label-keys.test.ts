import { describe, expect, test } from 'vitest';
import { defaultPod } from '../../src/api/defaults.ts';
import type { LabelSelector } from '../../src/api/label-selector.ts';
import { mergeMatchLabelKeys } from '../../src/api/match-label-keys.ts';
import type { PodSpec } from '../../src/api/pod.ts';
import type { PodAffinityTerm } from '../../src/api/pod-affinity.ts';

const labels = { app: 'web', rev: '7' };
const selector: LabelSelector = { matchLabels: { app: 'web' } };
const inRev = { key: 'rev', operator: 'In', values: ['7'] };
const notInRev = { key: 'rev', operator: 'NotIn', values: ['7'] };

const spread = (labelSelector: LabelSelector | undefined, matchLabelKeys: string[]): PodSpec => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector, matchLabelKeys },
  ],
});

const mergedSelector = (spec: PodSpec) =>
  mergeMatchLabelKeys(spec, labels).topologySpreadConstraints?.[0]?.labelSelector;

describe('mergeMatchLabelKeys', () => {
  test('adds the own value of each key to the selector of a spread constraint', () => {
    expect(mergedSelector(spread(selector, ['rev']))).toEqual({ ...selector, matchExpressions: [inRev] });
  });

  test('keeps the expressions that are there', () => {
    const other = { key: 'tier', operator: 'Exists' };
    expect(mergedSelector(spread({ matchExpressions: [other] }, ['rev']))).toEqual({
      matchExpressions: [other, inRev],
    });
  });

  test('leaves out keys that the pod has no label for', () => {
    const spec = spread(selector, ['absent', 'constructor']);
    expect(mergeMatchLabelKeys(spec, labels)).toBe(spec);
  });

  test('an absent selector stays absent', () => {
    const spec = spread(undefined, ['rev']);
    expect(mergeMatchLabelKeys(spec, labels)).toBe(spec);
  });

  test('a spec without keys, and a pod without labels, stay as they are', () => {
    const spec = spread(selector, []);
    expect(mergeMatchLabelKeys(spec, labels)).toBe(spec);
    const keyed = spread(selector, ['rev']);
    expect(mergeMatchLabelKeys(keyed, undefined)).toBe(keyed);
  });

  test('reaches all four lists of pod affinity terms, mismatched keys with NotIn', () => {
    const term: PodAffinityTerm = { topologyKey: 'zone', labelSelector: selector, mismatchLabelKeys: ['rev'] };
    const merged = { ...term, labelSelector: { ...selector, matchExpressions: [notInRev] } };
    const both = {
      requiredDuringSchedulingIgnoredDuringExecution: [term],
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, podAffinityTerm: term }],
    };
    const expected = {
      requiredDuringSchedulingIgnoredDuringExecution: [merged],
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, podAffinityTerm: merged }],
    };
    const nodeAffinity = {};
    const spec: PodSpec = { affinity: { nodeAffinity, podAffinity: both, podAntiAffinity: both } };
    expect(mergeMatchLabelKeys(spec, labels)).toEqual({
      affinity: { nodeAffinity, podAffinity: expected, podAntiAffinity: expected },
    });
  });

  test('does nothing the second time, and does not touch its input', () => {
    const spec = spread(selector, ['rev', 'rev']);
    const before = structuredClone(spec);
    const once = mergeMatchLabelKeys(spec, labels);
    expect(mergeMatchLabelKeys(once, labels)).toBe(once);
    expect(once.topologySpreadConstraints?.[0]?.labelSelector?.matchExpressions).toEqual([inRev]);
    expect(spec).toEqual(before);
  });

  test('is one of the defaults of a pod', () => {
    const pod = defaultPod({ metadata: { name: 'p', labels }, spec: spread(selector, ['rev']) });
    expect(pod.spec?.topologySpreadConstraints?.[0]?.labelSelector?.matchExpressions).toEqual([inRev]);
  });
});
