import { expect, test } from 'vitest';
import { DEFAULT_FEATURE_GATES, featureGates, isFeatureGate, missingGate } from '../../src/config/feature-gates.ts';

test('gates that are not given are at the defaults of v1.36', () => {
  expect(featureGates()).toEqual(DEFAULT_FEATURE_GATES);
  expect(featureGates({ DRAListTypeAttributes: true })).toEqual({
    ...DEFAULT_FEATURE_GATES,
    DRAListTypeAttributes: true,
  });
});

test('gates are known by upstream names', () => {
  expect(['DRADeviceTaints', 'toString', 'NoSuch'].map(isFeatureGate)).toEqual([true, false, false]);
});

test('a gate that needs another one is found when that is off', () => {
  expect(missingGate(featureGates({ GangScheduling: true }))).toEqual(['GangScheduling', 'GenericWorkload']);
  expect(missingGate(featureGates({ GenericWorkload: true, GangScheduling: true }))).toBeNull();
});
