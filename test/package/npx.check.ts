import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT, run, TARBALL } from './place.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-npx-'));
afterAll(() => rmSync(folder, { recursive: true }));
cpSync(`${ROOT}examples`, join(folder, 'examples'), { recursive: true });

/** npm's own cache is used, since a fresh one would fetch every dependency. */
const npx = (...argv: string[]) => run('npx', argv, folder);
const SCHEDULE = ['schedule', '-q', '-f', 'examples/three-nodes.yaml', '-o', 'name'];

describe('npx with the packed package', () => {
  it('runs the command in a folder that has nothing', () => {
    const { status, output, errors } = npx('--yes', '--prefer-offline', `file:${TARBALL}`, ...SCHEDULE);
    // Exit code 2: one of the pods does not fit.
    expect({ status, output }, errors).toEqual({ status: 2, output: 'pod/web\npod/big\n' });
  });

  it('has one command, berth, which an installation puts in place', () => {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const argv = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', TARBALL];
    execFileSync('npm', argv, { cwd: folder, stdio: 'pipe' });
    const { name, bin } = JSON.parse(readFileSync(join(folder, 'node_modules/kube-berth/package.json'), 'utf8'));
    expect({ name, commands: Object.keys(bin) }).toEqual({ name: 'kube-berth', commands: ['berth'] });
    expect(npx('--no', 'berth', ...SCHEDULE)).toMatchObject({ status: 2, output: 'pod/web\npod/big\n' });
    expect(npx('--no', 'berth', 'version').output).toMatch(/^berth \d+\.\d+\.\d+\S*, decides as kube-scheduler v1\.36/);
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
