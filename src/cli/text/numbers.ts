const SUFFIXES = ['', 'k', 'M', 'G', 'T', 'P'] as const;

/** Three digits and a suffix: `654M`, `12.3G`, `0.05`. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  let suffix = 0;
  let scaled = value;
  // From 999.5 on, a number would be rounded to 1000 of the smaller unit.
  while (Math.abs(scaled) >= 999.5 && suffix < SUFFIXES.length - 1) {
    scaled /= 1000;
    suffix++;
  }
  return `${Number(scaled.toPrecision(3))}${SUFFIXES[suffix]}`;
}

/** The change that a ratio stands for: `+3.1%`, `-12.0%`. */
export function percentChange(ratio: number): string {
  const percent = (ratio - 1) * 100;
  return `${percent >= 0 ? '+' : ''}${percent.toFixed(1)}%`;
}
