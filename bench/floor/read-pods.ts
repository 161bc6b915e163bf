import type { Pod } from '../../src/api/pod.ts';

/**
 * The least that a scheduler must do: reads every value of each pod, and writes a result for it, here the number of
 * values and characters. A spec that several pods share is read once, as a scheduler may do that recognises it.
 */
export function readPods(pods: readonly Pod[]): Float64Array {
  const results = new Float64Array(pods.length);
  const sizes = new Map<object, number>();
  for (let i = 0; i < pods.length; i++) {
    const { metadata, spec } = pods[i] as Pod;
    let size = spec === undefined ? 0 : sizes.get(spec);
    if (size === undefined) {
      size = sizeOf(spec);
      sizes.set(spec as object, size);
    }
    results[i] = sizeOf(metadata) + size;
  }
  return results;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let size = 1;
  if (Array.isArray(value)) {
    for (const item of value) size += sizeOf(item);
    return size;
  }
  for (const key in value) size += sizeOf((value as Record<string, unknown>)[key]);
  return size;
}
