import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, pressed } from './chromium.ts';
import { PLACE, ROOT, runNode, tool } from './place.ts';

const EXAMPLES = `${ROOT}examples/embedding/`;
const FOLDER = `${PLACE}projects/examples/`;
const programs = readdirSync(EXAMPLES).filter((name) => name.endsWith('.ts'));
/** Neither is a program of Node's. */
const OTHERS = ['configuration.ts', 'page.ts'];
const STRICT = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noImplicitReturns: true },
  ...{ noUnusedLocals: true, noUnusedParameters: true, noPropertyAccessFromIndexSignature: true },
  ...{ module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], types: ['node'] },
};

describe('examples against the packed package', () => {
  beforeAll(() => {
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(FOLDER, { recursive: true });
    cpSync(EXAMPLES, FOLDER, { recursive: true });
    writeFileSync(`${FOLDER}package.json`, JSON.stringify({ type: 'module' }));
    writeFileSync(`${FOLDER}tsconfig.json`, JSON.stringify({ compilerOptions: STRICT, include: ['*.ts'] }));
  });

  it('compile with every strict flag', () => {
    expect(runNode([tool('typescript/bin/tsc'), '-p', FOLDER, '--pretty', 'false'], FOLDER).output).toBe('');
  });

  it.each(programs.filter((name) => !OTHERS.includes(name)))('%s prints what it printed', async (name) => {
    const { output, errors } = runNode([name.replace(/ts$/, 'js')], FOLDER);
    expect(errors).toBe('');
    await expect(output).toMatchFileSnapshot(`./examples/${name.replace(/ts$/, 'txt')}`);
  });

  const chromium = chromiumPath();
  if (chromium === null) {
    it('CHROMIUM IS NOT INSTALLED: the page was not checked', () => expect(chromium).toBeNull());
  } else {
    it('page.html schedules', async () => {
      const page = `${FOLDER}page.html`;
      cpSync(page, `${FOLDER}index.html`);
      expect(runNode([tool('vite/bin/vite.js'), 'build', '--logLevel', 'warn'], FOLDER)).toMatchObject({ status: 0 });
      const answer = await pressed(chromium, `${FOLDER}dist/`, '#schedule', '#answer', 2);
      expect(answer).toBe('pod-0, cpu 500m: large\npod-1, cpu 500m: large\n');
    });
  }
});
