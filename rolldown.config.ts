import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { defineConfig, type Plugin } from 'rolldown';
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
    transform: { target: 'es2023' },
    external: PACKAGES,
    plugins: [lineMaps()],
    output: {
      dir: 'dist',
      format: 'esm',
      chunkFileNames: 'lib/[name].js',
      comments: false,
      sourcemap: true,
      sourcemapExcludeSources: true,
      // Names of functions and classes are in profiles and stack traces.
      minify: {
        compress: true,
        mangle: { toplevel: false, keepNames: { function: true, class: true } },
        codegen: { removeWhitespace: false },
      },
    },
  },
  {
    input: Object.fromEntries(library.map(([name, path]) => [name, declarationOf(path)])),
    external: PACKAGES,
    plugins: [declarationFiles(), dts({ dtsInput: true })],
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

/** Declarations name the sources that they were made of. */
function declarationFiles(): Plugin {
  return {
    name: 'declaration-files',
    resolveId(specifier, importer) {
      if (importer === undefined || !specifier.startsWith('.')) return undefined;
      return join(importer, '..', specifier.replace(/\.ts$/, '.d.ts'));
    },
  };
}

/**
 * Source maps by line. Maps by token would be larger than the code, and a line of the code comes from one line of the
 * source.
 */
function lineMaps(): Plugin {
  return {
    name: 'line-maps',
    writeBundle({ dir = '' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!name.endsWith('.map')) continue;
        const map = JSON.parse(readFileSync(join(dir, name), 'utf8')) as { mappings: string; names: string[] };
        const lines = decode(map.mappings).map((segments) => {
          const first = segments.find((segment) => segment.length > 1);
          return first === undefined ? [] : [[0, first[1], first[2], 0] as [number, number, number, number]];
        });
        writeFileSync(join(dir, name), JSON.stringify({ ...map, names: [], mappings: encode(lines) }));
      }
    },
  };
}
