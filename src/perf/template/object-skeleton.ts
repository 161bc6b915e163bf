import { combined } from '../../lib/combined.ts';

/**
 * Builds an object from values, given an object that was parsed once with placeholders. Parts without placeholders are
 * shared by all objects.
 */
export type Skeleton = (values: readonly string[]) => unknown;

/** The text that stands for the value with this number while YAML is parsed; to YAML it is part of a word. */
export function placeholder(number: number): string {
  return `berthplace${number}x`;
}

/** The text that stands for every value in a second parse: it shows where values become parts of numbers. */
export const DIGIT = '1';

const PLACES = /berthplace(\d+)x/;
const WHOLE_NUMBER = /^(?:0|[1-9]\d*)$/;

/** Whether inserting these values can only change the words in which they stand. */
export function fitsSkeleton(values: readonly string[]): boolean {
  return values.every((value) => WHOLE_NUMBER.test(value));
}

/**
 * The skeleton of an object from its parsed text with placeholders, and from the same text with a digit in their place:
 * where the digit made a number, a value does, too. Returns undefined if a value is only a part of a number
 * (`1e{{.Index}}`), since then YAML has to be parsed for each object.
 */
export function skeletonOf(withPlaces: unknown, withDigits: unknown): Skeleton | undefined {
  try {
    const part = partOf(withPlaces, withDigits);
    return part.kind === 'same' ? () => part.value : part.make;
  } catch (error) {
    if (error instanceof PartOfNumber) return undefined;
    throw error;
  }
}

class PartOfNumber extends Error {}

type SkeletonPart =
  | { readonly kind: 'same'; readonly value: unknown }
  | { readonly kind: 'made'; readonly make: Skeleton };

function partOf(value: unknown, digits: unknown): SkeletonPart {
  if (typeof value === 'string') return wordPart(value, typeof digits === 'number');
  if (typeof value !== 'object' || value === null) return { kind: 'same', value };
  if (Array.isArray(value)) {
    const parts = value.map((item, i) => partOf(item, (digits as readonly unknown[])[i]));
    if (parts.every(({ kind }) => kind === 'same')) return { kind: 'same', value };
    return { kind: 'made', make: (values) => parts.map((part) => made(part, values)) };
  }
  const digitMembers = Object.values(digits as object);
  const members = Object.entries(value).map(([key, member], i) => ({
    key: wordPart(key, false),
    member: partOf(member, digitMembers[i]),
  }));
  if (!members.every(({ key }) => key.kind === 'same')) {
    const make: Skeleton = (values) =>
      Object.fromEntries(members.map(({ key, member }) => [made(key, values) as string, made(member, values)]));
    return { kind: 'made', make };
  }
  const changing = Object.keys(value).flatMap((key, i) => {
    const member = members[i]?.member;
    return member?.kind === 'made' ? [{ key, make: member.make }] : [];
  });
  return changing.length === 0 ? { kind: 'same', value } : { kind: 'made', make: copyOf(value, changing) };
}

/** Copies the object with other values of some members, which costs far less than to make it of all its members. */
function copyOf(value: object, changing: readonly { readonly key: string; readonly make: Skeleton }[]): Skeleton {
  return (values) => {
    const copy = combined<Record<string, unknown>, object>(value as Record<string, unknown>, undefined);
    for (const { key, make } of changing) copy[key] = make(values);
    return copy;
  };
}

function made(part: SkeletonPart, values: readonly string[]): unknown {
  return part.kind === 'same' ? part.value : part.make(values);
}

function wordPart(word: string, isNumber: boolean): SkeletonPart {
  // The pattern has one group, so the pieces alternate between text and the number of a placeholder.
  const pieces = word.split(PLACES);
  if (pieces.length === 1) return { kind: 'same', value: word };
  if (!isNumber) {
    const [before = '', number, after = ''] = pieces;
    if (pieces.length === 3) return { kind: 'made', make: (values) => before + values[Number(number)] + after };
    const make: Skeleton = (values) => pieces.map((piece, i) => (i % 2 === 0 ? piece : values[Number(piece)])).join('');
    return { kind: 'made', make };
  }
  if (word !== placeholder(Number(pieces[1]))) throw new PartOfNumber();
  return { kind: 'made', make: (values) => Number(values[Number(pieces[1])]) };
}
