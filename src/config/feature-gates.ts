/** Which features are on: the feature gates of kube-scheduler v1.36 for devices and groups of pods (pkg/features). */
export interface FeatureGates {
  /** Whether requests may have alternatives. */
  readonly DRAPrioritizedList: boolean;
  /** Whether the taints of devices keep claims away. */
  readonly DRADeviceTaints: boolean;
  /** Whether devices may share counters, and reach nodes of their own. */
  readonly DRAPartitionableDevices: boolean;
  /** Whether claims may share devices by capacity. */
  readonly DRAConsumableCapacity: boolean;
  /** Whether binding waits for devices. */
  readonly DRADeviceBindingConditions: boolean;
  /** Whether devices may back extended resources. */
  readonly DRAExtendedResource: boolean;
  /** Whether attributes may be lists. */
  readonly DRAListTypeAttributes: boolean;
  /** Whether the time is limited that the search for devices on one node takes. */
  readonly DRASchedulerFilterTimeout: boolean;
  /** Whether claims of a group of pods are reserved for the group. */
  readonly DRAWorkloadResourceClaims: boolean;
  /** Whether the pods of a group are scheduled together. */
  readonly GenericWorkload: boolean;
  /** Whether a gang waits until its minimum of pods fits. */
  readonly GangScheduling: boolean;
  /** Whether a group may evict pods for all of its pods at once. */
  readonly WorkloadAwarePreemption: boolean;
  /** Whether the nodes of a group have to agree in a label. */
  readonly TopologyAwareWorkloadScheduling: boolean;
}

/** The name of a feature gate. */
export type FeatureGate = keyof FeatureGates;

export const DEFAULT_FEATURE_GATES: FeatureGates = {
  DRAPrioritizedList: true,
  DRADeviceTaints: true,
  DRAPartitionableDevices: true,
  DRAConsumableCapacity: true,
  DRADeviceBindingConditions: true,
  DRAExtendedResource: true,
  DRAListTypeAttributes: false,
  DRASchedulerFilterTimeout: true,
  DRAWorkloadResourceClaims: false,
  GenericWorkload: false,
  GangScheduling: false,
  WorkloadAwarePreemption: false,
  TopologyAwareWorkloadScheduling: false,
};

/** The gates without which others cannot be on. */
const NEEDS: readonly (readonly [gate: FeatureGate, needed: FeatureGate])[] = [
  ['DRAWorkloadResourceClaims', 'GenericWorkload'],
  ['GangScheduling', 'GenericWorkload'],
  ['TopologyAwareWorkloadScheduling', 'GenericWorkload'],
  ['WorkloadAwarePreemption', 'GangScheduling'],
];

/** Gates of v1.36 that have one value here, which is their default. */
const FIXED: ReadonlyMap<string, { readonly value: boolean; readonly isLocked?: boolean }> = new Map([
  ['DynamicResourceAllocation', { value: true, isLocked: true }],
  ['DRAAdminAccess', { value: true, isLocked: true }],
  ['DRAResourceClaimDeviceStatus', { value: true }],
  ['DRASchedulerFilterTimeout', { value: true }],
  ['DRAResourceClaimGranularStatusAuthorization', { value: true }],
  ['DRADeviceTaintRules', { value: false }],
  ['DRANodeAllocatableResources', { value: false }],
  ['DRAResourcePoolStatus', { value: false }],
  ['CompositePodGroup', { value: false }],
  ['WorkloadWithJob', { value: false }],
]);

/** Why a gate cannot have this value, in upstream's words where it would refuse as well; null if it can. */
export function gateProblem(name: string, value: boolean): string | null {
  if (isFeatureGate(name)) return null;
  const fixed = FIXED.get(name);
  if (fixed === undefined) return `unrecognized feature gate: ${name}`;
  if (fixed.value === value) return null;
  if (fixed.isLocked) return `cannot set feature gate ${name} to ${value}, feature is locked to ${fixed.value}`;
  return `feature gate ${name}=${value} is not supported here, where it is always ${fixed.value}`;
}

/** Why these gates cannot be together, in upstream's words; null if they can. */
export function dependencyProblem(given: Partial<FeatureGates>): string | null {
  const missing = missingGate(featureGates(given));
  if (missing === null) return null;
  const [gate, needed] = missing;
  return `${gate} is enabled, but depends on features that are disabled: [${needed}]`;
}

const TRUTHS: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSEHOODS: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/**
 * Reads gates as kube-scheduler's flag has them, such as `GenericWorkload=true,DRADeviceTaints=false`. The last value
 * of a gate holds. Returns what is wrong as a text.
 */
export function parseFeatureGates(text: string): Partial<FeatureGates> | string {
  const gates: Record<string, boolean> = {};
  for (const part of text.split(',')) {
    if (part === '') continue;
    const [name = '', ...rest] = part.split('=').map((piece) => piece.trim());
    const word = rest.join('=');
    if (rest.length === 0) return `missing bool value for ${name}`;
    if (!TRUTHS.has(word) && !FALSEHOODS.has(word)) {
      const shown = JSON.stringify(word);
      return `invalid value of ${name}=${word}, err: strconv.ParseBool: parsing ${shown}: invalid syntax`;
    }
    const problem = gateProblem(name, TRUTHS.has(word));
    if (problem !== null) return problem;
    if (isFeatureGate(name)) gates[name] = TRUTHS.has(word);
  }
  return gates as Partial<FeatureGates>;
}

export function isFeatureGate(name: string): name is FeatureGate {
  return Object.hasOwn(DEFAULT_FEATURE_GATES, name);
}

/** All gates: the given ones, those of a configuration, and the defaults of the others. */
export function featureGates(
  given: Partial<FeatureGates> = {},
  configuration?: { readonly featureGates: Partial<FeatureGates> },
): FeatureGates {
  return { ...DEFAULT_FEATURE_GATES, ...configuration?.featureGates, ...given };
}

/** Returns a gate that is on without the one that it needs, and this other one; null if there is none. */
export function missingGate(gates: FeatureGates): readonly [gate: FeatureGate, needed: FeatureGate] | null {
  return NEEDS.find(([gate, needed]) => gates[gate] && !gates[needed]) ?? null;
}
