import type { Pod } from '../../src/api/pod.ts';
import type {
  Device,
  DeviceClass,
  DeviceRequest,
  ResourceClaim,
  ResourceClaimSpec,
  ResourceSlice,
} from '../../src/api/resource-claims.ts';
import { makePod } from './make-pod.ts';

export const DRIVER = 'gpu.example.com';

/** A class of all devices of `DRIVER`, or of those that the condition accepts. */
export function makeDeviceClass(name = 'gpu', expression = `device.driver == "${DRIVER}"`): DeviceClass {
  return { metadata: { name }, spec: { selectors: [{ cel: { expression } }] } };
}

type SliceSpec = Partial<ResourceSlice['spec']>;

/** The only slice of a pool with the name of its node; `more` replaces fields. */
export function makeSlice(node: string, devices: readonly (string | Device)[], more: SliceSpec = {}): ResourceSlice {
  return {
    metadata: { name: more.pool?.name ?? node },
    spec: {
      driver: DRIVER,
      ...(more.allNodes === undefined && more.nodeSelector === undefined && { nodeName: node }),
      pool: { name: node, generation: 1, resourceSliceCount: 1 },
      devices: devices.map((device) => (typeof device === 'string' ? { name: device } : device)),
      ...more,
    },
  };
}

type Devices = NonNullable<ResourceClaimSpec['devices']>;

/** A claim in `default` that asks for numbers of devices of class `gpu`, or for what the requests say. */
export function makeDeviceClaim(
  name: string,
  requests: readonly (number | DeviceRequest)[],
  more: Omit<Devices, 'requests'> = {},
): ResourceClaim {
  const exact = (count: number, i: number): DeviceRequest => {
    return { name: `r${i}`, exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count } };
  };
  return {
    metadata: { name, namespace: 'default', uid: `uid-${name}` },
    spec: { devices: { requests: requests.map((one, i) => (typeof one === 'number' ? exact(one, i) : one)), ...more } },
  };
}

/** The claim with devices of pool `pool`, for these users. */
export function withDevices(
  claim: ResourceClaim,
  pool: string,
  devices: readonly string[],
  users: readonly string[] = [],
): ResourceClaim {
  const results = devices.map((device) => ({ request: 'r0', driver: DRIVER, pool, device }));
  const reservedFor = users.map((name) => ({ resource: 'pods', name, uid: `uid-${name}` }));
  return { ...claim, status: { allocation: { devices: { results } }, reservedFor } };
}

/** A pod that names existing claims. */
export function podWithDevices(name: string, claims: readonly string[]): Pod {
  const resourceClaims = claims.map((claim) => ({ name: claim, resourceClaimName: claim }));
  return makePod(name, { spec: { resourceClaims } });
}
