/** Strings of this length or less are copied by the JavaScript engine when they are cut out of a text. */
const COPIED_LENGTH_MAX = 12;
const STRINGS_MAX = 50_000;
const SHARED_LENGTH_MAX = 256;

/**
 * Copies of strings that were cut out of a large text, which a cut string would keep in memory as a whole. Strings that
 * come again and again, such as names of images, are kept once.
 */
export class KeptStrings {
  readonly #copies = new Map<string, string>();

  readonly keep = (text: string): string => {
    if (text.length <= COPIED_LENGTH_MAX) return text;
    const known = this.#copies.get(text);
    if (known !== undefined) return known;
    const copy = JSON.parse(JSON.stringify(text)) as string;
    if (text.length <= SHARED_LENGTH_MAX) {
      if (this.#copies.size === STRINGS_MAX) this.#copies.clear();
      this.#copies.set(copy, copy);
    }
    return copy;
  };
}
