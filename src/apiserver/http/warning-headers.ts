/** An answer has so many characters of whole warnings; beyond that each is cut (`WithWarningRecorder` of apiserver). */
const WHOLE_CHARACTERS = 4096;
const CUT_CHARACTERS = 256;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get into a header.
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * The `Warning` headers of an answer, as bytes of UTF-8, each text once. A text with control characters is left out.
 * Where they are too long together all are cut, and end with the first that leaves no room: clients refuse long heads.
 */
export function warningHeaders(texts: readonly string[]): string[] {
  const different = texts.length > 1 ? [...new Set(texts)] : texts;
  const headers: string[] = [];
  let length = 0;
  for (const text of different) {
    if (CONTROL.test(text)) continue;
    length += lengthOf(text);
    if (length > WHOLE_CHARACTERS) return cutHeaders(different);
    headers.push(headerOf(text));
  }
  return headers;
}

function cutHeaders(texts: readonly string[]): string[] {
  const headers: string[] = [];
  // Upstream begins to cut when a warning no longer fits, and then gives all that came until then.
  let whole = 0;
  let length = 0;
  for (const text of texts) {
    if (length >= WHOLE_CHARACTERS && whole > WHOLE_CHARACTERS) break;
    if (CONTROL.test(text)) continue;
    const cut = text.length <= CUT_CHARACTERS ? text : [...text].slice(0, CUT_CHARACTERS).join('');
    whole += lengthOf(text);
    length += lengthOf(cut);
    headers.push(headerOf(cut));
  }
  return headers;
}

/** Counts characters, of which some are two units of a string. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

function headerOf(text: string): string {
  const quoted = `299 - "${text.replace(/["\\]/g, '\\$&')}"`;
  return Buffer.from(quoted).toString('latin1');
}
