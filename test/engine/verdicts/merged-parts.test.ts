import { describe, expect, test } from 'vitest';
import { mergedParts } from '../../../src/engine/verdicts/merged-parts.ts';
import { LOOKS_AT_NOTHING, type NodeParts } from '../../../src/framework/plugin.ts';

const told = (key: string, ...values: string[]): NodeParts => ({
  taints: false,
  labels: [key],
  values: new Map([[key, values]]),
});

describe('what two plugins see of a node', () => {
  test('are the labels and taints that one of them sees', () => {
    const a = { taints: false, labels: ['x', 'y'] };
    expect(mergedParts(a, { taints: true, labels: ['y', 'z'] })).toMatchObject({
      taints: true,
      labels: ['x', 'y', 'z'],
    });
    expect(mergedParts(LOOKS_AT_NOTHING, a)).toBe(a);
  });

  test('are the values that one of them tells apart', () => {
    const { values } = mergedParts(mergedParts(told('x', 'a'), told('x', 'b')), told('y', 'c'));
    expect([...(values ?? [])]).toEqual([
      ['x', ['a', 'b']],
      ['y', ['c']],
    ]);
  });

  test('are all values of a label, if one of them tells all apart', () => {
    const whole = { taints: false, labels: ['x'] };
    for (const parts of [mergedParts(told('x', 'a'), whole), mergedParts(whole, told('x', 'a'))]) {
      expect([parts.labels, parts.values?.has('x')]).toEqual([['x'], false]);
    }
  });
});
