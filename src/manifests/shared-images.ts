import { isObject, type UnknownObject } from '../api/validation/check.ts';
import { shapeOf } from './value-shape.ts';

/** An image that many nodes list, as one object. */
interface SharedImage {
  readonly text: string;
  readonly value: object;
  readonly members: number;
  /** Whether a node with this image was found to be good, so that nobody has to look at the image again. */
  isGood: boolean;
}

const IMAGES = '"images"';
/** The length of the beginning in which the kind is looked for: objects say it first. */
const HEAD_LENGTH = 128;
const NODE_KIND = /"kind"\s*:\s*"Node"/;
/** An escape in a name could hide another list of this name. */
const ESCAPED = '\\u';
const SPACE = 0x20;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const KEYS_MAX = 10_000;
/** More images whose texts look alike are not shared, since each is compared with all. */
const ALIKE_MAX = 8;
/** The number of characters of a text that are looked at to find those that may equal it. */
const SAMPLES = 16;

/** The images of lists that were made here. */
const IMAGES_OF = new WeakMap<readonly unknown[], readonly SharedImage[]>();
const NO_IMAGES: readonly SharedImage[] = [];

/**
 * Parses Nodes so that they share their images. Each node lists up to fifty of a few hundred, which can be half of a
 * dump: an image that was seen before is recognised by its text, and neither parsed, checked nor kept again.
 */
export class SharedImages {
  readonly #byKey = new Map<number, SharedImage[]>();

  /**
   * The value of a text of JSON that is a Node with one list of images and as many members as are given; undefined for
   * every other text, and for one in which anything is unusual or wrong.
   */
  parse(text: string, members: number): unknown {
    if (!NODE_KIND.test(text.slice(0, HEAD_LENGTH))) return undefined;
    try {
      return this.#parse(text, members);
    } catch {
      // What is wrong is found, with its place, when the whole text is parsed.
      return undefined;
    }
  }

  #parse(text: string, members: number): unknown {
    const key = text.indexOf(IMAGES);
    if (key <= 0 || text.charCodeAt(key - 1) === BACKSLASH) return undefined;
    const colon = nextToken(text, key + IMAGES.length);
    const open = nextToken(text, colon + 1);
    if (text.charCodeAt(colon) !== COLON || text.charCodeAt(open) !== OPEN_BRACKET) return undefined;
    const images: SharedImage[] = [];
    const close = this.#readImages(text, open + 1, images);
    if (text.charCodeAt(close) !== CLOSE_BRACKET || text.indexOf(IMAGES, close) !== -1) return undefined;
    const rest = text.slice(0, open + 1) + text.slice(close);
    if (rest.includes(ESCAPED)) return undefined;
    const value: unknown = JSON.parse(rest);
    const list = imagesOf(value);
    const shape = shapeOf(value);
    if (list?.length !== 0 || shape === null || shape.hasLargeNumbers) return undefined;
    let found = shape.members;
    for (const image of images) {
      list.push(image.value);
      found += image.members;
    }
    if (found !== members) return undefined;
    IMAGES_OF.set(list, images);
    return value;
  }

  /** Reads the images of a list, and returns the place behind them. @throws SyntaxError */
  #readImages(text: string, from: number, images: SharedImage[]): number {
    let at = nextToken(text, from);
    while (text.charCodeAt(at) === OPEN_BRACE) {
      // An image has no object inside, and what ends at a brace within a string is no JSON.
      const end = text.indexOf('}', at) + 1;
      images.push(this.#image(text, at, end));
      at = nextToken(text, end);
      if (text.charCodeAt(at) !== COMMA) break;
      at = nextToken(text, at + 1);
      if (text.charCodeAt(at) !== OPEN_BRACE) return -1;
    }
    return at;
  }

  /** @throws SyntaxError */
  #image(text: string, from: number, to: number): SharedImage {
    const cut = text.slice(from, to);
    const key = keyOf(text, from, to);
    const alike = this.#byKey.get(key);
    if (alike !== undefined) for (const image of alike) if (image.text === cut) return image;
    const value = JSON.parse(cut) as object;
    const shape = shapeOf(value);
    if (shape === null || shape.hasLargeNumbers) throw new SyntaxError('a number has to be read exactly');
    // A cut text would keep all of the text in memory.
    const image = { text: JSON.parse(JSON.stringify(cut)) as string, value, members: shape.members, isGood: false };
    if (alike === undefined && this.#byKey.size < KEYS_MAX) this.#byKey.set(key, [image]);
    else if (alike !== undefined && alike.length < ALIKE_MAX) alike.push(image);
    return image;
  }
}

/**
 * Calls the check of an object without its images if all of them were found to be good before. The check returns
 * whether it has nothing to say about the object.
 */
export function checkWithoutKnownImages(object: UnknownObject, check: () => boolean): void {
  const list = imagesOf(object);
  const images = list === undefined ? NO_IMAGES : (IMAGES_OF.get(list) ?? NO_IMAGES);
  if (list === undefined || images.length === 0) {
    check();
  } else if (images.every(({ isGood }) => isGood)) {
    setImages(object, []);
    check();
    setImages(object, list);
  } else if (check()) {
    for (const [i, image] of images.entries()) image.isGood = imagesOf(object)?.[i] === image.value;
  }
}

function imagesOf(value: unknown): unknown[] | undefined {
  const status = isObject(value) ? value['status'] : undefined;
  const images = isObject(status) ? status['images'] : undefined;
  return Array.isArray(images) ? images : undefined;
}

function setImages(object: UnknownObject, images: unknown[]): void {
  (object['status'] as { images: unknown[] }).images = images;
}

/** The place of the next character that is no white space. */
function nextToken(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= SPACE) at++;
  return at;
}

/** A number that is the same for equal parts of texts. */
function keyOf(text: string, from: number, to: number): number {
  const length = to - from;
  let key = length;
  for (let i = 0; i < SAMPLES; i++) {
    const at = from + Math.floor((i * length) / SAMPLES);
    key = (Math.imul(key, 31) + text.charCodeAt(at)) | 0;
  }
  return key;
}
