/** Longer texts are cut: a page shows names, it does not keep them. */
const LENGTH_MAX = 400;

/** Control characters, and those that hide, or turn the direction of the text around them. */
const INVISIBLE = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;
/** Halves of characters, which no encoding of text has. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * The text as a page shows it: of bounded length, with characters that cannot be seen written out.
 *
 * @internal
 */
export function shownText(text: string): string {
  const cut = text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}… (${text.length} characters)` : text;
  return cut.replace(LONE_SURROGATE, '\ufffd').replace(INVISIBLE, (char) => {
    return `\\u${(char.codePointAt(0) as number).toString(16).padStart(4, '0')}`;
  });
}

/** The same data with all its texts as a page shows them. */
export function shownData<T>(data: T): T {
  if (typeof data === 'string') return shownText(data) as T;
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) {
    // Long lists of numbers are most of a page.
    return (data.every((value) => typeof value === 'number') ? data : data.map(shownData)) as T;
  }
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, shownData(value)])) as T;
}
