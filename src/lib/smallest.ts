/** Returns the `count` smallest of some numbers that all differ, in ascending order. */
export function smallest(numbers: Int32Array, count: number): Int32Array {
  if (numbers.length <= count) return numbers.slice().sort();
  const least = numbers.slice(0, count).sort();
  let most = least[count - 1] ?? 0;
  for (let i = count; i < numbers.length; i++) {
    const number = numbers[i] as number;
    if (number >= most) continue;
    let at = count - 1;
    for (; at > 0 && (least[at - 1] as number) > number; at--) least[at] = least[at - 1] as number;
    least[at] = number;
    most = least[count - 1] as number;
  }
  return least;
}

/** Exchanges the first of some slots for the one that has the smallest place. */
export function putFirst(slots: Int32Array, places: ArrayLike<number>): void {
  let first = 0;
  let least = places[slots[0] ?? 0] as number;
  for (let i = 1; i < slots.length; i++) {
    const place = places[slots[i] as number] as number;
    if (place >= least) continue;
    least = place;
    first = i;
  }
  const slot = slots[first] ?? 0;
  slots[first] = slots[0] ?? 0;
  slots[0] = slot;
}
