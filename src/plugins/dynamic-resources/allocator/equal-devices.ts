import type { Device } from '../../../api/resource-claims.ts';

/**
 * Whether the lists have equal devices at the same places, apart from their names. It may overlook that devices are
 * equal, such as those with members that are undefined, but never takes different ones for equal.
 */
export function areEqualDevices(a: readonly Device[], b: readonly Device[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (!hasEqualMembers(a[i] as unknown as Members, b[i] as unknown as Members, 'name')) return false;
  }
  return true;
}

/** Whether all names are different: a walk over a few is faster than a set of them. */
export function haveOwnNames(devices: readonly Device[]): boolean {
  if (devices.length > FEW) return new Set(devices.map(({ name }) => name)).size === devices.length;
  for (let i = 1; i < devices.length; i++) {
    for (let j = 0; j < i; j++) if (devices[i]?.name === devices[j]?.name) return false;
  }
  return true;
}

const FEW = 32;

type Members = Readonly<Record<string, unknown>>;

/** `apart`: the member that may differ. */
function hasEqualMembers(a: Members, b: Members, apart: string): boolean {
  let count = 0;
  for (const key in a) {
    // A member of this name may be read where there is none.
    if (key === '__proto__') return false;
    count++;
    if (key !== apart && !isEqual(a[key], b[key])) return false;
  }
  for (const _ in b) count--;
  return count === 0;
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (!Array.isArray(a)) return !Array.isArray(b) && hasEqualMembers(a as Members, b as Members, '');
  return Array.isArray(b) && a.length === b.length && a.every((item, i) => isEqual(item, b[i]));
}
