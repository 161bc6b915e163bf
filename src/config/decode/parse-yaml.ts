import type { Scalar, Tags } from 'yaml';
import { latePackage } from '../../lib/host-modules.ts';
import { isDeepYaml } from '../../lib/yaml-depth.ts';
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
  if (isDeepYaml(text)) return { error: 'yaml: exceeded max depth' };
  const { LineCounter, parseAllDocuments } = latePackage('yaml');
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
    const lineOf = (offset: number): number => lineCounter.linePos(offset).line;
    return { value: fromPlain(document.toJS()), duplicates: duplicateKeys(document.contents, '', lineOf) };
  } catch (unresolved) {
    // The document has an alias without its anchor, or aliases that expand without end.
    return { error: `yaml: ${unresolved instanceof Error ? unresolved.message : String(unresolved)}` };
  }
}

/** The tags without timestamps and base-60 numbers, which upstream's YAML does not know in plain scalars. */
function withoutTimes(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag === 'string' || (!tag.tag.endsWith(':timestamp') && tag.format !== 'TIME'));
}

/** The keys that occur twice in a mapping; those of outer mappings come first. */
function duplicateKeys(node: unknown, path: string, lineOf: (offset: number) => number): ConfigurationError[] {
  const { isMap, isPair, isScalar, isSeq } = latePackage('yaml');
  if (isPair(node)) {
    if (isScalar(node.key)) return duplicateKeys(node.value, fieldOf(path, node.key), lineOf);
    return [node.key, node.value].flatMap((part) => duplicateKeys(part, path, lineOf));
  }
  if (isSeq(node)) return node.items.flatMap((item, i) => duplicateKeys(item, `${path}[${i}]`, lineOf));
  if (!isMap(node)) return [];
  const seen = new Set<unknown>();
  const own = node.items.flatMap(({ key }) => {
    if (!isScalar(key)) return [];
    const isRepeated = seen.has(key.value) && key.value !== '<<';
    seen.add(key.value);
    if (!isRepeated) return [];
    const message = `yaml: line ${lineOf(key.range?.[0] ?? 0)}: key ${JSON.stringify(key.value)} already set in map`;
    return [{ field: fieldOf(path, key), message }];
  });
  return [...own, ...node.items.flatMap((item) => duplicateKeys(item, path, lineOf))];
}

function fieldOf(path: string, { value }: Scalar): string {
  return path === '' ? String(value) : `${path}.${String(value)}`;
}
