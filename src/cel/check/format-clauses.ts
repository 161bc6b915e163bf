import { CelError } from '../values/value.ts';

/** A clause of a format string, such as `%.2f`, and the position of what it writes. */
interface Clause {
  readonly verb: string;
  readonly digits: number;
  readonly index: number;
}

const CLAUSE = /%(?:%|(\.\d*)?([\s\S])?)/gu;
const DEFAULT_DIGITS = 6;

const TEXTS = 'strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';
const HEXADECIMAL = [
  'only integers, byte buffers, and strings can be formatted as hex',
  'int uint string bytes',
] as const;

/** What a clause says of a value that it does not write, and the kinds of types that it writes. */
const VERBS: Readonly<Record<string, readonly [refusal: string, kinds: string]>> = {
  s: [
    `string clause can only be used on ${TEXTS}`,
    'list map int uint double bool string timestamp bytes duration type null',
  ],
  d: ['decimal clause can only be used on integers', 'int uint'],
  f: ['fixed-point clause can only be used on doubles', 'double string'],
  e: ['scientific clause can only be used on doubles', 'double string'],
  b: ['only integers and bools can be formatted as binary', 'int uint bool'],
  o: ['octal clause can only be used on integers', 'int uint'],
  x: HEXADECIMAL,
  X: HEXADECIMAL,
};

export function isWritable(verb: string, kind: string): boolean {
  return VERBS[verb]?.[1].split(' ').includes(kind) ?? false;
}

export function refusal(verb: string, typeName: string): string {
  return `error during formatting: ${VERBS[verb]?.[0]}, was given ${typeName}`;
}

/**
 * The texts and clauses of a format string up to the first mistake, which is the last part then. `isConstant`: whether
 * it is checked before there are values.
 */
export function formatParts(text: string, count: number, isConstant: boolean): (string | Clause | CelError)[] {
  const parts: (string | Clause | CelError)[] = [];
  let [end, index] = [0, 0];
  for (const { 0: whole, 1: precision, 2: verb = '', index: start } of text.matchAll(CLAUSE)) {
    parts.push(text.slice(end, start));
    end = start + whole.length;
    if (whole === '%%') {
      parts.push('%');
      continue;
    }
    const isMissing = index >= count && !(isConstant && whole === '%');
    const mistake = isMissing ? `index ${index} out of range` : mistakeOf(whole, precision, verb);
    if (mistake !== null) return [...parts, new CelError(mistake)];
    parts.push({ verb, digits: precision === undefined ? DEFAULT_DIGITS : Number(precision.slice(1)), index });
    index++;
  }
  return [...parts, text.slice(end)];
}

function mistakeOf(whole: string, precision: string | undefined, verb: string): string | null {
  if (whole === '%') return 'unexpected end of string';
  const cannotParse = 'could not parse formatting clause:';
  const ofPrecision = `${cannotParse} error while parsing precision:`;
  if (verb === '') return `${ofPrecision} could not find end of precision specifier`;
  if (precision === '.') {
    return `${ofPrecision} error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax`;
  }
  return Object.hasOwn(VERBS, verb) ? null : `${cannotParse} unrecognized formatting clause "${verb}"`;
}
