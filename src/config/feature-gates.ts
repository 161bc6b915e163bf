/** The feature gates of kube-scheduler v1.36 that decide about devices, with their defaults (pkg/features). */
export const DEFAULT_FEATURE_GATES = {
  DRAPrioritizedList: true,
  DRADeviceTaints: true,
  DRAPartitionableDevices: true,
  DRAConsumableCapacity: true,
  DRADeviceBindingConditions: true,
  DRAExtendedResource: true,
  DRAListTypeAttributes: false,
};

export type FeatureGate = keyof typeof DEFAULT_FEATURE_GATES;

/** Which features are on. */
export type FeatureGates = Readonly<Record<FeatureGate, boolean>>;

export function isFeatureGate(name: string): name is FeatureGate {
  return Object.hasOwn(DEFAULT_FEATURE_GATES, name);
}

/** All gates: the given ones, and the defaults of the others. */
export function featureGates(given: Partial<FeatureGates> = {}): FeatureGates {
  return { ...DEFAULT_FEATURE_GATES, ...given };
}
