import { isObject, type UnknownObject } from '../api/validation/check.ts';

const CURRENT = 'resource.k8s.io/v1';
/** The API as it was before v1, which v1 has taken over as it is. */
const LIKE_CURRENT = 'resource.k8s.io/v1beta2';
/** The API in which a device had a member `basic`, and a request no member `exactly`. */
const OLDEST = 'resource.k8s.io/v1beta1';

/** Where each kind keeps the part that differs between versions. */
const PARTS: ReadonlyMap<unknown, (spec: UnknownObject) => UnknownObject> = new Map([
  ['ResourceClaim', withExactRequests],
  [
    'ResourceClaimTemplate',
    (spec) => (isObject(spec['spec']) ? { ...spec, spec: withExactRequests(spec['spec']) } : spec),
  ],
  ['ResourceSlice', (spec) => mapped(spec, 'devices', withoutBasic)],
]);

/** Whether this is an older version of the API for devices and claims. */
function isOlderResourceVersion(apiVersion: unknown): boolean {
  return apiVersion === LIKE_CURRENT || apiVersion === OLDEST;
}

/**
 * The object as `resource.k8s.io/v1` has it, if it is written in one of that API's older versions; other objects are
 * returned as they are. Parts that cannot be read are left to those who check them. Source: the conversions of
 * pkg/apis/resource/v1beta1 in Kubernetes.
 */
export function inCurrentResourceVersion<T extends UnknownObject>(object: T): T {
  const { apiVersion, kind, spec } = object;
  if (!isOlderResourceVersion(apiVersion)) return object;
  const part = apiVersion === OLDEST && isObject(spec) ? PARTS.get(kind) : undefined;
  return { ...object, apiVersion: CURRENT, ...(part !== undefined && { spec: part(spec as UnknownObject) }) };
}

function withExactRequests(spec: UnknownObject): UnknownObject {
  const { devices } = spec;
  return isObject(devices) ? { ...spec, devices: mapped(devices, 'requests', withExactly) } : spec;
}

/** A request is for one kind of device, unless it has alternatives. */
function withExactly(request: UnknownObject): UnknownObject {
  const { name, firstAvailable, ...exactly } = request;
  const members = Object.keys(exactly);
  if (members.length === 0 || 'exactly' in exactly) return request;
  return { name, ...(firstAvailable !== undefined && { firstAvailable }), exactly };
}

function withoutBasic({ basic, ...device }: UnknownObject): UnknownObject {
  return isObject(basic) ? { ...device, ...basic } : { ...device, ...(basic !== undefined && { basic }) };
}

function mapped(owner: UnknownObject, member: string, change: (item: UnknownObject) => UnknownObject): UnknownObject {
  const items = owner[member];
  if (!Array.isArray(items)) return owner;
  return { ...owner, [member]: items.map((item) => (isObject(item) ? change(item) : item)) };
}
