/** Whether `for in` may come across members that are not the object's own. */
export function inheritsMembers(object: object): boolean {
  const prototype = Object.getPrototypeOf(object);
  return prototype !== Object.prototype && prototype !== null;
}
