import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { INSTALLED, PLACE, ROOT, runNode, TARBALL, tool } from './place.ts';

/**
 * The aim is 600,000, which held (562,138) until the API server, the workload controllers and CEL came. ARCHITECTURE.md
 * lists what there is, and what could go.
 */
const LARGEST_BYTES = 950_000;

describe('the tarball', () => {
  it(`has at most ${LARGEST_BYTES} bytes`, () => {
    expect(statSync(TARBALL).size).toBeLessThanOrEqual(LARGEST_BYTES);
  });

  it('has what it needs and nothing else', () => {
    const paths = execFileSync('tar', ['tzf', TARBALL], { encoding: 'utf8' }).trim().split('\n');
    const folders = new Set(paths.map((path) => path.split('/')[1]));
    expect([...folders].sort()).toEqual(['LICENSE', 'README.md', 'build', 'dist', 'package.json']);
    const built = paths.filter((path) => path.startsWith('package/build/')).sort();
    const names = ['kernels.scalar.wasm', 'kernels.simd.wasm', 'report/page.css', 'report/page.js'];
    expect(built).toEqual(names.map((name) => `package/build/${name}`));
    expect(paths.filter((path) => /\.ts$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
  });

  it('attw finds no problem for those who import it', () => {
    const ended = runNode(
      [
        tool('@arethetypeswrong/cli/dist/index.js'),
        TARBALL,
        '--profile',
        'esm-only',
        '--exclude-entrypoints',
        './kernels.simd.wasm',
        './kernels.scalar.wasm',
        '--no-color',
      ],
      PLACE,
    );
    const problems = `${ended.output}${ended.errors}`.split('\n').filter((line) => /[💀❌⚠🥴🐛🎭]/u.test(line));
    expect(problems.filter((line) => !line.includes('ignored'))).toEqual([]);
    expect(ended.output).toContain('"kube-berth/browser"');
    expect(ended.status).toBe(0);
  });

  it('publint finds nothing', () => {
    const { output, status } = runNode([join(ROOT, 'node_modules/publint/src/cli.js'), TARBALL, '--strict'], ROOT);
    expect(output).toContain('All good!');
    expect(status).toBe(0);
  });
});

describe('what is installed', () => {
  const read = (path: string) => readFileSync(INSTALLED + path, 'utf8');

  it('links lead to the repository, where npm looks for relative ones', () => {
    const { repository, homepage } = JSON.parse(read('package.json'));
    const address = /^git\+(https:\/\/github\.com\/[\w-]+\/[\w-]+)\.git$/.exec(repository.url)?.[1];
    expect(homepage).toBe(`${address}#readme`);
    const links = [...read('README.md').matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)];
    expect(links.length).toBeGreaterThan(3);
    expect(links.map(([, target = '']) => target).filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
  });

  it('maps name lines of sources', () => {
    const map = JSON.parse(read('dist/lib/scheduler.js.map')) as { sources: string[]; mappings: string };
    expect(map.sources.length).toBeGreaterThan(0);
    expect(map.sources.every((source) => source.includes('src/'))).toBe(true);
    expect(map.mappings.split(';')).toHaveLength(read('dist/lib/scheduler.js').split('\n').length - 1);
  });

  it('a program without maps names functions, and has lines', () => {
    const program = `import { serve } from 'kube-berth/apiserver'; await serve({ port: 1e6 });`;
    const { errors } = runNode(['--input-type=module', '--eval', program], PLACE);
    expect(errors).toMatch(/at serve \(.*serve\.js:\d{3,}:\d+\)/);
    expect(errors).toContain('option port: 1000000 is not an integer from 0 to 65535');
    expect(Math.max(...errors.split('\n').map((line) => line.length))).toBeLessThan(500);
  });

  it('a stack trace has lines of the sources', () => {
    const program = `import { Scheduler } from 'kube-berth'; new Scheduler({ engine: 'none' });`;
    const { errors } = runNode(['--enable-source-maps', '--input-type=module', '--eval', program], PLACE);
    expect(errors).toMatch(/src\/core\/option-checks\.ts:\d+/);
  });

  it('the command runs', () => {
    const example = join(ROOT, 'examples/three-nodes.yaml');
    const { output } = runNode([`${INSTALLED}dist/cli/main.js`, 'schedule', '-f', example, '-o', 'json'], PLACE);
    expect(JSON.stringify(JSON.parse(output))).toContain('node-a');
  });
});
