import { expect, test } from 'vitest';
import {
  allocatable,
  isExtendedResourceName,
  isPodLevelResourceName,
  isScalarResourceName,
} from '../../src/api/resources.ts';

test.each([
  ['nvidia.com/gpu', true],
  ['example.com/a_b.c', true],
  ['cpu', false],
  ['requests.nvidia.com/gpu', false],
  ['kubernetes.io/thing', false],
  ['Upper.com/gpu', false],
  ['example.com/', false],
  ['example.com/-x', false],
  ['a/b/c', false],
  [`example.com/${'x'.repeat(64)}`, false],
])('%s extended: %s', (name, expected) => {
  expect(isExtendedResourceName(name)).toBe(expected);
});

test.each([
  ['nvidia.com/gpu', true],
  ['hugepages-2Mi', true],
  ['attachable-volumes-csi-x', true],
  ['sub.kubernetes.io/thing', true],
  ['storage', false],
  ['pods', false],
  ['a/b/c', false],
])('%s is kept as a scalar: %s', (name, expected) => {
  expect(isScalarResourceName(name)).toBe(expected);
  expect(isScalarResourceName(name)).toBe(expected);
});

test('only cpu, memory and huge pages exist at pod level', () => {
  expect(['cpu', 'memory', 'hugepages-1Gi', 'ephemeral-storage', 'nvidia.com/gpu'].map(isPodLevelResourceName)).toEqual(
    [true, true, true, false, false],
  );
});

test('allocatable reads every known name and drops the rest', () => {
  const offered = allocatable({
    cpu: '1500m',
    memory: '9007199254740993',
    'ephemeral-storage': '1Ki',
    pods: 110,
    'nvidia.com/gpu': '8',
    unknown: '5',
  });
  expect({ ...offered.resources, podCount: offered.podCount }).toEqual({
    milliCPU: 1500,
    memoryBytes: 9007199254740993n,
    ephemeralStorageBytes: 1024,
    podCount: 110,
    scalar: new Map([['nvidia.com/gpu', 8]]),
  });
});

test('a node without a list offers nothing', () => {
  const { resources, podCount } = allocatable(undefined);
  expect(resources).toMatchObject({ milliCPU: 0, memoryBytes: 0, scalar: new Map() });
  expect(podCount).toBe(0);
});
