import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { isDeepYaml } from '../../lib/yaml-depth.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import { type BodyReader, BodySyntaxError, type ReadBody } from '../object/kind-schema.ts';
import { parseStrictJson } from './strict-json.ts';
import { yamlProblem } from './yaml-problem.ts';

/** Reads a JSON or YAML body, and lists the keys that it gives twice. JSON is YAML, too, and read much faster. */
export const readBody: BodyReader = (text, mediaType) => {
  if (mediaType !== 'application/yaml') return readJson(text);
  if (!/^\s*\{/.test(text)) return readYaml(text);
  try {
    const read = readJson(text);
    if (read.duplicateKeys.length === 0) return read;
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
  }
  // Go's reader of YAML tells what is wrong in its own words.
  return readYaml(text);
};

function readJson(text: string): ReadBody {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return parseStrictJson(text);
  }
  // Counting keys is much cheaper than parsing once more, and duplicates are rare.
  return hasDuplicateKeys(text, value) ? parseStrictJson(text) : { value, duplicateKeys: [] };
}

/** Whether a JSON text gives a key of its value twice. */
export function hasDuplicateKeys(text: string, value: JsonValue): boolean {
  return countKeysOfText(text) !== countKeys(value);
}

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const SPACE = 32;

function countKeysOfText(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    at++;
    while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
    at++;
    while (text.charCodeAt(at) <= SPACE) at++;
    if (text.charCodeAt(at) === COLON) count++;
  }
  return count;
}

function countKeys(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item);
    return count;
  }
  for (const key of Object.keys(value)) count += 1 + countKeys(value[key] ?? null);
  return count;
}

function readYaml(text: string): ReadBody {
  if (isDeepYaml(text)) throw new BodySyntaxError('yaml: exceeded max depth');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter,
    version: '1.1',
    uniqueKeys: false,
    merge: true,
    logLevel: 'error',
    // Go's reader keeps dates as text and knows no base sixty.
    customTags: (tags) =>
      tags.filter((tag) => typeof tag !== 'object' || !OTHER_TAGS.test(tag.tag + (tag.format ?? ''))),
  });
  // Go's reader takes the first document of several.
  const error = document.errors.find(({ code }) => code !== 'MULTIPLE_DOCS');
  if (error !== undefined) throw new BodySyntaxError(`yaml: ${yamlProblem(text, error)}`);
  visit(document, {
    Alias(_, alias, path) {
      const named = alias.resolve(document);
      if (named === undefined) throw new BodySyntaxError(`yaml: unknown anchor '${alias.source}' referenced`);
      if (path.includes(named)) throw new BodySyntaxError(`yaml: anchor '${alias.source}' value contains itself`);
    },
  });
  const duplicateLines = linesOfDuplicates(document.contents, lineCounter);
  return { value: withTextKeys(expanded(document)), duplicateKeys: [], duplicateLines };
}

/** Go names the line of the value, those within a value first. */
function linesOfDuplicates(node: unknown, lineCounter: LineCounter): string[] {
  if (isSeq(node)) return node.items.flatMap((item) => linesOfDuplicates(item, lineCounter));
  if (!isMap(node)) return [];
  const seen = new Set<string>();
  return node.items.flatMap(({ key, value }) => {
    const lines = linesOfDuplicates(value, lineCounter);
    const name = isScalar(key) ? JSON.stringify(key.value) : String(key);
    if (seen.has(name)) {
      const place = isNode(value) && value.range ? value : (key as Node);
      const { line } = lineCounter.linePos(place.range?.[0] ?? 0);
      lines.push(`line ${line}: key ${name} already set in map`);
    }
    seen.add(name);
    return lines;
  });
}

function expanded(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new BodySyntaxError('yaml: document contains excessive aliasing');
  }
}

const OTHER_TAGS = /timestamp|TIME/;

/** YAML's keys may be of any type; `y` is the key `true`. */
function withTextKeys(value: unknown): JsonValue {
  if (value instanceof Map) return withTextKeys(Object.fromEntries(value));
  if (Array.isArray(value)) return value.map(withTextKeys);
  if (typeof value !== 'object' || value === null) return (value ?? null) as JsonValue;
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) result[key] = withTextKeys(member);
  return result;
}
