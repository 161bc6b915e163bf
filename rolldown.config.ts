import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { libraryChunks } from './generate/library-chunks.ts';
import { packageFolders } from './generate/package-folders.ts';
import { withReExports } from './generate/re-exports.ts';
import { sourceLines } from './generate/source-lines.ts';
import { COMPRESSED_AS_ONE } from './src/kinds/data-file.ts';

/**
 * What is published: few files, because a program that imports Berth would read hundreds of them otherwise. All of them
 * lie two folders below the root, as their sources do, so that relative addresses of kernels and threads hold in both.
 * `lib` is the package `kube-berth`, `cli` the package `kube-berth-cli`, which imports the files of the library.
 */
const LIBRARY = {
  'lib/index': 'src/index.ts',
  'lib/cluster': 'src/index-cluster.ts',
  'lib/plugins': 'src/index-plugins.ts',
  'lib/testing': 'src/index-testing.ts',
  'lib/browser': 'src/index-browser.ts',
  'lib/cel': 'src/index-cel.ts',
};
const API_SERVER = { 'cli/apiserver': 'src/index-apiserver.ts' };
const LIBRARY_PROGRAMS = { 'lib/worker': 'src/pool/worker.ts', 'lib/launcher': 'src/cli/launcher.ts' };
const COMMAND_PROGRAMS = { 'cli/main': 'src/cli/main.ts', 'cli/simulation-worker': 'src/sweep/simulation-worker.ts' };
/**
 * What programs load of the library, from what needs least to what needs most, and threads before all; then what only
 * some commands load. Small files of their own would make the package larger.
 */
const LIBRARY_CHUNKS = {
  start: 'src/pool/worker.ts',
  expressions: 'src/index-cel.ts',
  framework: 'src/index-plugins.ts',
  scheduler: 'src/index.ts',
  manifests: 'src/manifests/read.ts',
  expansion: 'src/expansion/expand-workloads.ts',
  'control-plane': 'src/cluster/pod-group-scheduler.ts',
};
/** These are in such a chunk, too, since files of their own would take more room. */
const SMALL = {
  start: within('lib', ['line-splitter', 'percentile']),
  manifests: within('manifests', ['read']),
  expansion: within('recording', ['recording-lines', 'read-lines', 'resource-of-object']),
  'control-plane': [
    ...within('manifests', ['decode']),
    ...within('simulation', ['input/settings-file', 'input/csv-table', 'input/openb', 'workload/submitted-object']),
    ...within('simulation/faults', ['faulty-client', 'fault-kinds']),
    ...within('store/objects', ['find-object']),
  ],
};
/** The library has source maps, since stack traces of embedders lead through it; nobody steps through the command. */
const MAPPED = Object.keys({ ...LIBRARY, ...LIBRARY_PROGRAMS }).map((name) => `${name}.js`);
/** What shells start. */
const EXECUTABLES = ['lib/launcher.js', 'cli/main.js'];
const PACKAGES = /^(?:node:)?[a-z@]/;
/** Declarations with `Symbol.dispose` need this of TypeScript's libraries, which a project may not have named. */
const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';
/** Lists, tags, tables, code and diagrams, whose lines are no paragraphs. */
const FORMATTED = /\* (?: |[-@|]|\d+\.)|```/;
/** tsc writes declarations here. */
const DECLARATIONS = 'build/declarations';

rmSync('dist', { recursive: true, force: true });

const documented = Object.entries({ ...LIBRARY, ...API_SERVER });
const folders = packageFolders(Object.values({ ...LIBRARY, ...LIBRARY_PROGRAMS }));
const chunks = libraryChunks(LIBRARY_CHUNKS, COMMAND_PROGRAMS['cli/main'], SMALL, folders.isLibrary);

export default defineConfig([
  {
    input: { ...LIBRARY, ...API_SERVER, ...LIBRARY_PROGRAMS, ...COMMAND_PROGRAMS },
    platform: 'neutral',
    optimization: { inlineConst: { mode: 'all', pass: 3 } },
    transform: { target: 'es2023' },
    external: PACKAGES,
    plugins: [folders, chunks, withoutEmptyChunks(), sourceLines(MAPPED), executables(), packedData()],
    output: {
      dir: 'dist',
      format: 'esm',
      chunkFileNames: folders.fileName,
      codeSplitting: { groups: chunks.groups },
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
    input: Object.fromEntries(documented.map(([name, path]) => [name, declarationOf(path)])),
    external: PACKAGES,
    plugins: [declarationFiles(), dts({ dtsInput: true }), tidyDeclarations()],
    output: {
      dir: 'dist',
      format: 'esm',
      chunkFileNames: 'lib/types/[name].js',
      minifyInternalExports: false,
    },
  },
]);

function within(folder: string, names: readonly string[]): string[] {
  return names.map((name) => `src/${folder}/${name}.ts`);
}

function declarationOf(path: string): string {
  return path.replace(/^src\//, `${DECLARATIONS}/`).replace(/\.ts$/, '.d.ts');
}

/**
 * Declarations name the sources that they were made of. An entry that has all types of another one says so, instead of
 * listing them.
 */
function declarationFiles(): Plugin {
  const entries = new Map(documented.map(([name, path]) => [resolve(declarationOf(path)), name]));
  return {
    name: 'declaration-files',
    resolveId(specifier, importer) {
      if (importer === undefined || !specifier.startsWith('.')) return undefined;
      const id = join(importer, '..', specifier.replace(/\.ts$/, '.d.ts'));
      const entry = entries.get(id);
      if (entry === undefined) return id;
      const path = relative(dirname(entries.get(resolve(importer)) ?? entry), entry);
      return { id: `${path.startsWith('.') ? '' : './'}${path}.js`, external: true };
    },
  };
}

/**
 * Leaves out the comments that name the file of each declaration, puts the paragraphs of comments into one line each,
 * lists each name once that is only passed on, names the libraries that declarations need, and puts back what an entry
 * says of itself, and that only the types of another one are passed on.
 */
function tidyDeclarations(): Plugin {
  return {
    name: 'tidy-declarations',
    renderChunk(code, { facadeModuleId }) {
      const text = code
        .replace(/^\/\/(?:#(?:end)?region)? ?(?:build\/declarations\/.*)?\n/gm, '')
        .replace(/\/\*\*\n\s*\* ([\s\S]*?)\n\s*\*\//g, '/** $1 */')
        .replace(/\/\*\*[\s\S]*?\*\//g, (comment) =>
          FORMATTED.test(comment) ? comment : comment.replace(/(?<=[^\s*])\n\s*\* (?=\S)/g, ' '),
        );
      const source = facadeModuleId == null ? '' : readFileSync(facadeModuleId, 'utf8');
      const comment = /^\/\*\*[\s\S]*?@module [\s\S]*?\*\/\n/.exec(source)?.[0] ?? '';
      const libraries = /\bSymbol\.(?:asyncD|d)ispose\b/.test(text) ? DISPOSABLE : '';
      const isTypes = source.includes('export type * from');
      const names = withReExports(text);
      return comment + libraries + (isTypes ? names.replace('export * from', 'export type * from') : names);
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

/** Leaves out chunks in which nothing is left, which programs would find and load for nothing. */
function withoutEmptyChunks(): Plugin {
  return {
    name: 'without-empty-chunks',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const empty = chunks.filter(({ code }) => /^\s*(?:\/\/.*\s*)?$/.test(code)).map(({ fileName }) => fileName);
      for (const fileName of empty) {
        delete bundle[fileName];
        const use = `import"./${fileName.replace(/.*\//, '')}";`;
        for (const chunk of chunks) chunk.code = chunk.code.replace(use, '');
      }
    },
  };
}

function executables(): Plugin {
  return {
    name: 'executables',
    writeBundle({ dir = '' }) {
      for (const file of EXECUTABLES) chmodSync(join(dir, file), 0o755);
    },
  };
}

/** The facts that are read when they are needed, without the white space by which people read them. */
function packedData(): Plugin {
  return {
    name: 'packed-data',
    writeBundle({ dir = '' }) {
      mkdirSync(join(dir, 'data'), { recursive: true });
      const alone = readdirSync('data').filter((name) => !COMPRESSED_AS_ONE.includes(name));
      for (const names of [COMPRESSED_AS_ONE, ...alone.map((name) => [name])]) {
        const facts = names.map((name) => JSON.stringify(JSON.parse(readFileSync(join('data', name), 'utf8'))));
        writeFileSync(join(dir, 'data', `${names[0]}.br`), brotliCompressSync(facts.join('\n')));
      }
    },
  };
}
