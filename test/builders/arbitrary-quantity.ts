import fc from 'fast-check';
import type { ResourceList } from '../../src/api/quantity.ts';

/** Around the largest operand for which a score in doubles is exact: floor(2^53 / 100). */
const LARGEST_EXACT = 90_071_992_547_409;

const rare = <T>(rareWeight: number, common: fc.Arbitrary<T>, ...exotic: fc.Arbitrary<T>[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 100, arbitrary: common }, ...exotic.map((arbitrary) => ({ weight: rareWeight, arbitrary })));

const around = (center: bigint): fc.Arbitrary<string> =>
  fc.integer({ min: -3, max: 3 }).map((offset) => String(center + BigInt(offset)));

/** Integers beyond what a double holds, up to the end of 64 bits. */
const inexact = fc.oneof(around(2n ** 53n), around(2n ** 53n * 3n + 1n), around(2n ** 63n - 4n));
const large = fc.oneof(around(BigInt(LARGEST_EXACT)), around(2n ** 47n), around(2n ** 53n - 4n));

const gibibytes = (max: number): fc.Arbitrary<string> => fc.integer({ min: 0, max }).map((count) => `${count}Gi`);
const bytes = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max });

/** Requests are small beside what nodes have, or nothing would ever be scored. */
export const arbitraryAllocatable: fc.Arbitrary<ResourceList> = fc.record(
  {
    cpu: rare<string | number>(3, fc.integer({ min: 1, max: 12 }), fc.constantFrom('0', '1001m', '333m')),
    memory: rare<string | number>(2, fc.oneof(gibibytes(16), bytes(2 ** 35)), large, inexact),
    pods: rare<string | number>(15, fc.integer({ min: 2, max: 9 }), fc.constant(0), fc.constant(110)),
    'ephemeral-storage': fc.constantFrom('0', '3Gi', '9Gi'),
    'example.com/gpu': rare<string | number>(1, fc.integer({ min: 0, max: 4 }), inexact),
    'example.com/fpga': fc.integer({ min: 0, max: 2 }),
    'hugepages-2Mi': fc.constantFrom('0', '4Mi', '8Mi'),
    'not-a-resource': fc.constant(3),
  },
  { requiredKeys: ['cpu', 'memory', 'pods'] },
);

const cpuAndMemory = {
  cpu: rare<string | number>(5, fc.integer({ min: 0, max: 2 }), fc.constantFrom('1500m', '1n', '333m')),
  memory: rare<string | number>(2, fc.oneof(gibibytes(2), bytes(2 ** 32)), large, inexact),
};

const randomRequests: fc.Arbitrary<ResourceList> = fc.record(cpuAndMemory, { requiredKeys: [] });

const mixedRequests: fc.Arbitrary<ResourceList> = fc.record(
  {
    ...cpuAndMemory,
    'ephemeral-storage': fc.constantFrom('0', '1Gi', '700Mi'),
    'example.com/gpu': fc.integer({ min: 0, max: 2 }),
    'example.com/absent': fc.constantFrom(0, 0, 0, 1),
    'hugepages-2Mi': fc.constantFrom('0', '2Mi'),
    'not-a-resource': fc.constant(1),
  },
  { requiredKeys: [] },
);

export const arbitraryRequests: fc.Arbitrary<ResourceList> = rare(30, randomRequests, mixedRequests);

/** Room for a few pods on every node, and pods that need little of it. */
export const plainAllocatable: fc.Arbitrary<ResourceList> = fc.record({
  cpu: fc.integer({ min: 1, max: 4 }),
  memory: fc.constantFrom('2Gi', '4Gi', '9Gi'),
  pods: fc.constantFrom(2, 8, 110),
});

export const plainRequests: fc.Arbitrary<ResourceList> = fc.record(
  { cpu: fc.constantFrom('0', '500m', '1', '1', '3'), memory: fc.constantFrom('0', '1Gi') },
  { requiredKeys: [] },
);

/** Around the largest amount with which totals can be kept: floor(2^50 / 100). Beyond it the index steps aside. */
const largestIndexed = fc.oneof(around(2n ** 50n / 100n), around(2n ** 50n / 101n));

const wholeNode = fc.record(
  {
    cpu: rare<string | number>(8, fc.integer({ min: 1, max: 8 }), fc.constantFrom('0', '1001m', '333m')),
    memory: rare<string | number>(1, fc.oneof(gibibytes(16), bytes(2 ** 35)), largestIndexed),
    pods: rare<string | number>(10, fc.constantFrom(4, 9, 110), fc.constant(0)),
    'ephemeral-storage': fc.constantFrom('0', '3Gi', '9Gi'),
    'example.com/gpu': fc.integer({ min: 0, max: 4 }),
    'hugepages-2Mi': fc.constantFrom('0', '8Mi'),
  },
  { requiredKeys: ['cpu', 'memory', 'pods'] },
);

/** Anything that kernels decide, up to nodes that lack a resource; hardly ever what only the reference can. */
export const kernelAllocatable: fc.Arbitrary<ResourceList> = fc
  .tuple(wholeNode, rare(5, fc.constant(''), fc.constantFrom('cpu', 'memory')))
  .map(([node, missing]) => Object.fromEntries(Object.entries(node).filter(([name]) => name !== missing)));

export const kernelRequests: fc.Arbitrary<ResourceList> = rare(
  60,
  fc.record(
    {
      cpu: fc.constantFrom<string | number>(0, '100m', '333m', 1, '1500m'),
      memory: fc.oneof(gibibytes(2), bytes(2 ** 31)),
    },
    { requiredKeys: [] },
  ),
  mixedRequests,
);
