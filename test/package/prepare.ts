import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { PLACE, ROOT, TARBALL } from './place.ts';

const LOCK = 'package-lock.json';
const PROJECT = `${ROOT}test/package/project/`;

/** Installs the tools, packs the package, and installs what was packed. */
export default function prepare(): void {
  installTools();
  for (const name of readdirSync(PLACE)) if (name.endsWith('.tgz')) rmSync(PLACE + name);
  npm(['pack', '--ignore-scripts', '--pack-destination', PLACE], ROOT);
  const [packed] = readdirSync(PLACE).filter((name) => name.endsWith('.tgz'));
  renameSync(PLACE + packed, TARBALL);
  rmSync(`${PLACE}node_modules/kube-berth`, { recursive: true, force: true });
  npm(['install', '--no-save', '--no-package-lock', '--ignore-scripts', '--prefer-offline', TARBALL], PLACE);
}

/** Bun's and Deno's binaries come as packages of their own, so no script has to run. */
export function installTools(): void {
  mkdirSync(PLACE, { recursive: true });
  const isInstalled = existsSync(PLACE + LOCK) && existsSync(`${PLACE}node_modules/.package-lock.json`);
  if (isInstalled && readFileSync(PLACE + LOCK, 'utf8') === readFileSync(PROJECT + LOCK, 'utf8')) return;
  for (const name of ['package.json', LOCK]) copyFileSync(PROJECT + name, PLACE + name);
  npm(['ci', '--ignore-scripts'], PLACE);
}

function npm(argv: readonly string[], cwd: string): void {
  execFileSync('npm', [...argv, '--no-audit', '--no-fund', '--loglevel', 'error'], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
