/**
 * Builds what is older than something that it is built from. npm runs this after an installation, before it packs and
 * tests, and before `npx berth` in a clone, where a build takes a minute.
 */
import { execSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Part {
  /** The npm scripts that build it. */
  readonly scripts: readonly string[];
  readonly sources: readonly string[];
  /** The last files of each script. */
  readonly built: readonly string[];
}

const PARTS: readonly Part[] = [
  {
    scripts: ['build:kernels', 'build:guarded'],
    sources: ['assembly', 'asconfig.json', 'package-lock.json'],
    built: ['build/kernels.simd.wasm', 'build/guarded/kernels.simd.wasm'],
  },
  {
    scripts: ['build:ts'],
    sources: [
      ...['src', 'data', 'package.json', 'package-lock.json'],
      ...['tsconfig.json', 'tsconfig.build.json', 'rolldown.config.ts'],
      ...['generate/library-chunks.ts', 'generate/package-folders.ts', 'generate/source-lines.ts'],
    ],
    built: ['dist/cli/main.js', 'build/report/page.css', 'dist/lib/launcher.js', 'dist/lib/cel.d.ts'],
  },
];

/** When a file, or the newest one of a folder, was changed. */
function changedMillis(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedMillis(join(path, name))));
}

function builtMillis(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

for (const { scripts, sources, built } of PARTS) {
  if (Math.max(...sources.map(changedMillis)) <= Math.min(...built.map(builtMillis))) continue;
  for (const script of scripts) execSync(`npm run ${script}`, { stdio: 'inherit' });
}
