import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { CLI_TARBALL, newProject, run, runNode, TARBALL, tool } from './place.ts';

const PROGRAM = 'served.ts';
const KNOWN_TO_BOTH = { status: 0, output: 'true true\nmade-by-the-library\ntrue\n', errors: '' };

/** Both packages share their modules, so that the API server serves objects of the library, and the other way round. */
describe('the API server with objects of the library', () => {
  let folder = '';

  beforeAll(() => {
    const compilerOptions = {
      ...{ strict: true, module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom', 'esnext.disposable'] },
      types: ['node'],
    };
    folder = newProject('apiserver', [PROGRAM], { 'tsconfig.json': { compilerOptions, files: [PROGRAM] } });
    const { output } = runNode([tool('typescript/bin/tsc'), '-p', folder, '--pretty', 'false'], folder);
    if (output !== '') throw new Error(output);
  });

  it('Node', () => expect(runNode(['served.js'], folder)).toEqual(KNOWN_TO_BOTH));

  it('Bun', () => {
    expect(run(tool('@oven/bun-linux-x64/bin/bun'), ['run', PROGRAM], folder)).toEqual(KNOWN_TO_BOTH);
  });

  it('Deno', () => {
    const argv = ['run', '--allow-all', '--node-modules-dir=manual', '--no-check', PROGRAM];
    expect(run(tool('@deno/linux-x64-glibc/deno'), argv, folder)).toEqual(KNOWN_TO_BOTH);
  });

  it('an installation in which each package finds only what it depends on', () => {
    const strict = newProject('strict-layout', []);
    const flags = ['--install-strategy=linked', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    // `lmdb` is a peer of the command's package alone, which therefore must be the one that looks for it.
    execFileSync('npm', ['install', ...flags, TARBALL, CLI_TARBALL, 'lmdb'], { cwd: strict, stdio: 'pipe' });
    cpSync(`${folder}served.js`, `${strict}served.js`);
    expect(runNode(['served.js'], strict)).toEqual(KNOWN_TO_BOTH);
    writeFileSync(
      `${strict}kept.js`,
      `import { serve } from 'kube-berth-cli/apiserver'; await (await serve({ data: 'kept' })).close();`,
    );
    expect(runNode(['kept.js'], strict)).toEqual({ status: 0, output: '', errors: '' });
    expect(run(`${strict}node_modules/.bin/berth`, ['version'], strict)).toMatchObject({ status: 0, errors: '' });
  });
});
