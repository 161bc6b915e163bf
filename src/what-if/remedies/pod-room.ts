import type { Pod } from '../../api/pod.ts';
import { podRequests } from '../../api/pod-requests.ts';
import { parseQuantity, type ResourceList } from '../../api/quantity.ts';
import { toFloat64 } from '../../lib/int64.ts';

/** The amounts by resource, as `Usage` counts them. */
export type Amounts = ReadonlyMap<string, number>;

/** What the pod requests. */
export function amountsOf(pod: Pod): Amounts {
  const { milliCPU, memoryBytes, ephemeralStorageBytes, scalar } = podRequests(pod);
  return new Map([
    ['cpu', toFloat64(milliCPU)],
    ['memory', toFloat64(memoryBytes)],
    ['ephemeral-storage', toFloat64(ephemeralStorageBytes)],
    ...[...scalar].map(([name, amount]) => [name, toFloat64(amount)] as const),
  ]);
}

export function amountIn(requests: ResourceList | undefined, name: string): number {
  const text = requests?.[name];
  if (text === undefined) return 0;
  const { value, milliValue } = parseQuantity(text);
  return toFloat64(name === 'cpu' ? milliValue : value);
}

/** How many pods that request so much find room where so much is free. */
export function podsInRoom(wanted: Amounts, freeOf: (resource: string) => number): number {
  let count = freeOf('pods');
  for (const [name, amount] of wanted) if (amount > 0) count = Math.min(count, Math.floor(freeOf(name) / amount));
  return Math.max(0, count);
}
