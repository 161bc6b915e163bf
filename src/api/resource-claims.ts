/** The objects of resource.k8s.io/v1: devices that nodes offer, and claims of pods to them. */
import type { Condition, KubernetesObject, ObjectMeta, Time } from './meta.ts';
import type { NodeSelector } from './node-selector.ts';
import type { Toleration } from './taints.ts';

/** An integer of 64 bits. Beyond 2^53 it is a bigint, or the text of its digits, since JSON has no bigints. */
export type ExactInteger = number | bigint | string;

/** One value of an attribute; one of the fields is set. */
export interface DeviceAttribute {
  readonly int?: ExactInteger;
  readonly bool?: boolean;
  readonly string?: string;
  readonly version?: string;
  readonly ints?: readonly ExactInteger[];
  readonly bools?: readonly boolean[];
  readonly strings?: readonly string[];
  readonly versions?: readonly string[];
}

/** Which amounts of a capacity can be consumed. */
export interface CapacityRequestPolicy {
  readonly default?: string | number | undefined;
  readonly validValues?: readonly (string | number)[] | undefined;
  readonly validRange?:
    | {
        readonly min?: string | number | undefined;
        readonly max?: string | number | undefined;
        readonly step?: string | number | undefined;
      }
    | undefined;
}

/** An amount that a device offers. */
export interface DeviceCapacity {
  readonly value: string | number;
  readonly requestPolicy?: CapacityRequestPolicy | undefined;
}

/** What selectors of devices look at. Names without a domain belong to the driver's. */
export interface DeviceDescription {
  readonly driver: string;
  readonly attributes?: Readonly<Record<string, DeviceAttribute>> | undefined;
  readonly capacity?: Readonly<Record<string, DeviceCapacity>> | undefined;
  readonly allowMultipleAllocations?: boolean | undefined;
}

/** Keeps claims without a toleration off a device. */
export interface DeviceTaint {
  readonly key: string;
  readonly value?: string | undefined;
  /** `NoSchedule` or `NoExecute`; any other effect does not keep claims away. */
  readonly effect: string;
  readonly timeAdded?: Time | undefined;
}

/** Amounts by counter, of a set that devices share or of what a device takes of it. */
export type Counters = Readonly<Record<string, { readonly value: string | number }>>;

/** Amounts that devices of a pool share. */
export interface CounterSet {
  readonly name: string;
  readonly counters?: Counters | undefined;
}

/** Where something can be used: on one node, on the nodes of a selector, or on all. */
export interface Reach {
  readonly nodeName?: string | undefined;
  readonly nodeSelector?: NodeSelector | undefined;
  readonly allNodes?: boolean | undefined;
}

/** A device of a slice. */
export interface Device extends Omit<DeviceDescription, 'driver'>, Reach {
  readonly name: string;
  readonly taints?: readonly DeviceTaint[] | undefined;
  readonly consumesCounters?: readonly { readonly counterSet: string; readonly counters: Counters }[] | undefined;
  /** Whether a claim that gets the device is bound to the node for which it was chosen. */
  readonly bindsToNode?: boolean | undefined;
  /** Conditions that must become true before the pod is bound. */
  readonly bindingConditions?: readonly string[] | undefined;
  /** Conditions any of which, when true, ends the binding. */
  readonly bindingFailureConditions?: readonly string[] | undefined;
}

/** A part of a pool of devices, as a driver publishes it. */
export interface ResourceSlice extends KubernetesObject {
  readonly spec: Reach & {
    readonly driver: string;
    readonly pool: {
      readonly name: string;
      readonly generation?: ExactInteger;
      readonly resourceSliceCount?: number;
    };
    readonly devices?: readonly Device[] | undefined;
    /** Whether each device has a reach of its own. */
    readonly perDeviceNodeSelection?: boolean | undefined;
    readonly sharedCounters?: readonly CounterSet[] | undefined;
  };
}

/** The slice with this time in taints that do not say when they were added, as the API server stores it. */
export function withTaintTimes(slice: ResourceSlice, now: string): ResourceSlice {
  const { devices = [] } = slice.spec;
  const lacksTime = ({ taints = [] }: Device): boolean => taints.some(({ timeAdded }) => timeAdded === undefined);
  if (!devices.some(lacksTime)) return slice;
  const timed = devices.map((device) => {
    if (!lacksTime(device)) return device;
    return { ...device, taints: device.taints?.map((taint) => ({ ...taint, timeAdded: taint.timeAdded ?? now })) };
  });
  return { ...slice, spec: { ...slice.spec, devices: timed } };
}

/** A condition on devices, in CEL. */
export interface DeviceSelectorTerm {
  readonly cel?: { readonly expression: string } | undefined;
}

/** Parameters for a driver, which the scheduler only hands on. */
export interface DeviceConfiguration {
  readonly opaque?: { readonly driver: string; readonly parameters?: unknown } | undefined;
}

/** A resource.k8s.io/v1 DeviceClass: what claims ask for by name. */
export interface DeviceClass extends KubernetesObject {
  readonly spec?:
    | {
        readonly selectors?: readonly DeviceSelectorTerm[] | undefined;
        readonly config?: readonly DeviceConfiguration[] | undefined;
        /** The extended resource that devices of the class back. */
        readonly extendedResourceName?: string | undefined;
      }
    | undefined;
}

/** What devices are asked for (ExactDeviceRequest, and with a name DeviceSubRequest). */
export interface ExactDeviceRequest {
  readonly deviceClassName: string;
  readonly selectors?: readonly DeviceSelectorTerm[] | undefined;
  /** `ExactCount` (also when absent) or `All`. */
  readonly allocationMode?: string | undefined;
  readonly count?: ExactInteger | undefined;
  readonly adminAccess?: boolean | undefined;
  readonly tolerations?: readonly Toleration[] | undefined;
  readonly capacity?: { readonly requests?: Readonly<Record<string, string | number>> | undefined } | undefined;
}

/** One alternative of a request. */
export interface DeviceSubRequest extends ExactDeviceRequest {
  readonly name: string;
}

/** One request of a claim: one of the fields besides the name is set. */
export interface DeviceRequest {
  readonly name: string;
  readonly exactly?: ExactDeviceRequest | undefined;
  /** Alternatives, the preferred one first. */
  readonly firstAvailable?: readonly DeviceSubRequest[] | undefined;
}

/** A condition on the devices of a claim together. */
export interface DeviceConstraint {
  /** The requests that the constraint is about; all if there are none. */
  readonly requests?: readonly string[] | undefined;
  readonly matchAttribute?: string | undefined;
  readonly distinctAttribute?: string | undefined;
}

/** Parameters for the devices of some requests, or of all. */
export interface DeviceClaimConfiguration extends DeviceConfiguration {
  readonly requests?: readonly string[] | undefined;
}

/** What a claim asks for. */
export interface ResourceClaimSpec {
  readonly devices?:
    | {
        readonly requests?: readonly DeviceRequest[] | undefined;
        readonly constraints?: readonly DeviceConstraint[] | undefined;
        readonly config?: readonly DeviceClaimConfiguration[] | undefined;
      }
    | undefined;
}

/** A device that a request got. */
export interface DeviceRequestAllocationResult {
  readonly request: string;
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly adminAccess?: boolean | undefined;
  readonly tolerations?: readonly Toleration[] | undefined;
  readonly bindingConditions?: readonly string[] | undefined;
  readonly bindingFailureConditions?: readonly string[] | undefined;
  /** The ID of the share of a device that several claims use. */
  readonly shareID?: string | undefined;
  readonly consumedCapacity?: Readonly<Record<string, string>> | undefined;
}

/** Parameters for devices that a claim got. */
export interface DeviceAllocationConfiguration extends DeviceClaimConfiguration {
  /** `FromClass` or `FromClaim` */
  readonly source: string;
}

/** What a claim got. */
export interface AllocationResult {
  readonly devices?:
    | {
        readonly results?: readonly DeviceRequestAllocationResult[] | undefined;
        readonly config?: readonly DeviceAllocationConfiguration[] | undefined;
      }
    | undefined;
  /** The nodes on which the devices can be used; all if absent. */
  readonly nodeSelector?: NodeSelector | undefined;
  readonly allocationTimestamp?: Time | undefined;
}

/** A user of a claim. */
export interface ResourceClaimConsumerReference {
  readonly apiGroup?: string | undefined;
  readonly resource: string;
  readonly name: string;
  readonly uid: string;
}

/** What a driver says of a device that a claim has. */
export interface AllocatedDeviceStatus {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly shareID?: string | undefined;
  readonly conditions?: readonly Condition[] | undefined;
}

/** What a claim has, and who uses it. */
export interface ResourceClaimStatus {
  readonly allocation?: AllocationResult | undefined;
  readonly reservedFor?: readonly ResourceClaimConsumerReference[] | undefined;
  readonly devices?: readonly AllocatedDeviceStatus[] | undefined;
}

/** A resource.k8s.io/v1 ResourceClaim. */
export interface ResourceClaim extends KubernetesObject {
  readonly spec?: ResourceClaimSpec | undefined;
  readonly status?: ResourceClaimStatus | undefined;
}

/** A resource.k8s.io/v1 ResourceClaimTemplate: the claims that a controller makes for pods. */
export interface ResourceClaimTemplate extends KubernetesObject {
  readonly spec?:
    | {
        /** Labels and annotations of the claims. */
        readonly metadata?: Pick<ObjectMeta, 'labels' | 'annotations'> | undefined;
        readonly spec?: ResourceClaimSpec | undefined;
      }
    | undefined;
}
