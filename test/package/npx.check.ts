import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CLI_TARBALL, ROOT, run, TARBALL } from './place.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-npx-'));
afterAll(() => rmSync(folder, { recursive: true }));
cpSync(`${ROOT}examples`, join(folder, 'examples'), { recursive: true });

/** npm's own cache is used, since a fresh one would fetch every dependency. */
const npx = (...argv: string[]) => run('npx', argv, folder);
const SCHEDULE = ['schedule', '-q', '-f', 'examples/three-nodes.yaml', '-o', 'name'];

const install = (...tarballs: string[]) => {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  const argv = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock'];
  return run('npm', [...argv, '--logs-dir', LOGS, ...tarballs], folder);
};
const LOGS = join(folder, 'logs');
/** What npm wrote into its logs: now and then it ends before it has printed why it fails. */
const logged = () => readdirSync(LOGS).map((name) => readFileSync(join(LOGS, name), 'utf8'));
const INSTALLED = { status: 0, errors: '' };

describe('npx with the packed packages', () => {
  it('runs the command in a folder that has nothing', () => {
    const packages = ['-p', `file:${TARBALL}`, '-p', `file:${CLI_TARBALL}`];
    const { status, output, errors } = npx('--yes', '--prefer-offline', ...packages, 'berth', ...SCHEDULE);
    // Exit code 2: one of the pods does not fit.
    expect({ status, output }, errors).toEqual({ status: 2, output: 'pod/web\npod/big\n' });
  });

  it('with the library alone, says where the command is', () => {
    expect(install(TARBALL)).toMatchObject(INSTALLED);
    expect(readdirSync(join(folder, 'node_modules'))).not.toContain('commander');
    const { status, output, errors } = run(join(folder, 'node_modules/.bin/berth'), SCHEDULE, folder);
    const remedy = 'npm install kube-berth-cli';
    expect({ status, output, errors }).toEqual({
      status: 1,
      output: '',
      errors: `berth: this command is in the package kube-berth-cli, which is not installed: ${remedy}\n`,
    });
  });

  it('has one command, berth, which an installation of both puts in place', () => {
    expect(install(TARBALL, CLI_TARBALL)).toMatchObject(INSTALLED);
    const commands = readdirSync(join(folder, 'node_modules/.bin')).filter((name) => name.includes('berth'));
    expect(commands).toEqual(['berth']);
    expect(npx('--no', 'berth', ...SCHEDULE)).toMatchObject({ status: 2, output: 'pod/web\npod/big\n' });
    expect(npx('--no', 'berth', 'version').output).toMatch(/^berth \d+\.\d+\.\d+\S*, decides as kube-scheduler v1\.36/);
  });

  it('npm refuses packages of different versions', () => {
    const other = join(folder, 'other');
    cpSync(join(folder, 'node_modules/kube-berth-cli'), other, { recursive: true });
    const path = join(other, 'package.json');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), version: '99.0.0' }));
    rmSync(LOGS, { recursive: true, force: true });
    const { status, errors } = install(TARBALL, `file:${other}`);
    expect({ status, answers: [errors, ...logged()].join('\n') }).toEqual({
      status: 1,
      answers: expect.stringContaining('ERESOLVE'),
    });
  });
});

it('npx berth in a clone does not build again what is built', () => {
  const builtMillis = () => statSync(`${ROOT}dist/cli/main.js`).mtimeMs;
  // The first call may find sources that were changed.
  for (const isBuilt of [false, true]) {
    const before = builtMillis();
    const { status, output } = run('npx', ['--no', 'berth', ...SCHEDULE], ROOT);
    expect({ status, output: output.split('\n').slice(-3) }).toEqual({ status: 2, output: ['pod/web', 'pod/big', ''] });
    if (isBuilt) expect(builtMillis()).toBe(before);
  }
});
