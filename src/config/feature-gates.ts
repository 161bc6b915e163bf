/** Which features are on: the feature gates of kube-scheduler v1.36 that decide about devices (pkg/features). */
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
};

export function isFeatureGate(name: string): name is FeatureGate {
  return Object.hasOwn(DEFAULT_FEATURE_GATES, name);
}

/** All gates: the given ones, and the defaults of the others. */
export function featureGates(given: Partial<FeatureGates> = {}): FeatureGates {
  return { ...DEFAULT_FEATURE_GATES, ...given };
}
