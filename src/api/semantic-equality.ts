/**
 * Whether two values of the API mean the same: an absent field, null, an empty list and an empty map are equal, as for
 * the API server (apimachinery/pkg/api/equality).
 */
export function semanticallyEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a === 'string' && typeof b === 'string') return false;
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b);
  if (a instanceof Date || b instanceof Date) return millisOf(a) === millisOf(b);
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!semanticallyEqual(a[i], b[i])) return false;
    return true;
  }
  return haveEqualFields(a as Fields, b as Fields);
}

function haveEqualFields(fields: Fields, others: Fields): boolean {
  for (const key in fields) {
    const [field, other] = [fields[key], others[key]];
    if (field !== other && Object.hasOwn(fields, key) && !semanticallyEqual(field, other)) return false;
  }
  for (const key in others) {
    if (!(key in fields) && Object.hasOwn(others, key) && !isNothing(others[key])) return false;
  }
  return true;
}

type Fields = Readonly<Record<string, unknown>>;

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'object' || value instanceof Date) return false;
  for (const key in value) if (!isNothing((value as Fields)[key]) || Array.isArray(value)) return false;
  return true;
}

function millisOf(value: unknown): number {
  return new Date(value as Date | string).getTime();
}
