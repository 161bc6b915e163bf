/** Profiles that can be built, with plugins left out, reordered and weighed anew, and with arguments. */
import fc from 'fast-check';

const FILTERS = [
  'NodeUnschedulable',
  'NodeName',
  'TaintToleration',
  'NodeAffinity',
  'NodePorts',
  'NodeResourcesFit',
  'VolumeRestrictions',
  'NodeVolumeLimits',
  'VolumeBinding',
  'VolumeZone',
  'PodTopologySpread',
  'InterPodAffinity',
  'NodeDeclaredFeatures',
];
const SCORES = [
  'TaintToleration',
  'NodeAffinity',
  'NodeResourcesFit',
  'VolumeBinding',
  'PodTopologySpread',
  'InterPodAffinity',
  'DynamicResources',
  'NodeResourcesBalancedAllocation',
  'ImageLocality',
];

/** '*' is off, and these are on in this order. */
function setOf<T>(enabled: T[]): { readonly enabled: T[]; readonly disabled: { readonly name: string }[] } {
  return { enabled, disabled: [{ name: '*' }] };
}

const filter = fc.shuffledSubarray(FILTERS, { minLength: 1 }).map((names) => setOf(names.map((name) => ({ name }))));
const weight = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 9 }) },
  fc.constantFrom(0, 100, 1000, 2 ** 31 - 1),
);
const score = fc
  .shuffledSubarray(SCORES, { minLength: 1 })
  .chain((names) => fc.tuple(...names.map((name) => fc.record({ name: fc.constant(name), weight }))))
  .map(setOf);
/** The last of the default plugins that score is the only one whose weight may always be negative. */
const multiPoint = fc.integer({ min: -9, max: 9 }).map((weight) => ({ enabled: [{ name: 'ImageLocality', weight }] }));

const names = ['cpu', 'memory', 'ephemeral-storage', 'pods', 'example.com/gpu', 'hugepages-2Mi', 'no such kind'];
const resources = fc
  .uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 4 })
  .chain((chosen) =>
    fc.tuple(...chosen.map((name) => fc.record({ name: fc.constant(name), weight: fc.integer({ min: 1, max: 9 }) }))),
  );
const shape = fc.constantFrom(
  [{ utilization: 30, score: 4 }],
  [
    { utilization: 0, score: 0 },
    { utilization: 70, score: 10 },
    { utilization: 100, score: 1 },
  ],
);

const fit = fc.record({
  scoringStrategy: fc.oneof(
    fc.record({ type: fc.constantFrom('LeastAllocated', 'MostAllocated'), resources }),
    fc.record({
      type: fc.constant('RequestedToCapacityRatio'),
      resources,
      requestedToCapacityRatio: fc.record({ shape }),
    }),
  ),
  ignoredResourceGroups: fc.subarray(['example.com']),
});
const balanced = resources.map((list) => ({ resources: list.map(({ name }) => ({ name })) }));
const interPod = fc.record({
  hardPodAffinityWeight: fc.nat(100),
  ignorePreferredTermsOfExistingPods: fc.boolean(),
});
const constraint = fc.record({
  maxSkew: fc.integer({ min: 1, max: 3 }),
  topologyKey: fc.constantFrom('topology.kubernetes.io/zone', 'kubernetes.io/hostname', 'pool'),
  whenUnsatisfiable: fc.constantFrom('DoNotSchedule', 'ScheduleAnyway'),
});
const spread = fc
  .uniqueArray(constraint, { selector: ({ topologyKey, whenUnsatisfiable }) => topologyKey + whenUnsatisfiable })
  .map((defaultConstraints) => ({ defaultingType: 'List', defaultConstraints }));
const term = fc.record({
  matchExpressions: fc.array(
    fc.record({
      key: fc.constantFrom('pool', 'rank'),
      operator: fc.constantFrom('In', 'NotIn'),
      values: fc.constantFrom(['x'], ['x', 'y'], ['5']),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});
const added = fc.record({
  addedAffinity: fc.record(
    {
      requiredDuringSchedulingIgnoredDuringExecution: fc.record({
        nodeSelectorTerms: fc.array(term, { maxLength: 2 }),
      }),
      preferredDuringSchedulingIgnoredDuringExecution: fc.array(fc.record({ weight: fc.nat(100), preference: term }), {
        maxLength: 2,
      }),
    },
    { requiredKeys: [] },
  ),
});

const configOf = (name: string, args: fc.Arbitrary<unknown>) =>
  fc.option(
    args.map((own) => ({ name, args: own })),
    { nil: undefined },
  );

const pluginConfig = fc
  .tuple(
    configOf('NodeResourcesFit', fit),
    configOf('NodeResourcesBalancedAllocation', balanced),
    configOf('InterPodAffinity', interPod),
    configOf('PodTopologySpread', spread),
    configOf('NodeAffinity', added),
  )
  .map((configs) => configs.filter((config) => config !== undefined));

export const arbitraryProfile: fc.Arbitrary<object> = fc.record({
  plugins: fc.oneof(
    fc.record({ filter, score }, { requiredKeys: [] }),
    fc.record({ filter, multiPoint }, { requiredKeys: ['multiPoint'] }),
  ),
  pluginConfig,
});
