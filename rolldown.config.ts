import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { decode, encode, type SourceMapMappings, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import { defineConfig, type OutputBundle, type Plugin } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import { dts } from 'rolldown-plugin-dts';

/**
 * What is published: few files, because a program that imports Berth would read hundreds of them otherwise. All of them
 * lie two folders below the root, as their sources do, so that relative addresses of kernels and threads hold in both.
 */
const LIBRARY = {
  index: 'src/index.ts',
  cluster: 'src/index-cluster.ts',
  plugins: 'src/index-plugins.ts',
  testing: 'src/index-testing.ts',
  browser: 'src/index-browser.ts',
  apiserver: 'src/index-apiserver.ts',
  cel: 'src/index-cel.ts',
};
const PROGRAMS = {
  'cli/main': 'src/cli/main.ts',
  'lib/worker': 'src/pool/worker.ts',
  'cli/simulation-worker': 'src/sweep/simulation-worker.ts',
};
/** Entries of which the package has source maps: maps of all code would be a tenth of it. */
const MAPPED = ['index', 'plugins', 'testing', 'browser', 'cel'].map((name) => `lib/${name}.js`);
const PACKAGES = /^(?:node:)?[a-z@]/;
/** The declarations need this of TypeScript's libraries, which a project may not have named. */
const LIBRARIES = '/// <reference lib="esnext.disposable" />';
/** tsc writes declarations here. */
const DECLARATIONS = 'build/declarations';

rmSync('dist', { recursive: true, force: true });

const library = Object.entries(LIBRARY);

export default defineConfig([
  {
    input: { ...Object.fromEntries(library.map(([name, path]) => [`lib/${name}`, path])), ...PROGRAMS },
    platform: 'neutral',
    optimization: { inlineConst: { mode: 'all', pass: 3 } },
    transform: { target: 'es2023' },
    external: PACKAGES,
    plugins: [sourceLines(), packedData()],
    output: {
      dir: 'dist',
      format: 'esm',
      chunkFileNames: 'lib/[name].js',
      comments: false,
      sourcemap: true,
      sourcemapExcludeSources: true,
      // Names of functions and classes are in profiles and stack traces, and a statement has its own line.
      minify: {
        compress: { sequences: false },
        mangle: { toplevel: true, keepNames: { function: true, class: true } },
        codegen: { removeWhitespace: true },
      },
    },
  },
  {
    input: { page: 'src/report/browser/main.ts' },
    platform: 'browser',
    transform: { target: 'es2022' },
    plugins: [pageFiles()],
    output: { dir: 'build/report', format: 'iife', comments: false, minify: true },
  },
  {
    input: Object.fromEntries(library.map(([name, path]) => [name, declarationOf(path)])),
    external: PACKAGES,
    plugins: [declarationFiles(), dts({ dtsInput: true }), tidyDeclarations()],
    output: {
      dir: 'dist/lib',
      format: 'esm',
      chunkFileNames: 'types/[name].js',
      minifyInternalExports: false,
      banner: LIBRARIES,
    },
  },
]);

function declarationOf(path: string): string {
  return path.replace(/^src\//, `${DECLARATIONS}/`).replace(/\.ts$/, '.d.ts');
}

/**
 * Declarations name the sources that they were made of. An entry that has all types of another one says so, instead of
 * listing them.
 */
function declarationFiles(): Plugin {
  const entries = new Map(library.map(([name, path]) => [resolve(declarationOf(path)), `./${name}.js`]));
  return {
    name: 'declaration-files',
    resolveId(specifier, importer) {
      if (importer === undefined || !specifier.startsWith('.')) return undefined;
      const id = join(importer, '..', specifier.replace(/\.ts$/, '.d.ts'));
      const entry = entries.get(id);
      return entry === undefined ? id : { id: entry, external: true };
    },
  };
}

/**
 * Leaves out the comments that name the file of each declaration, and puts back what an entry says of itself, and that
 * only the types of another one are passed on.
 */
function tidyDeclarations(): Plugin {
  return {
    name: 'tidy-declarations',
    renderChunk(code, { facadeModuleId }) {
      const text = code.replace(/^\/\/(?:#(?:end)?region)? ?(?:build\/declarations\/.*)?\n/gm, '');
      const source = facadeModuleId == null ? '' : readFileSync(facadeModuleId, 'utf8');
      const comment = /^\/\*\*[\s\S]*?@module [\s\S]*?\*\/\n/.exec(source)?.[0] ?? '';
      const isTypes = source.includes('export type * from');
      return comment + (isTypes ? text.replace('export * from', 'export type * from') : text);
    },
  };
}

/**
 * The program of reports, with the license of the library that draws plots, of which each report is a copy; and their
 * style sheet, after that of the plots, whose legends reports leave out.
 */
function pageFiles(): Plugin {
  return {
    name: 'page-files',
    writeBundle({ dir = '' }) {
      const license = readFileSync('node_modules/uplot/LICENSE', 'utf8').trim();
      const program = readFileSync(join(dir, 'page.js'), 'utf8');
      writeFileSync(join(dir, 'page.js'), `/*! uPlot: ${license} */\n${program}`);
      const plots = readFileSync('node_modules/uplot/dist/uPlot.min.css', 'utf8');
      const style = plots.replace(/[^{}]*\.u-(?:legend|inline|series|title)[^{}]*\{[^{}]*\}/g, '');
      const own = readFileSync('src/report/browser/page.css', 'utf8').replace(/\s*\n\s*/g, ' ');
      writeFileSync(join(dir, 'page.css'), style.trim() + own.replace(/ ?([{};,]) ?/g, '$1'));
    },
  };
}

/** The facts that are read when they are needed, without the white space by which people read them. */
function packedData(): Plugin {
  return {
    name: 'packed-data',
    writeBundle({ dir = '' }) {
      mkdirSync(join(dir, 'data'), { recursive: true });
      for (const name of readdirSync('data')) {
        const facts = JSON.stringify(JSON.parse(readFileSync(join('data', name), 'utf8')));
        writeFileSync(join(dir, 'data', `${name}.br`), brotliCompressSync(facts));
      }
    },
  };
}

/** The code without white space, but with lines: stack traces, profiles and debuggers have those of the sources. */
function sourceLines(): Plugin {
  return {
    name: 'source-lines',
    writeBundle({ dir = '' }, bundle) {
      const mapped = reachable(bundle, MAPPED);
      for (const { type, fileName, map } of Object.values(bundle).map((file) => ({ map: null, ...file }))) {
        if (type !== 'chunk' || map === null) continue;
        const path = join(dir, fileName);
        const text = readFileSync(path, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n');
        const isMapped = mapped.has(fileName);
        const { code, lines } = brokenIntoLines(text, decode(map.mappings), isMapped ? EVERYWHERE : DECLARATION);
        const link = isMapped ? `//# sourceMappingURL=${basename(path)}.map\n` : '';
        writeFileSync(path, code + link);
        if (link === '') rmSync(`${path}.map`);
        else writeFileSync(`${path}.map`, JSON.stringify({ ...map, names: [], mappings: encode(lines) }));
      }
    },
  };
}

/** The chunks that are loaded with these. */
function reachable(bundle: OutputBundle, names: readonly string[]): Set<string> {
  const found = new Set(names);
  for (const name of found) {
    const chunk = bundle[name];
    if (chunk?.type === 'chunk') for (const imported of chunk.imports) found.add(imported);
  }
  return found;
}

/** A source map needs all lines; code without one gets a line for each function and constant. */
const EVERYWHERE = /(?:)/y;
const DECLARATION = /(?:async )?function |(?:class|const|var) /y;

/** Where a line may end: no statement goes on behind these as if it had not. */
const ENDS = new Set([';', '{', '}']);

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
      const isEnd = ENDS.has(line[column - 1] as string) && beginning.test(line);
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
    // Its start is that of the text or that of the bracket before it, as parsers go.
    if (type === 'TemplateElement' && start !== undefined) starts.add(start).add(start + 1);
    for (const part of Object.values(node)) waiting.push(part);
  }
  return starts;
}
