import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openPage } from './chromium.ts';
import { newProject, run, runNode, tool } from './place.ts';

const ESBUILD = tool('esbuild/bin/esbuild');
const VITE = tool('vite/bin/vite.js');
const LINES = 6 * 301;

/** Compiles the programs in place, with the resolution of Node or that of bundlers. */
function compiled(name: string, files: readonly string[], options: object): string {
  const compilerOptions = { strict: true, target: 'es2022', lib: ['esnext'], types: ['node'], ...options };
  const folder = newProject(name, files, { 'tsconfig.json': { compilerOptions, files } });
  const { output } = runNode([tool('typescript/bin/tsc'), '-p', folder, '--pretty', 'false'], folder);
  if (output !== '') throw new Error(output);
  return folder;
}

/** The decisions that a program prints. */
function decisions({ status, output, errors }: ReturnType<typeof run>): string {
  if (status !== 0) throw new Error(errors);
  return output.trim();
}

describe('the case table', () => {
  let expected = '';
  let folder = '';

  beforeAll(() => {
    folder = compiled('esm', ['plain.ts', 'required.cts', 'table.ts', 'workers.ts'], { module: 'node16' });
    expected = decisions(runNode(['plain.js'], folder));
  });

  it('has the same decisions from every engine, one by one and in a batch', () => {
    const lines = expected.split('\n');
    expect(lines).toHaveLength(LINES);
    const parts = Array.from({ length: 6 }, (_, i) => lines.slice(i * 301 + 1, (i + 1) * 301).join('\n'));
    expect(new Set(parts).size).toBe(1);
    expect(parts[0]?.match(/^node-/gm)?.length).toBeGreaterThan(100);
    expect(parts[0]?.match(/^unschedulable/gm)?.length).toBeGreaterThan(10);
  });

  it('CommonJS, by import()', () => expect(decisions(runNode(['required.cjs'], folder))).toBe(expected));

  it('threads of the installed package', () => {
    expect(decisions(runNode(['workers.js'], folder))).toBe('the same with two workers');
  });

  it('TypeScript with the resolution of bundlers', () => {
    const options = { module: 'esnext', moduleResolution: 'bundler' };
    const project = compiled('bundler', ['plain.ts', 'table.ts'], options);
    expect(decisions(runNode(['plain.js'], project))).toBe(expected);
  });

  it('Bun', () => {
    const project = newProject('bun', ['plain.ts', 'table.ts', 'workers.ts']);
    const bun = tool('@oven/bun-linux-x64/bin/bun');
    expect(decisions(run(bun, ['run', 'plain.ts'], project))).toBe(expected);
  });

  it('Deno', () => {
    const project = newProject('deno', ['plain.ts', 'table.ts']);
    const deno = tool('@deno/linux-x64-glibc/deno');
    const flags = ['--allow-read', '--allow-env', '--allow-sys', '--node-modules-dir=manual', '--no-check'];
    expect(decisions(run(deno, ['run', '--unstable-sloppy-imports', ...flags, 'plain.ts'], project))).toBe(expected);
  });

  it('a bundle of esbuild for Node, with the kernels inside', () => {
    const project = newProject('esbuild-node', ['bytes.ts', 'table.ts']);
    const argv = [
      'bytes.ts',
      '--bundle',
      '--platform=node',
      '--target=node20',
      '--loader:.wasm=binary',
      '--log-level=warning',
    ];
    expect(run(ESBUILD, [...argv, '--format=esm', '--outfile=out.mjs'], project)).toMatchObject({
      status: 0,
      errors: '',
    });
    expect(decisions(runNode(['out.mjs'], project))).toBe(expected);
    // The bundle of a CommonJS program has no import.meta, which only the files of the package need.
    const toCommonJs = run(
      ESBUILD,
      [...argv, '--format=cjs', '--outfile=out.cjs', '--log-override:empty-import-meta=silent'],
      project,
    );
    expect(toCommonJs).toMatchObject({ status: 0, errors: '' });
    expect(decisions(runNode(['out.cjs'], project))).toBe(expected);
  });

  it('a bundle of vite for Node', () => {
    const project = newProject('vite-node', ['plain.ts', 'table.ts']);
    const built = runNode([VITE, 'build', '--ssr', 'plain.ts', '--outDir', 'out', '--logLevel', 'warn'], project);
    expect(built).toMatchObject({ status: 0, errors: '' });
    expect(decisions(runNode(['out/plain.js'], project))).toBe(expected);
  });

  it('bundles for browsers are built without a warning', () => {
    const { page, addresses } = browserBundles();
    expect([page.built, addresses.built]).toMatchObject([
      { status: 0, errors: '' },
      { status: 0, errors: '' },
    ]);
  });

  const chromium = chromiumPath();
  if (chromium === null) {
    it('CHROMIUM IS NOT INSTALLED: no browser was checked', () => expect(chromium).toBeNull());
  } else {
    it.each(['page', 'addresses'] as const)('Chromium, on one thread without SharedArrayBuffer: %s', async (kind) => {
      const { folder: site } = browserBundles()[kind];
      const { isolated, decisions: decided } = await openPage(chromium, site);
      expect(isolated).toBe(false);
      expect(decided).toBe(expected);
    });
  }
});

/** Sites: by vite, which finds the kernels, and by esbuild, which gives their addresses. */
function browserBundles() {
  const site = newProject('vite-browser', ['page.ts', 'table.ts', 'index.html']);
  const addresses = newProject('esbuild-browser', ['page-urls.ts', 'table.ts', 'index.html']);
  const browser = ['--bundle', '--platform=browser', '--format=esm', '--log-level=warning'];
  const argv = ['page-urls.ts', ...browser, '--loader:.wasm=file', '--outfile=page.js'];
  return {
    page: { built: runNode([VITE, 'build', '--logLevel', 'warn'], site), folder: `${site}dist/` },
    addresses: { built: run(ESBUILD, argv, addresses), folder: addresses },
  };
}
