import { type FunctionDeclaration, functionOf, global, member } from '../check/declarations.ts';
import { MAX_UINT } from '../values/scalars.ts';
import { BOOL, INT, objectType, STRING } from '../values/types.ts';
import { CelError, Opaque, type Outcome, type Value } from '../values/value.ts';

const SEMVER = objectType('kubernetes.Semver');

const IDENTIFIER = /^[0-9A-Za-z-]+$/;
const PARTS = ['Major', 'Minor', 'Patch'] as const;

/** A semantic version; build metadata does not count in comparisons. */
export class SemverValue extends Opaque {
  readonly type = SEMVER;
  override readonly refusesOtherTypes = true;
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];

  constructor(numbers: readonly [bigint, bigint, bigint], prerelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  equals(other: SemverValue): boolean {
    return this.compare(other) === 0;
  }

  compare(other: SemverValue): number {
    for (const [i, number] of this.numbers.entries()) {
      const theirs = other.numbers[i] as bigint;
      if (number !== theirs) return number < theirs ? -1 : 1;
    }
    const [ours, theirs] = [this.prerelease, other.prerelease];
    if (ours.length === 0 || theirs.length === 0) return Math.sign(theirs.length - ours.length);
    for (const [i, part] of ours.entries()) {
      if (theirs[i] === undefined) return 1;
      const order = compareParts(part, theirs[i]);
      if (order !== 0) return order;
    }
    return Math.sign(ours.length - theirs.length);
  }
}

/** Numbers come before texts, in the order of their values; texts in that of their characters. */
function compareParts(a: string, b: string): number {
  const [isNumber, isOther] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber !== isOther) return isNumber ? -1 : 1;
  if (isNumber) return Math.sign(a.length - b.length) || (a < b ? -1 : Number(a > b));
  return a < b ? -1 : Number(a > b);
}

/** Reads a version; what is wrong is said in the words of the Go library that upstream uses (blang/semver). */
export function parseSemver(text: string): SemverValue | CelError {
  if (text === '') return new CelError('Version string empty');
  const split = text.split('.');
  const [major = '', minor, ...rest] = split;
  if (minor === undefined || rest.length === 0) return new CelError('No Major.Minor.Patch elements found');
  const tail = rest.join('.');
  const build = tail.indexOf('+');
  const beforeBuild = build < 0 ? tail : tail.slice(0, build);
  const dash = beforeBuild.indexOf('-');
  const patch = dash < 0 ? beforeBuild : beforeBuild.slice(0, dash);
  const numbers: bigint[] = [];
  for (const [i, part] of [major, minor, patch].entries()) {
    const number = parseNumber(part, PARTS[i] as string);
    if (number instanceof CelError) return number;
    numbers.push(number);
  }
  const prerelease = dash < 0 ? [] : beforeBuild.slice(dash + 1).split('.');
  for (const part of prerelease) {
    const mistake = prereleaseMistake(part);
    if (mistake !== null) return new CelError(mistake);
  }
  for (const part of build < 0 ? [] : tail.slice(build + 1).split('.')) {
    if (part === '') return new CelError('Build meta data is empty');
    if (!IDENTIFIER.test(part))
      return new CelError(`Invalid character(s) found in build meta data ${JSON.stringify(part)}`);
  }
  return new SemverValue(numbers as [bigint, bigint, bigint], prerelease);
}

function parseNumber(text: string, name: string): bigint | CelError {
  if (!/^\d+$/.test(text)) {
    if (text === '') return new CelError(`strconv.ParseUint: parsing "": invalid syntax`);
    return new CelError(`Invalid character(s) found in ${name.toLowerCase()} number ${JSON.stringify(text)}`);
  }
  if (text.length > 1 && text.startsWith('0')) {
    return new CelError(`${name} number must not contain leading zeroes ${JSON.stringify(text)}`);
  }
  const number = BigInt(text);
  return number <= MAX_UINT ? number : new CelError(`strconv.ParseUint: parsing "${text}": value out of range`);
}

function prereleaseMistake(part: string): string | null {
  if (part === '') return 'Prerelease is empty';
  if (/^\d+$/.test(part)) {
    if (part.length > 1 && part.startsWith('0')) {
      return `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}`;
    }
    return BigInt(part) <= MAX_UINT ? null : `strconv.ParseUint: parsing "${part}": value out of range`;
  }
  return IDENTIFIER.test(part) ? null : `Invalid character(s) found in prerelease ${JSON.stringify(part)}`;
}

/** The tolerant form: a leading `v`, missing numbers, and leading zeroes are put right, but not white space. */
function parseTolerantly(text: string): SemverValue | CelError {
  const parts = text.replace(/^v/, '').split('.');
  const tail = parts.length > 2 ? [parts.slice(2).join('.')] : [];
  const numbers = [...parts.slice(0, 2), ...tail].map((part) => part.replace(/^0+(?=\d)/, ''));
  if (numbers.length < 3 && /[-+]/.test(numbers.at(-1) ?? '')) {
    return new CelError('short version cannot contain PreRelease/Build meta data');
  }
  while (numbers.length < 3) numbers.push('0');
  return parseSemver(numbers.join('.'));
}

function read(text: Value, isTolerant: Value = false): SemverValue | CelError {
  return isTolerant === true ? parseTolerantly(text as string) : parseSemver(text as string);
}

const isSemver = (text: Value, isTolerant?: Value): Outcome => read(text, isTolerant) instanceof SemverValue;
const numberAt =
  (i: 0 | 1 | 2) =>
  (value: Value): Outcome =>
    (value as SemverValue).numbers[i];
const order = (a: Value, b: Value): number => (a as SemverValue).compare(b as SemverValue);

/** Versions as apiserver/pkg/cel/library/semverlib.go has them. */
export const semverFunctions: readonly FunctionDeclaration[] = [
  functionOf('semver', global('', [STRING], SEMVER, read), global('', [STRING, BOOL], SEMVER, read)),
  functionOf('isSemver', global('', [STRING], BOOL, isSemver), global('', [STRING, BOOL], BOOL, isSemver)),
  functionOf(
    'isGreaterThan',
    member('', [SEMVER, SEMVER], BOOL, (a, b) => order(a, b) > 0),
  ),
  functionOf(
    'isLessThan',
    member('', [SEMVER, SEMVER], BOOL, (a, b) => order(a, b) < 0),
  ),
  functionOf(
    'compareTo',
    member('', [SEMVER, SEMVER], INT, (a, b) => BigInt(order(a, b))),
  ),
  functionOf('major', member('', [SEMVER], INT, numberAt(0))),
  functionOf('minor', member('', [SEMVER], INT, numberAt(1))),
  functionOf('patch', member('', [SEMVER], INT, numberAt(2))),
];
