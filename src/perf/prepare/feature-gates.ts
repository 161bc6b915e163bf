import type { SchedulerConfiguration, SchedulerProfile } from '../../config/configuration.ts';
import { isFeatureGate, type FeatureGates as SchedulerGates } from '../../config/feature-gates.ts';
import { NODE_DECLARED_FEATURES } from '../../framework/plugin-names.ts';

/**
 * The feature gates of Kubernetes v1.36 that Berth can honour, and with which values. Some of those that take either
 * value have no effect here: API calls are made in this process, so it does not matter whether they block the
 * scheduler, and identical pods are always placed as a batch, with the same decisions as single attempts.
 */
const HONOURED: ReadonlyMap<string, boolean | 'either'> = new Map<string, boolean | 'either'>([
  ['SchedulerQueueingHints', 'either'],
  ['SchedulerAsyncAPICalls', 'either'],
  ['SchedulerAsyncPreemption', 'either'],
  ['OpportunisticBatching', 'either'],
  ['NodeDeclaredFeatures', 'either'],
  ['SchedulerPopFromBackoffQ', true],
  ['NodeInclusionPolicyInPodTopologySpread', true],
  ['MatchLabelKeysInPodTopologySpread', true],
  ['MatchLabelKeysInPodAffinity', true],
  ['MinDomainsInPodTopologySpread', true],
  ['PodSchedulingReadiness', true],
  ['InPlacePodVerticalScaling', true],
  ['PodLevelResources', true],
  ['DynamicResourceAllocation', true],
  ['StorageCapacityScoring', false],
  ['CompositePodGroup', false],
]);

/** Gates of features that Berth does not have, so that only `false` can be honoured. */
const OFF_IS_FINE = /^DRA/;

export type FeatureGates = ReadonlyMap<string, boolean>;

/** The gates of a test case, overridden by those of a workload. */
export function mergedGates(testCase: FeatureGates, workload: FeatureGates): FeatureGates {
  return new Map([...testCase, ...workload]);
}

/** The gates that cannot be honoured, one phrase each: `feature gate CompositePodGroup=true`. */
export function refusedGates(gates: FeatureGates): string[] {
  return [...gates]
    .filter(([name, value]) => {
      if (isFeatureGate(name)) return false;
      const honoured = HONOURED.get(name);
      if (honoured === undefined) return value || !OFF_IS_FINE.test(name);
      return honoured !== 'either' && honoured !== value;
    })
    .map(([name, value]) => `feature gate ${name}=${value}`);
}

/** The gates that the scheduler itself has. */
export function schedulerGates(gates: FeatureGates): Partial<SchedulerGates> {
  return Object.fromEntries([...gates].filter(([name]) => isFeatureGate(name)));
}

/** The configuration under these gates: a plugin whose gate is off is removed from all profiles. */
export function configurationUnder(gates: FeatureGates, configuration: SchedulerConfiguration): SchedulerConfiguration {
  if (gates.get('NodeDeclaredFeatures') !== false) return configuration;
  return {
    ...configuration,
    profiles: configuration.profiles.map((profile) => without(profile, NODE_DECLARED_FEATURES)),
  };
}

function without(profile: SchedulerProfile, plugin: string): SchedulerProfile {
  const points = Object.entries(profile.plugins).map(([point, names]) => [
    point,
    names.filter((name) => name !== plugin),
  ]);
  return { ...profile, plugins: Object.fromEntries(points) as SchedulerProfile['plugins'] };
}
