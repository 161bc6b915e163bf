/** Whether `for in` would visit inherited members. */
export function inheritsMembers(object: object): boolean {
  const prototype = Object.getPrototypeOf(object);
  return prototype !== Object.prototype && prototype !== null;
}
