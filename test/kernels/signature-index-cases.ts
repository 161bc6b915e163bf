/** Random clusters for the signature index, from empty to too full. */
import fc from 'fast-check';
import { LARGEST_INVERTIBLE } from '../../src/engine/index/layout.ts';
import type { ScoringStrategy } from '../../src/plugins/node-resources/fit-args.ts';
import { scoreOfPercentTable } from '../../src/plugins/node-resources/scoring-strategy.ts';
import type { ModelNode, ModelRules, ModelSignature } from './signature-index-model.ts';
import type { WorldOptions } from './signature-index-world.ts';

const VERDICT_IDS = 5;
const VERDICTS = 2;

/** Small amounts make ties and quotients without remainder, large ones reach for the end of what can be kept. */
const amount = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 40 }) },
  // Whose inverse is a bit too small: a whole percent must not become the one below it.
  { weight: 2, arbitrary: fc.constantFrom(49, 97, 98, 103, 107, 161, 167, 194, 195) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 2 ** 36 }) },
  { weight: 1, arbitrary: fc.integer({ min: LARGEST_INVERTIBLE - 9, max: LARGEST_INVERTIBLE }) },
  { weight: 1, arbitrary: fc.constant(0) },
);

/** Capacity and use: anything, nearly the same, or within 1 of a whole percent, where scores change. */
const usage = fc
  .tuple(amount, fc.nat(110), fc.integer({ min: -1, max: 1 }))
  .map(([capacity, percent, off]): [number, number] => [
    capacity,
    Math.min(LARGEST_INVERTIBLE, Math.max(0, Math.floor((capacity * percent) / 100) + off)),
  ]);

const seldomUsed = fc.oneof({ weight: 3, arbitrary: amount.map((n): [number, number] => [n, 0]) }, usage);

export const arbitraryModelNode: fc.Arbitrary<ModelNode> = fc
  .record({
    pods: fc.tuple(fc.constantFrom(0, 3, 9, 110), fc.nat(3)),
    cpu: seldomUsed,
    memory: seldomUsed,
    gpu: fc.tuple(fc.nat(3), fc.nat(1)),
    more: fc.record({ cpu: fc.nat(3), memory: fc.nat(3) }),
    verdictIds: fc.array(fc.nat(VERDICT_IDS - 1), { minLength: VERDICTS, maxLength: VERDICTS }),
  })
  .map(({ pods, cpu, memory, gpu, more, verdictIds }) => ({
    allocatable: { pods: pods[0], cpu: cpu[0], memory: memory[0], gpu: gpu[0] },
    requested: { pods: pods[1], cpu: cpu[1], memory: memory[1], gpu: gpu[1] },
    nonZero: {
      cpu: Math.min(LARGEST_INVERTIBLE, cpu[1] + more.cpu),
      memory: Math.min(LARGEST_INVERTIBLE, memory[1] + more.memory),
    },
    verdictIds,
  }));

const request = fc.oneof(
  { weight: 8, arbitrary: fc.nat(5) },
  { weight: 1, arbitrary: fc.nat(2 ** 34) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);

/** Values by verdict id; id 0 comes first and is rejected. */
const byId = (least: number, most: number): fc.Arbitrary<number[]> =>
  fc
    .array(fc.integer({ min: least, max: most }), { minLength: VERDICT_IDS - 1, maxLength: VERDICT_IDS - 1 })
    .map((totals) => [-1, ...totals]);

const arbitrarySignature: fc.Arbitrary<ModelSignature> = fc
  .record({
    requests: fc.record({ cpu: request, memory: request }),
    gpu: fc.constantFrom(undefined, undefined, undefined, 0, 1),
    fitWeight: fc.constantFrom(0, 1, 1, 3, 90),
    balancedWeight: fc.constantFrom(0, 1, 1, 2, 90),
    verdicts: fc.nat(VERDICTS - 1),
    totals: fc.oneof(byId(0, 0), byId(-1, 2), byId(0, 13_000)),
    raw: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: byId(0, 3) }),
  })
  .map((drawn) => ({
    ...drawn,
    scored: { cpu: drawn.requests.cpu ?? 2, memory: drawn.requests.memory ?? 2 },
    // A rejected verdict id has -1; with scaled totals no other id has one.
    totals: drawn.raw === null ? drawn.totals : [-1, 0, 0, 0, 0],
  }));

const weight = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(24, 25, 49));
const shape = fc
  .uniqueArray(fc.record({ utilization: fc.nat(100), score: fc.nat(10) }), {
    selector: ({ utilization }) => utilization,
    minLength: 1,
    maxLength: 4,
  })
  .map((points) => points.toSorted((a, b) => a.utilization - b.utilization));

const least: fc.Arbitrary<ScoringStrategy> = fc.tuple(weight, weight).map(([cpu, memory]) => ({
  type: 'LeastAllocated',
  resources: [
    { name: 'cpu', weight: cpu },
    { name: 'memory', weight: memory },
  ],
}));

const anyStrategy: fc.Arbitrary<ScoringStrategy> = fc
  .tuple(fc.constantFrom('LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio'), weight, weight, weight, shape)
  .map(([type, cpu, memory, gpu, points]) => {
    const resources = [
      { name: 'cpu', weight: cpu },
      { name: 'memory', weight: memory },
      { name: 'gpu', weight: gpu },
    ];
    return (
      type === 'RequestedToCapacityRatio'
        ? { type, resources, requestedToCapacityRatio: { shape: points } }
        : { type, resources }
    ) as ScoringStrategy;
  });

const rulesOf = (strategy: ScoringStrategy): ModelRules => {
  const { shape } = strategy.requestedToCapacityRatio ?? {};
  return { strategy, scoreOfPercent: shape === undefined ? new Array(101).fill(0) : scoreOfPercentTable(shape) };
};

const arbitrarySignatures = fc.array(arbitrarySignature, { minLength: 1, maxLength: 14, size: 'max' });

/** Signatures that request and weigh the same, and differ in all else. */
function alike(signatures: readonly ModelSignature[]): ModelSignature[] {
  return signatures.map((signature) => {
    const { requests, scored, fitWeight, balancedWeight } = signatures[0] ?? signature;
    return { ...signature, requests, scored, fitWeight, balancedWeight };
  });
}

/** `most` nodes at most. */
export function arbitraryWorld(most: number): fc.Arbitrary<WorldOptions> {
  const form = fc.oneof(
    least.map((strategy) => ({ isStandard: true, rules: rulesOf(strategy) })),
    fc.oneof(least, anyStrategy).map((strategy) => ({ isStandard: false, rules: rulesOf(strategy) })),
  );
  return fc.integer({ min: 2, max: most }).chain((count) =>
    fc
      .record({
        form,
        signatures: fc.oneof(arbitrarySignatures, arbitrarySignatures.map(alike)),
        nodes: fc.array(arbitraryModelNode, { minLength: count, maxLength: count }),
        order: fc.oneof(
          fc.constant(Array.from({ length: count }, (_, slot) => slot)),
          fc.shuffledSubarray(
            Array.from({ length: count }, (_, slot) => slot),
            { minLength: count },
          ),
        ),
      })
      .map(({ form: { isStandard, rules }, ...rest }) => ({ ...rest, isStandard, rules })),
  );
}

/** The node with at least a little of cpu and memory. */
export function withBoth(node: ModelNode): ModelNode {
  const { allocatable } = node;
  const { cpu, memory } = allocatable;
  return { ...node, allocatable: { ...allocatable, cpu: Math.max(1, cpu), memory: Math.max(1, memory) } };
}

/**
 * As most clusters are: cpu and memory weigh 1, every node has both, and pods request nothing else. Blocks of such
 * signatures follow the log in loops of their own, one for those that request both.
 */
export function plainWorld(most: number): fc.Arbitrary<WorldOptions> {
  const resources = ['cpu', 'memory'].map((name) => ({ name, weight: 1 }));
  const rules = rulesOf({ type: 'LeastAllocated', resources });
  return fc.tuple(arbitraryWorld(most), fc.boolean()).map(([world, requestsBoth]) => ({
    ...{ ...world, rules, isStandard: true, nodes: world.nodes.map(withBoth) },
    signatures: world.signatures.map((signature) => {
      const { cpu, memory } = signature.requests;
      const requests = requestsBoth ? { cpu: cpu ?? 0, memory: memory ?? 0 } : { cpu, memory };
      return { ...signature, requests, gpu: undefined };
    }),
  }));
}
