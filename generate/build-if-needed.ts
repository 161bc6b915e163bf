/**
 * Builds the package unless what is built is newer than everything that it is built from. npm runs this after an
 * installation, before it packs, and before the first `npx berth` in a clone, where a build would take a minute.
 */
import { execSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = [
  ...['src', 'assembly', 'data', 'package.json', 'package-lock.json'],
  ...['asconfig.json', 'tsconfig.json', 'tsconfig.build.json', 'rolldown.config.ts'],
];
/** The last files of each part of the build. */
const BUILT = ['build/kernels.simd.wasm', 'build/guarded/kernels.simd.wasm', 'dist/cli/main.js', 'dist/lib/cel.d.ts'];

/** When a file, or the newest one of a folder, was changed. */
function changedMillis(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedMillis(join(path, name))));
}

function builtMillis(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (Math.max(...SOURCES.map(changedMillis)) > Math.min(...BUILT.map(builtMillis))) {
  execSync('npm run build', { stdio: 'inherit' });
}
