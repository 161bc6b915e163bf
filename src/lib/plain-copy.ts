/**
 * A plain copy of the object with other members. It is built member by member: V8 makes a slow dictionary of an object
 * that was made by spreading another one and is frozen, and whoever reads its members pays for that each time.
 */
export function plainCopy<T extends object>(object: T, members: Partial<T>): T {
  const copy: Partial<T> = {};
  for (const key of Object.keys(object) as (keyof T)[]) if (key !== '__proto__') copy[key] = object[key];
  for (const key of Object.keys(members) as (keyof T)[]) copy[key] = members[key];
  return copy as T;
}
