/**
 * Puts the files of the package `kube-berth-cli` into `packages/cli`, from where `npm pack` takes them. The build has
 * both packages in one folder; here the command's files import the library's by the name of its package, so that both
 * packages share every module, and objects of one fit the other.
 */
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PACKAGE = `${ROOT}packages/cli/`;

/** The address of a file of the library in an import, with its quotes; templates are what the minifier writes. */
const LIBRARY_FILE = /(["'`])\.\.\/lib\/([\w./-]+)\.js\1/g;
/** The files of entries, which have public names. */
const ENTRIES = new Map([
  ['index', 'kube-berth'],
  ['cluster', 'kube-berth/cluster'],
]);

export function makeCliPackage(): void {
  for (const folder of ['dist', 'build']) rmSync(PACKAGE + folder, { recursive: true, force: true });
  for (const folder of ['dist/cli', 'build/report']) mkdirSync(PACKAGE + folder, { recursive: true });
  for (const name of readdirSync(`${ROOT}dist/cli`)) {
    const text = readFileSync(`${ROOT}dist/cli/${name}`, 'utf8');
    writeFileSync(`${PACKAGE}dist/cli/${name}`, withPackageNames(text), { mode: name === 'main.js' ? 0o755 : 0o644 });
  }
  cpSync(`${ROOT}dist/data`, `${PACKAGE}dist/data`, { recursive: true });
  for (const name of ['page.js', 'page.css']) {
    copyFileSync(`${ROOT}build/report/${name}`, `${PACKAGE}build/report/${name}`);
  }
  copyFileSync(`${ROOT}LICENSE`, `${PACKAGE}LICENSE`);
}

function withPackageNames(text: string): string {
  return text.replace(LIBRARY_FILE, (_, quote: string, file: string) => {
    return quote + (ENTRIES.get(file) ?? `kube-berth/internal/${file}.js`) + quote;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.chdir(ROOT);
  await import('./build-if-needed.ts');
  makeCliPackage();
}
