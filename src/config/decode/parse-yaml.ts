import { type Document, isMap, isPair, isScalar, LineCounter, parseAllDocuments, type Tags, visit } from 'yaml';
import type { ConfigurationError } from './field-error.ts';
import { fromPlain, NULL, type Value } from './value.ts';

export interface ParsedText {
  readonly value: Value;
  /** Keys that occur twice in a mapping; `value` holds the last of them. */
  readonly duplicates: readonly ConfigurationError[];
}

/**
 * Parses YAML 1.1 as kube-scheduler does: `010` is 8, `yes` is true, dates and `1:30` are strings. Only the first
 * document counts. A syntax error is returned in one line.
 */
export function parseYaml(text: string): ParsedText | { readonly error: string } {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, {
    version: '1.1',
    customTags: withoutTimes,
    intAsBigInt: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
    lineCounter,
  });
  const [document] = Array.isArray(documents) ? documents : [];
  if (document === undefined) return { value: NULL, duplicates: [] };
  const [error] = document.errors;
  if (error !== undefined) {
    return { error: `yaml: line ${lineCounter.linePos(error.pos[0]).line}: ${error.message}` };
  }
  try {
    return { value: fromPlain(document.toJS()), duplicates: duplicateKeys(document, lineCounter) };
  } catch (unresolved) {
    // The document has an alias without its anchor, or aliases that expand without end.
    return { error: `yaml: ${unresolved instanceof Error ? unresolved.message : String(unresolved)}` };
  }
}

/** The tags without timestamps and base-60 numbers, which upstream's YAML does not know in plain scalars. */
function withoutTimes(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag === 'string' || (!tag.tag.endsWith(':timestamp') && tag.format !== 'TIME'));
}

function duplicateKeys(document: Document.Parsed, lineCounter: LineCounter): ConfigurationError[] {
  const errors: ConfigurationError[] = [];
  visit(document, {
    Map(_, map, path) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value) && key.value !== '<<') {
          const parent = pathOf([...path, map]);
          const line = lineCounter.linePos(key.range?.[0] ?? 0).line;
          errors.push({
            field: parent === '' ? String(key.value) : `${parent}.${key.value}`,
            message: `yaml: line ${line}: key ${JSON.stringify(key.value)} already set in map`,
          });
        }
        seen.add(key.value);
      }
    },
  });
  return errors;
}

/** The path, such as `profiles[0].plugins`, of the mapping to which a chain of nodes leads. */
function pathOf(chain: readonly unknown[]): string {
  let path = '';
  chain.forEach((node, i) => {
    const parent = chain[i - 1];
    if (isPair(node) && isScalar(node.key)) path += path === '' ? node.key.value : `.${node.key.value}`;
    else if (isSequence(parent)) path += `[${parent.items.indexOf(node)}]`;
  });
  return path;
}

function isSequence(node: unknown): node is { readonly items: readonly unknown[] } {
  return typeof node === 'object' && node !== null && 'items' in node && !isMap(node);
}
