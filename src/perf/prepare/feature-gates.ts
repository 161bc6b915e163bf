import type { SchedulerConfiguration, SchedulerProfile } from '../../config/configuration.ts';
import { NODE_DECLARED_FEATURES } from '../../framework/plugin-names.ts';

/**
 * Feature gates of Kubernetes v1.36 that Berth can honour, and with which values. Of those that take either value some
 * change nothing that can be seen here: API calls are made in this process, so whether they hold up the scheduler does
 * not matter, and identical pods are always placed as a batch, with the decisions of single attempts.
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
  // Claims are refused where they occur; without claims and device classes both values are the same.
  ['DynamicResourceAllocation', 'either'],
  ['DRAExtendedResource', 'either'],
  ['StorageCapacityScoring', false],
  ['GenericWorkload', false],
  ['GangScheduling', false],
  ['WorkloadAwarePreemption', false],
  ['TopologyAwareWorkloadScheduling', false],
  ['CompositePodGroup', false],
]);

/** A feature that is off is not needed. */
const OFF_IS_FINE = /^DRA/;

export type FeatureGates = ReadonlyMap<string, boolean>;

/** Gates of a test case, with those of one workload on top. */
export function mergedGates(testCase: FeatureGates, workload: FeatureGates): FeatureGates {
  return new Map([...testCase, ...workload]);
}

/** Why the gates cannot be honoured, one phrase each: `feature gate GenericWorkload=true`. */
export function refusedGates(gates: FeatureGates): string[] {
  return [...gates]
    .filter(([name, value]) => {
      const honoured = HONOURED.get(name);
      if (honoured === undefined) return value || !OFF_IS_FINE.test(name);
      return honoured !== 'either' && honoured !== value;
    })
    .map(([name, value]) => `feature gate ${name}=${value}`);
}

/** The configuration under these gates: a plugin whose gate is off is in no profile. */
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
