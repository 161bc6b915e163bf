/** Returns the number that would be at `rank` if the numbers were sorted; it puts them into another order. */
export function selectRank(numbers: Float64Array, rank: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const pivot = numbers[(low + high) >> 1] ?? 0;
    let left = low;
    let right = high;
    while (left <= right) {
      while ((numbers[left] ?? 0) < pivot) left++;
      while ((numbers[right] ?? 0) > pivot) right--;
      if (left > right) break;
      const moved = numbers[left] ?? 0;
      numbers[left++] = numbers[right] ?? 0;
      numbers[right--] = moved;
    }
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else break;
  }
  return numbers[rank] ?? Number.NaN;
}
