import type { DeviceAttribute, DeviceConstraint } from '../../../api/resource-claims.ts';
import type { PoolDevice } from './pools.ts';

/** A condition on the devices of a claim together, which are added and taken back one by one. */
export interface Constraint {
  /** Adds the device, which the request got; false if the condition does not hold with it. */
  add(request: RequestName, device: PoolDevice): boolean;
  /** Takes the device back that was added last. */
  remove(request: RequestName, device: PoolDevice): void;
}

/** The name of a request, and that of the alternative if it has some. */
export interface RequestName {
  readonly name: string;
  readonly alternative: string | null;
}

/** Returns null for a constraint of an unknown kind. */
export function constraintOf(constraint: DeviceConstraint, hasDistinct: boolean): Constraint | null {
  const { matchAttribute, distinctAttribute, requests = [] } = constraint;
  if (matchAttribute !== undefined) return new MatchAttribute(matchAttribute, requests);
  if (distinctAttribute !== undefined && hasDistinct) return new DistinctAttribute(distinctAttribute, requests);
  return null;
}

/** A constraint on an attribute, which must be there. A device without it can never be used. */
abstract class AttributeConstraint implements Constraint {
  readonly #attribute: string;
  readonly #requests: ReadonlySet<string>;
  /** The number of devices that were added. */
  #count = 0;

  constructor(attribute: string, requests: readonly string[]) {
    this.#attribute = attribute;
    this.#requests = new Set(requests);
  }

  add(request: RequestName, device: PoolDevice): boolean {
    if (!this.#concerns(request)) return true;
    const value = attributeOf(device, this.#attribute);
    if (value === undefined) return false;
    if (this.#count > 0 && !this.admits(value)) return false;
    this.keep(request.name, value, this.#count);
    this.#count++;
    return true;
  }

  remove(request: RequestName): void {
    if (!this.#concerns(request)) return;
    this.#count--;
    this.forget(request.name);
  }

  /** Whether the value is allowed beside the others. */
  protected abstract admits(value: DeviceAttribute): boolean;
  protected abstract keep(request: string, value: DeviceAttribute, count: number): void;
  protected abstract forget(request: string): void;

  /** A constraint on a request is about all its alternatives, and one can be named, too. */
  #concerns({ name, alternative }: RequestName): boolean {
    if (this.#requests.size === 0 || this.#requests.has(name)) return true;
    return alternative !== null && this.#requests.has(`${name}/${alternative}`);
  }
}

/** All devices have the value of the first one. */
class MatchAttribute extends AttributeConstraint {
  #first: DeviceAttribute | undefined;

  protected admits(value: DeviceAttribute): boolean {
    return this.#first !== undefined && isEqual(this.#first, value);
  }

  protected keep(_request: string, value: DeviceAttribute, count: number): void {
    if (count === 0) this.#first = value;
  }

  protected forget(): void {}
}

/**
 * Devices of different requests have different values. As upstream, of a request only the last device is remembered, so
 * that its first and its third device may have equal values.
 */
class DistinctAttribute extends AttributeConstraint {
  readonly #last = new Map<string, DeviceAttribute>();

  protected admits(value: DeviceAttribute): boolean {
    if (scalarOf(value) === null) return false;
    for (const known of this.#last.values()) if (isEqual(known, value)) return false;
    return true;
  }

  protected keep(request: string, value: DeviceAttribute): void {
    this.#last.set(request, value);
  }

  protected forget(request: string): void {
    this.#last.delete(request);
  }
}

/** Whether both are the same scalar; lists are equal to nothing. */
function isEqual(a: DeviceAttribute, b: DeviceAttribute): boolean {
  const one = scalarOf(a);
  return one !== null && one === scalarOf(b);
}

/** The value with its type, as text; null for a list. Versions are in their shortest form, so that text decides. */
function scalarOf({ int, bool, string, version }: DeviceAttribute): string | null {
  if (string !== undefined) return `string ${string}`;
  if (int !== undefined) return `int ${int}`;
  if (bool !== undefined) return `bool ${bool}`;
  return version === undefined ? null : `version ${version}`;
}

/** The attribute by its full name, or by its name alone if its domain is the driver. */
function attributeOf({ device, slice }: PoolDevice, name: string): DeviceAttribute | undefined {
  const { attributes = {} } = device;
  const known = attributes[name];
  if (known !== undefined) return known;
  const slash = name.indexOf('/');
  return slash >= 0 && name.slice(0, slash) === slice.spec.driver ? attributes[name.slice(slash + 1)] : undefined;
}
