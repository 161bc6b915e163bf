/**
 * A new object with the members of both, if they are there; those of the second win. V8 gives nearly every object whose
 * literal adds members to those that it spreads a hidden class of its own: to make that takes a microsecond, and what
 * reads many such objects is slow ever after. What is made by the thousand is therefore put together here.
 */
export function combined<T extends object, M extends object>(object: T | undefined, members: M | undefined): T & M {
  // To assign a member of this name would set the prototype instead.
  if (hasProto(object) || hasProto(members)) return { ...object, ...members } as T & M;
  return Object.assign({}, object, members);
}

function hasProto(object: object | undefined): boolean {
  return object !== undefined && Object.hasOwn(object, '__proto__');
}
