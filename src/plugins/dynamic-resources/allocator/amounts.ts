import { parseQuantity } from '../../../api/quantity.ts';

/** Amounts in billionths, by the name of a counter or a capacity. */
export type Amounts = ReadonlyMap<string, bigint>;

export function nanoOf(quantity: string | number): bigint {
  return parseQuantity(quantity).nano;
}

export function amountsOf(quantities: Readonly<Record<string, string | number>> = {}): Amounts {
  return new Map(Object.entries(quantities).map(([name, quantity]) => [name, nanoOf(quantity)]));
}

/** The sums of both; `sign` -1n subtracts the second. */
export function addAmounts(a: Amounts | undefined, b: Amounts, sign: 1n | -1n = 1n): Amounts {
  const sums = new Map(a);
  for (const [name, nano] of b) sums.set(name, (sums.get(name) ?? 0n) + sign * nano);
  return sums;
}
