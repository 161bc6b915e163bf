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

export function isFeatureGate(name: string): name is FeatureGate {
  return Object.hasOwn(DEFAULT_FEATURE_GATES, name);
}

/** All gates: the given ones, and the defaults of the others. */
export function featureGates(given: Partial<FeatureGates> = {}): FeatureGates {
  return { ...DEFAULT_FEATURE_GATES, ...given };
}

/** Returns a gate that is on without the one that it needs, and this other one; null if there is none. */
export function missingGate(gates: FeatureGates): readonly [gate: FeatureGate, needed: FeatureGate] | null {
  return NEEDS.find(([gate, needed]) => gates[gate] && !gates[needed]) ?? null;
}
