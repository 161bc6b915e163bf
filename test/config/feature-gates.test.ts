import { expect, test } from 'vitest';
import { checkConfiguration } from '../../src/caller/load-configuration.ts';
import {
  DEFAULT_FEATURE_GATES,
  dependencyProblem,
  featureGates,
  isFeatureGate,
  missingGate,
  parseFeatureGates,
} from '../../src/config/feature-gates.ts';

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

test('gates given beside a configuration come before its own', () => {
  const configuration = { featureGates: { GenericWorkload: true, DRADeviceTaints: false } };
  const gates = featureGates({ DRADeviceTaints: true }, configuration);
  expect([gates.GenericWorkload, gates.DRADeviceTaints]).toEqual([true, true]);
});

test('the flag is read as kube-scheduler reads it', () => {
  expect(parseFeatureGates('GenericWorkload=true, DRADeviceTaints = 0,GenericWorkload=F')).toEqual({
    GenericWorkload: false,
    DRADeviceTaints: false,
  });
  expect(parseFeatureGates('DynamicResourceAllocation=true,WorkloadWithJob=false')).toEqual({});
  expect(parseFeatureGates('')).toEqual({});
});

test.each([
  ['NoSuch=true', 'unrecognized feature gate: NoSuch'],
  ['GenericWorkload', 'missing bool value for GenericWorkload'],
  [
    'GenericWorkload=yes',
    'invalid value of GenericWorkload=yes, err: strconv.ParseBool: parsing "yes": invalid syntax',
  ],
  [
    'DynamicResourceAllocation=false',
    'cannot set feature gate DynamicResourceAllocation to false, feature is locked to true',
  ],
  ['WorkloadWithJob=true', 'feature gate WorkloadWithJob=true is not supported here, where it is always false'],
])('--feature-gates %s: %s', (text, problem) => {
  expect(parseFeatureGates(text)).toBe(problem);
});

test('a gate without the one that it needs is refused in the words of upstream', () => {
  expect(dependencyProblem({ GangScheduling: true })).toBe(
    'GangScheduling is enabled, but depends on features that are disabled: [GenericWorkload]',
  );
  expect(dependencyProblem({ GangScheduling: true, GenericWorkload: true })).toBeNull();
});

test('a configuration has gates, too, and wrong ones are named by their field', () => {
  const read = (featureGates: object) =>
    checkConfiguration({
      ...{ apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' },
      featureGates,
    });
  expect(read({ GenericWorkload: true })).toMatchObject({
    ok: true,
    configuration: { featureGates: { GenericWorkload: true } },
  });
  expect(read({ NoSuch: true })).toMatchObject({
    ok: false,
    errors: [
      {
        message: 'featureGates[NoSuch]: Invalid value: true: unrecognized feature gate: NoSuch',
        field: 'featureGates[NoSuch]',
      },
    ],
  });
});
