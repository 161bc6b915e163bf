import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { decode, encode, type SourceMapMappings, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import type { OutputBundle, Plugin } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';

/** Where sources lie, from a file of the library. */
const SOURCE_ROOT = '../../src/';

/**
 * The code without white space, but with lines: stack traces, profiles and debuggers have those of the sources. What
 * `entries` load has source maps.
 */
export function sourceLines(entries: readonly string[]): Plugin {
  return {
    name: 'source-lines',
    writeBundle({ dir = '' }, bundle) {
      const mapped = reachable(bundle, entries);
      for (const { type, fileName, map } of Object.values(bundle).map((file) => ({ map: null, ...file }))) {
        if (type !== 'chunk' || map === null) continue;
        const path = join(dir, fileName);
        const text = readFileSync(path, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n');
        const isMapped = mapped.has(fileName);
        const { code, lines } = brokenIntoLines(text, decode(map.mappings), isMapped ? EVERYWHERE : DECLARATION);
        const link = isMapped ? `//# sourceMappingURL=${basename(path)}.map\n` : '';
        writeFileSync(path, inAscii(code) + link);
        if (link === '') rmSync(`${path}.map`);
        else writeFileSync(`${path}.map`, sourceMap(map.sources, encode(lines)));
      }
    },
  };
}

/** The names of sources without the beginning that all have: maps are a twentieth of the package. */
function sourceMap(paths: readonly string[], mappings: string): string {
  const sources = paths.map((path) => path.replace(SOURCE_ROOT, ''));
  return JSON.stringify({ version: 3, sourceRoot: SOURCE_ROOT, sources, mappings });
}

/** The chunks that are loaded with these, at once or later. */
function reachable(bundle: OutputBundle, names: readonly string[]): Set<string> {
  const found = new Set(names);
  for (const name of found) {
    const chunk = bundle[name];
    if (chunk?.type === 'chunk')
      for (const imported of [...chunk.imports, ...chunk.dynamicImports]) found.add(imported);
  }
  return found;
}

/**
 * What is not ASCII is written as escapes: engines keep a text with any other character in two bytes each, and are
 * slower to read it. Regular expressions and tagged templates keep theirs, since programs can see how they are written.
 */
function inAscii(code: string): string {
  const kept = literalRanges(parseAst(code));
  return code.replace(/[^\0-\x7f]/g, (unit, at: number) => {
    if (kept.some(([start, end]) => start <= at && at < end)) return unit;
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Where regular expressions and tagged templates stand. */
function literalRanges(tree: unknown): (readonly [start: number, end: number])[] {
  const ranges: (readonly [start: number, end: number])[] = [];
  const waiting = [tree];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== 'object' || node === null) continue;
    const { type, start, end, regex } = node as { type?: string; start?: number; end?: number; regex?: object };
    if (start !== undefined && end !== undefined && (regex || type === 'TaggedTemplateExpression')) {
      ranges.push([start, end]);
    }
    for (const part of Object.values(node)) waiting.push(part);
  }
  return ranges;
}

/** A source map needs all lines but those that only end others; code without one, those of functions and constants. */
const EVERYWHERE = /(?!\})/y;
const DECLARATION = /(?:async )?function |(?:class|const|var) /y;

/** Where a line may end: no statement goes on behind these as if it had not. Objects begin with a brace, too. */
const END = /(?:[;}]|(?<![(,=?[&|$])\{)$/;

/**
 * Begins a new line where the code comes to another line of its sources and has such a beginning there, and maps by
 * line: maps by token would be larger than the code.
 */
function brokenIntoLines(
  text: string,
  mappings: SourceMapMappings,
  beginning: RegExp,
): { code: string; lines: SourceMapMappings } {
  const lines: SourceMapMappings = [];
  const code: string[] = [];
  const quoted = templateTexts(parseAst(text));
  let offset = 0;
  text.split('\n').forEach((line, i) => {
    let start = 0;
    let current: SourceMapSegment | undefined;
    const end = (column: number): void => {
      code.push(line.slice(start, column));
      lines.push(current === undefined ? [] : [[0, current[1] as number, current[2] as number, 0]]);
      start = column;
    };
    for (const segment of mappings[i] ?? []) {
      const [column, source, sourceLine] = segment;
      if (source === undefined || (source === current?.[1] && sourceLine === current[2])) continue;
      beginning.lastIndex = column;
      const isEnd = END.test(line.slice(Math.max(0, column - 2), column)) && beginning.test(line);
      if (column > start && isEnd && !quoted.has(offset + column)) {
        end(column);
        current = segment;
      } else current ??= segment;
    }
    end(line.length);
    offset += line.length + 1;
  });
  return { code: code.join('\n'), lines };
}

/** Where the texts of templates begin: a new line before one would be part of it. */
function templateTexts(tree: unknown): Set<number> {
  const starts = new Set<number>();
  const waiting = [tree];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== 'object' || node === null) continue;
    const { type, start } = node as { type?: string; start?: number };
    // The start of an element is that of the text or that of the bracket before it, as parsers go.
    if (type === 'TemplateElement' && start !== undefined) starts.add(start).add(start + 1);
    for (const part of Object.values(node)) waiting.push(part);
  }
  return starts;
}
