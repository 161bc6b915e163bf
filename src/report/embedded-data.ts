import { gzipSync } from 'node:zlib';
import { element, type Markup } from './markup.ts';

/** Larger data is compressed. */
const PLAIN_MAX = 100_000;

/**
 * The data of a page's script as an element that is no program, whatever is in it. Large data is compressed, since
 * numbers compress well; base64 then has no character of markup.
 */
export function embeddedData(data: unknown): Markup {
  const json = JSON.stringify(data);
  if (json.length <= PLAIN_MAX) {
    return element('script', { type: 'application/json', id: 'data' }, escapedJson(json));
  }
  const packed = gzipSync(json, { level: 9 }).toString('base64') as Markup;
  return element('script', { type: 'application/octet-stream', id: 'data' }, packed);
}

/** JSON in which nothing can end the element or begin a comment; the separators of lines are kept from old parsers. */
function escapedJson(json: string): Markup {
  return json.replace(/[<>&\u2028\u2029]/g, (char) => {
    return `\\u${(char.codePointAt(0) as number).toString(16).padStart(4, '0')}`;
  }) as Markup;
}
