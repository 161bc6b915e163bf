/**
 * Spread constraints and pod (anti-)affinity over few keys, labels and namespaces, so that pods get in each other's
 * way.
 */
import fc from 'fast-check';
import type { LabelSelector } from '../../src/api/label-selector.ts';
import type { Labels, OwnerReference } from '../../src/api/meta.ts';
import type { PodAffinity, PodAffinityTerm } from '../../src/api/pod-affinity.ts';
import { HOSTNAME_LABEL, type TopologySpreadConstraint, ZONE_LABEL } from '../../src/api/topology-spread.ts';

export const NAMESPACES = ['default', 'blue', 'green'] as const;

/** In place of this hostname a node gets its own name. */
export const OWN_NAME = '(own name)';

/** Labels of nodes by which pods are spread; an empty value is a domain like any other. */
export const topologyLabels: fc.Arbitrary<Labels> = fc
  .record({
    [ZONE_LABEL]: fc.constantFrom('z1', 'z1', 'z2', 'z2', 'z3', '', undefined),
    [HOSTNAME_LABEL]: fc.constantFrom(OWN_NAME, OWN_NAME, OWN_NAME, OWN_NAME, 'shared', '', undefined),
    rack: fc.constantFrom('a', 'b', '', undefined),
  })
  .map((labels) => JSON.parse(JSON.stringify(labels)) as Labels);

const topologyKey = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom(ZONE_LABEL, HOSTNAME_LABEL) },
  { weight: 3, arbitrary: fc.constant('rack') },
  { weight: 1, arbitrary: fc.constant('absent') },
);

/** Mostly those that most selectors choose. */
export const arbitraryPodLabels: fc.Arbitrary<Labels | undefined> = fc.constantFrom<(Labels | undefined)[]>(
  { app: 'web' },
  { app: 'web' },
  { app: 'web' },
  { app: 'web', tier: 'gold' },
  { app: 'web', tier: 'gold' },
  { app: 'db', tier: 'tin' },
  { app: 'db' },
  { app: '' },
  {},
  undefined,
);

const expression = fc.oneof(
  fc.record({
    key: fc.constantFrom('app', 'tier'),
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.subarray(['web', 'db', 'gold', ''], { minLength: 1 }),
  }),
  fc.record({ key: fc.constantFrom('app', 'tier'), operator: fc.constantFrom('Exists', 'DoesNotExist') }),
);

/** A malformed one fails the pod that brings it; seldom, or nothing else would be seen. */
export const arbitraryLabelSelector: fc.Arbitrary<LabelSelector | null | undefined> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom<LabelSelector[]>(
      { matchLabels: { app: 'web' } },
      { matchLabels: { app: 'web' } },
      { matchLabels: { app: 'web' } },
      { matchLabels: { app: 'db' } },
      { matchLabels: { app: 'web', tier: 'gold' } },
    ),
  },
  { weight: 20, arbitrary: fc.record({ matchExpressions: fc.array(expression, { minLength: 1, maxLength: 2 }) }) },
  { weight: 6, arbitrary: fc.constantFrom({}, null, undefined) },
  { weight: 1, arbitrary: fc.constant({ matchExpressions: [{ key: 'app', operator: 'Gt', values: ['1'] }] }) },
);

const maybe = <T>(arbitrary: fc.Arbitrary<T>, freq: number): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq });

const constraint: fc.Arbitrary<TopologySpreadConstraint> = fc.record({
  maxSkew: fc.constantFrom(1, 1, 2, 5),
  topologyKey,
  whenUnsatisfiable: fc.constantFrom('DoNotSchedule', 'ScheduleAnyway'),
  labelSelector: arbitraryLabelSelector,
  minDomains: fc.constantFrom(undefined, undefined, 1, 2, 3, 4),
  nodeAffinityPolicy: fc.constantFrom(undefined, 'Honor', 'Ignore'),
  nodeTaintsPolicy: fc.constantFrom(undefined, 'Honor', 'Ignore'),
  matchLabelKeys: fc.constantFrom(undefined, undefined, undefined, ['tier'], ['tier', 'nobody-has-it']),
});

export const arbitrarySpread: fc.Arbitrary<TopologySpreadConstraint[]> = fc.array(constraint, { maxLength: 3 });

const namespaceSelector: fc.Arbitrary<LabelSelector | undefined> = fc.constantFrom<(LabelSelector | undefined)[]>(
  undefined,
  undefined,
  undefined,
  {},
  { matchLabels: { team: 'one' } },
  { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['one'] }] },
  { matchExpressions: [{ key: 'team', operator: 'DoesNotExist' }] },
);

const term: fc.Arbitrary<PodAffinityTerm> = fc.record({
  topologyKey,
  labelSelector: arbitraryLabelSelector,
  namespaces: fc.constantFrom(undefined, undefined, [], ['default'], ['blue', 'green']),
  namespaceSelector,
});

const required = fc.array(term, { maxLength: 2 });
const preferred = fc.array(fc.record({ weight: fc.constantFrom(1, 1, 30, 100), podAffinityTerm: term }), {
  maxLength: 2,
});

export const arbitraryPodAffinity: fc.Arbitrary<PodAffinity> = fc.record({
  requiredDuringSchedulingIgnoredDuringExecution: maybe(required, 2),
  preferredDuringSchedulingIgnoredDuringExecution: maybe(preferred, 2),
});

/** The kinds of owner that default spreading looks at, and one that it does not. */
export const arbitraryOwners: fc.Arbitrary<OwnerReference[] | undefined> = fc.option(
  fc
    .constantFrom(
      ['v1', 'ReplicationController'],
      ['apps/v1', 'ReplicaSet'],
      ['apps/v1', 'StatefulSet'],
      ['batch/v1', 'Job'],
    )
    .map(([apiVersion = '', kind = '']) => [{ apiVersion, kind, name: 'owner', uid: '1', controller: true }]),
  { nil: undefined, freq: 2 },
);
