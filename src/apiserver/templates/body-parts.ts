import { type ApiMetadata, isJsonObject, type JsonValue } from '../../kinds/object/json.ts';
import { hasDuplicateKeys } from '../../kinds/schema/body-reader.ts';

/** The JSON text of an object, cut where its metadata begins and ends. */
export interface BodyParts {
  readonly before: string;
  readonly metadata: ApiMetadata;
  readonly after: string;
}

const [QUOTE, BACKSLASH, COLON, COMMA, SPACE] = [0x22, 0x5c, 0x3a, 0x2c, 0x20];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Cuts the metadata out of the text of an object without reading the rest. Undefined where that does not succeed: the
 * rest has to be known as correct JSON from elsewhere.
 */
export function partsOfBody(text: string): BodyParts | undefined {
  const start = startOfMetadata(text);
  if (start === undefined) return undefined;
  const end = endOfValue(text, start);
  const metadataText = text.slice(start, end);
  let metadata: JsonValue;
  try {
    metadata = JSON.parse(metadataText) as JsonValue;
  } catch {
    return undefined;
  }
  if (!isJsonObject(metadata) || hasDuplicateKeys(metadataText, metadata)) return undefined;
  return { before: text.slice(0, start), metadata, after: text.slice(end) };
}

/** Where the value of the first member `metadata` of the outermost object begins. */
function startOfMetadata(text: string): number | undefined {
  let at = skipSpace(text, 0);
  if (text.charCodeAt(at) !== OPEN_BRACE) return undefined;
  do {
    const key = skipSpace(text, at + 1);
    if (text.charCodeAt(key) !== QUOTE) return undefined;
    const keyEnd = endOfText(text, key);
    const colon = skipSpace(text, keyEnd);
    if (text.charCodeAt(colon) !== COLON) return undefined;
    const value = skipSpace(text, colon + 1);
    if (text.slice(key, keyEnd) === '"metadata"') return value;
    at = skipSpace(text, endOfValue(text, value));
  } while (text.charCodeAt(at) === COMMA);
  return undefined;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= SPACE) at++;
  return at;
}

/** Behind the closing quote of the text that begins here. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
  return at + 1;
}

/** Behind the value that begins here. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(text, at);
      if (depth === 0) return at;
      continue;
    }
    if (depth === 0 && at > start && (code === COMMA || code === CLOSE_BRACE || code <= SPACE)) return at;
    at++;
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --depth <= 0) return at;
  }
  return text.length;
}
