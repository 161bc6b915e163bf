/** One field that is not as recorded. */
export interface Difference {
  readonly field: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** Every leaf in which two JSON values differ; `undefined` stands for a missing member. */
export function differences(field: string, expected: unknown, got: unknown): Difference[] {
  if (Object.is(expected, got)) return [];
  if (isRecord(expected) && isRecord(got)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(got)]);
    return [...keys].flatMap((key) => differences(`${field}.${key}`, expected[key], got[key]));
  }
  if (Array.isArray(expected) && Array.isArray(got) && expected.length === got.length) {
    return expected.flatMap((value, i) => differences(`${field}[${i}]`, value, got[i]));
  }
  return [{ field, expected, got }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
