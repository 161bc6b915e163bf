import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI_TARBALL, INSTALLED, INSTALLED_CLI, PLACE, ROOT, runNode, TARBALL, tool } from './place.ts';

const PACKAGES = [
  {
    name: 'kube-berth',
    tarball: TARBALL,
    largestBytes: 600_000,
    built: ['kernels.scalar.wasm', 'kernels.simd.wasm'],
    code: /^package\/dist\/lib\//,
    entry: 'kube-berth/browser',
    noTypes: ['./kernels.simd.wasm', './kernels.scalar.wasm', './internal/*'],
  },
  {
    name: 'kube-berth-cli',
    tarball: CLI_TARBALL,
    largestBytes: 500_000,
    built: ['report/page.css', 'report/page.js'],
    code: /^package\/dist\/(?:cli|data)\//,
    entry: 'kube-berth-cli/apiserver',
    noTypes: ['./berth'],
  },
];

describe.each(PACKAGES)('the tarball of $name', ({ tarball, largestBytes, built, code, entry, noTypes }) => {
  it(`has at most ${largestBytes} bytes`, () => {
    expect(statSync(tarball).size).toBeLessThanOrEqual(largestBytes);
  });

  it('has what it needs and nothing else', () => {
    const paths = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
    const folders = new Set(paths.map((path) => path.split('/')[1]));
    expect([...folders].sort()).toEqual(['LICENSE', 'README.md', 'build', 'dist', 'package.json']);
    const inBuild = paths.filter((path) => path.startsWith('package/build/')).sort();
    expect(inBuild).toEqual(built.map((name) => `package/build/${name}`));
    expect(paths.filter((path) => path.startsWith('package/dist/') && !code.test(path))).toEqual([]);
    expect(paths.filter((path) => /\.ts$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
  });

  it('attw finds no problem for those who import it', () => {
    const attw = tool('@arethetypeswrong/cli/dist/index.js');
    const argv = [attw, tarball, '--profile', 'esm-only', '--no-color', '--exclude-entrypoints', ...noTypes];
    const ended = runNode(argv, PLACE);
    const problems = `${ended.output}${ended.errors}`.split('\n').filter((line) => /[💀❌⚠🥴🐛🎭]/u.test(line));
    expect(problems.filter((line) => !line.includes('ignored'))).toEqual([]);
    expect(ended.output).toContain(JSON.stringify(entry));
    expect(ended.status).toBe(0);
  });

  it('publint finds nothing', () => {
    const { output, status } = runNode([join(ROOT, 'node_modules/publint/src/cli.js'), tarball, '--strict'], ROOT);
    expect(output).toContain('All good!');
    expect(status).toBe(0);
  });
});

describe('both packages', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
  const library = read(`${INSTALLED}package.json`);
  const cli = read(`${INSTALLED_CLI}package.json`);

  it('have one version, and need each other in it', () => {
    const { name, version, engines, license, bugs } = library;
    expect(cli).toMatchObject({ version, engines, license, bugs, dependencies: { [name]: version } });
    expect(library.peerDependencies).toEqual({ [cli.name]: version });
    expect(library.peerDependenciesMeta).toEqual({ [cli.name]: { optional: true } });
  });

  it('depend on the packages with which they were tested', () => {
    const { [library.name]: _, ...others } = cli.dependencies;
    expect({ ...library.dependencies, ...library.devDependencies }).toMatchObject({
      ...others,
      ...cli.peerDependencies,
    });
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
    const names = readdirSync(`${INSTALLED}dist/lib`).filter((name) => name.endsWith('.js.map'));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const map = JSON.parse(read(`dist/lib/${name}`)) as { sourceRoot: string; sources: string[]; mappings: string };
      const paths = map.sources.map((source) => join(ROOT, 'dist/lib', map.sourceRoot + source));
      expect(paths.filter((path) => !existsSync(path))).toEqual([]);
      const code = read(`dist/lib/${name.replace(/\.map$/, '')}`);
      expect(map.mappings.split(';')).toHaveLength(code.split('\n').length - 1);
    }
  });

  it('all code of the library has a map, and none of the command', () => {
    const names = readdirSync(`${INSTALLED}dist/lib`);
    // A file that passes on names of others has no line to map.
    const hasCode = (name: string) => !/^(?:(?:import|export)\b[^;]*;\s*)*$/.test(read(`dist/lib/${name}`));
    const code = names.filter((name) => name.endsWith('.js') && hasCode(name));
    expect(code.length).toBeGreaterThan(10);
    expect(code.filter((name) => !names.includes(`${name}.map`))).toEqual([]);
    expect(readdirSync(`${INSTALLED_CLI}dist/cli`).filter((name) => name.endsWith('.map'))).toEqual([]);
  });

  it('a program without maps names functions, and has lines', () => {
    const program = `import { serve } from 'kube-berth-cli/apiserver'; await serve({ port: 1e6 });`;
    const { errors } = runNode(['--input-type=module', '--eval', program], PLACE);
    expect(errors).toMatch(/at serve \(.*serve\.js:\d{3,}:\d+\)/);
    expect(errors).toContain('option port: 1000000 is not an integer from 0 to 65535');
    expect(Math.max(...errors.split('\n').map((line) => line.length))).toBeLessThan(500);
  });

  it.each([
    [`import { Scheduler } from 'kube-berth'; new Scheduler({ engine: 'none' });`, 'src/core/option-checks.ts'],
    [`import { Cluster } from 'kube-berth/cluster'; new Cluster().store.get('pods', 'a', 'b');`, 'src/store/store.ts'],
  ])('a stack trace has lines of the sources: %s', (program, source) => {
    const { errors } = runNode(['--enable-source-maps', '--input-type=module', '--eval', program], PLACE);
    expect(errors).toMatch(new RegExp(`${source}:\\d+`));
  });

  it.each([`${INSTALLED_CLI}dist/cli/main.js`, `${INSTALLED}dist/lib/launcher.js`])(
    'the command runs: %s',
    (program) => {
      const example = join(ROOT, 'examples/three-nodes.yaml');
      const { output } = runNode([program, 'schedule', '-f', example, '-o', 'json'], PLACE);
      expect(JSON.stringify(JSON.parse(output))).toContain('node-a');
    },
  );
});
