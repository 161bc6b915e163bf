let last = 0;

/** Returns a number that no other object has: keys name objects by it, where a map by object would keep them alive. */
export function newIdentity(): number {
  last++;
  return last;
}
