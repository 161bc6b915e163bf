/** Puts values into the places of an object that was parsed once. Parts without places are shared by all objects. */
export type Skeleton = (values: readonly string[]) => unknown;

/** What stands for the value with this number while the text is parsed: part of a word to YAML. */
export function placeholder(number: number): string {
  return `berthplace${number}x`;
}

/** What stands for every value the second time: whatever becomes a number with it may become one with others. */
export const DIGIT = '1';

const PLACES = /berthplace(\d+)x/;
const WHOLE_NUMBER = /^(?:0|[1-9]\d*)$/;

/** Whether these values change nothing but the words in which they stand. */
export function fitsSkeleton(values: readonly string[]): boolean {
  return values.every((value) => WHOLE_NUMBER.test(value));
}

/**
 * The skeleton of an object from its text with placeholders, and from the text with a digit in each of these places:
 * where that made a number, a number is wanted. undefined: a number is only partly made of a place (`1e{{.Index}}`),
 * and which it is, YAML must say every time.
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
  if (members.every(({ key, member }) => key.kind === 'same' && member.kind === 'same')) return { kind: 'same', value };
  return {
    kind: 'made',
    make: (values) =>
      Object.fromEntries(members.map(({ key, member }) => [made(key, values) as string, made(member, values)])),
  };
}

function made(part: SkeletonPart, values: readonly string[]): unknown {
  return part.kind === 'same' ? part.value : part.make(values);
}

function wordPart(word: string, isNumber: boolean): SkeletonPart {
  // Split by a pattern with one group: text, number of the place, text, ...
  const pieces = word.split(PLACES);
  if (pieces.length === 1) return { kind: 'same', value: word };
  if (!isNumber) {
    const make: Skeleton = (values) => pieces.map((piece, i) => (i % 2 === 0 ? piece : values[Number(piece)])).join('');
    return { kind: 'made', make };
  }
  if (word !== placeholder(Number(pieces[1]))) throw new PartOfNumber();
  return { kind: 'made', make: (values) => Number(values[Number(pieces[1])]) };
}
