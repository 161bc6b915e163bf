/** Freezes the value and all that it contains, and returns it. What is frozen already is not looked into. */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return value;
  Object.freeze(value);
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) deepFrozen(value[i]);
  else for (const key in value) deepFrozen(value[key]);
  return value;
}
