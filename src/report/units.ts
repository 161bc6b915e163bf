import type { Cell, Unit } from './sections.ts';

/** A number as people read it, with its unit: the same in the tables, on the axes and in the tooltips. */
export function formatValue(unit: Unit, value: number | null): string {
  if (value === null || Number.isNaN(value)) return '–';
  switch (unit) {
    case 'count':
      return Number.isInteger(value) ? separated(value) : scaled(value, 1000, DECIMAL);
    case 'share':
      return `${trimmed(value * 100, 3)}%`;
    case 'bytes':
      return `${scaled(value, 1024, BINARY)}B`;
    case 'seconds':
      return durationText(value);
    case 'perSecond':
      return `${scaled(value, 1000, DECIMAL)}/s`;
    case 'micros':
      return durationText(value / 1e6);
    case 'cores':
      return trimmed(value, 4);
    case 'number':
      return Math.abs(value) >= 1e6 ? scaled(value, 1000, DECIMAL) : trimmed(value, 4);
  }
}

/** A number on an axis, where there is little room. */
export function formatTick(unit: Unit, value: number): string {
  return unit === 'count' ? scaled(value, 1000, DECIMAL) : formatValue(unit, value);
}

export function formatCell(unit: Unit | undefined, cell: Cell): string {
  if (typeof cell === 'string') return cell;
  return unit === undefined ? (cell === null ? '–' : String(cell)) : formatValue(unit, cell);
}

const DECIMAL = ['', 'k', 'M', 'G', 'T', 'P', 'E'] as const;
const BINARY = [' ', ' Ki', ' Mi', ' Gi', ' Ti', ' Pi', ' Ei'] as const;

function scaled(value: number, base: number, prefixes: readonly string[]): string {
  if (!Number.isFinite(value)) return String(value);
  let rest = value;
  let step = 0;
  // Three digits are shown, so from 999.5 on the next prefix is taken.
  while (Math.abs(rest) >= base - 0.5 && step < prefixes.length - 1) {
    rest /= base;
    step++;
  }
  return trimmed(rest, 3) + (prefixes[step] ?? '');
}

/** Shows at most this many digits, without zeros at the end, and without an exponent. */
function trimmed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Math.abs(value) >= 10 ** digits) return separated(Math.round(value));
  const rounded = Number(value.toPrecision(digits));
  return Math.abs(rounded) >= 1e-6 || rounded === 0 ? String(rounded) : value.toExponential(1);
}

/** A whole number with separators. */
function separated(value: number): string {
  return value.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ',');
}

const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** A time span in at most two units: `3 d 4 h`, `1 min 30 s`, `2.5 s`, `13 µs`. */
export function durationText(seconds: number): string {
  if (!Number.isFinite(seconds)) return String(seconds);
  if (seconds < 0) return `-${durationText(-seconds)}`;
  if (seconds === 0) return '0 s';
  if (seconds < 1e-3) return `${trimmed(seconds * 1e6, 3)} µs`;
  if (seconds < 1) return `${trimmed(seconds * 1e3, 3)} ms`;
  if (seconds < 60) return `${trimmed(seconds, 3)} s`;
  const found = UNITS.findIndex(([size]) => Math.round(seconds) >= size);
  const [size, name] = UNITS[found] ?? UNITS[3];
  const [lessSize, lessName] = UNITS[found + 1] ?? [1, 's'];
  const parts = Math.round(seconds / lessSize);
  const whole = Math.floor((parts * lessSize) / size);
  const rest = parts - (whole * size) / lessSize;
  return rest === 0 ? `${separated(whole)} ${name}` : `${separated(whole)} ${name} ${rest} ${lessName}`;
}
