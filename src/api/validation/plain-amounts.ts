import { isObject, problemsOf } from './check.ts';
import { isGoodKey } from './names.ts';
import { resourceList } from './resources.ts';
import { quantities } from './structure.ts';

/** The letters of the suffixes Ki, Mi, Gi, M, G and m. */
const [KILO, MEGA, GIGA, BINARY, MILLI] = [75, 77, 71, 105, 109];
const MOST_DIGITS = 12;
const MOST_DIGITS_BEFORE_SUFFIX = 9;

/** Whether the amounts pass all checks of amounts by resource name, thorough or not. */
export function areAmounts(amounts: unknown): boolean {
  return (
    arePlainAmounts(amounts) || problemsOf(resourceList, amounts).length + problemsOf(quantities, amounts).length === 0
  );
}

function arePlainAmounts(amounts: unknown): boolean {
  if (!isObject(amounts)) return false;
  for (const name in amounts) if (!isPlainAmount(name, amounts[name]) || !isGoodKey(name)) return false;
  return true;
}

/** Whether the amount has few digits and no suffix but Ki, Mi, Gi, M or G; m only of what parts can be had of. */
function isPlainAmount(name: string, amount: unknown): boolean {
  if (typeof amount !== 'string') return false;
  const { length } = amount;
  let digits = 0;
  while (digits < length && isDigit(amount.charCodeAt(digits))) digits++;
  if (digits === length) return digits > 0 && digits <= MOST_DIGITS;
  if (digits === 0 || digits > MOST_DIGITS_BEFORE_SUFFIX) return false;
  const first = amount.charCodeAt(digits);
  if (length === digits + 1) {
    return first === MEGA || first === GIGA || (first === MILLI && (name === 'cpu' || name === 'memory'));
  }
  const isBinary = first === KILO || first === MEGA || first === GIGA;
  return isBinary && length === digits + 2 && amount.charCodeAt(digits + 1) === BINARY;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}
