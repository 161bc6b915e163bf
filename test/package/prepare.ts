import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { makeCliPackage } from '../../generate/cli-package.ts';
import { CLI_TARBALL, PLACE, ROOT, TARBALL } from './place.ts';

const LOCK = 'package-lock.json';
const PROJECT = `${ROOT}test/package/project/`;

/** Installs the tools, packs both packages, and installs what was packed. */
export default function prepare(): void {
  installTools();
  for (const name of readdirSync(PLACE)) if (name.endsWith('.tgz')) rmSync(PLACE + name);
  makeCliPackage();
  npm(['pack', '.', './packages/cli', '--ignore-scripts', '--pack-destination', PLACE], ROOT);
  for (const name of readdirSync(PLACE)) {
    if (name.endsWith('.tgz')) renameSync(PLACE + name, name.startsWith('kube-berth-cli-') ? CLI_TARBALL : TARBALL);
  }
  for (const name of ['kube-berth', 'kube-berth-cli'])
    rmSync(`${PLACE}node_modules/${name}`, { recursive: true, force: true });
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--prefer-offline'];
  npm(['install', ...flags, TARBALL, CLI_TARBALL], PLACE);
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
