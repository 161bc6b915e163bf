import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, pressed } from './chromium.ts';
import { PLACE, ROOT, runNode, tool } from './place.ts';

const EXAMPLES = `${ROOT}examples/embedding/`;
const FOLDER = `${PLACE}projects/examples/`;
const programs = readdirSync(EXAMPLES).filter((name) => name.endsWith('.ts'));
/** A second on a quiet machine. */
const OPERATOR_TEST_MILLIS = 5000;
/** Neither is a program of Node's. */
const OTHERS = ['configuration.ts', 'page.ts'];
const STRICT = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noImplicitReturns: true },
  ...{ noUnusedLocals: true, noUnusedParameters: true, noPropertyAccessFromIndexSignature: true },
  ...{ module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], types: ['node'] },
};

/** The example as a project of its own, with the client of Kubernetes that runs on every Node that Berth supports. */
function operatorTest(): string {
  const folder = `${PLACE}projects/operator-test/`;
  rmSync(folder, { recursive: true, force: true });
  cpSync(`${ROOT}examples/operator-test/`, folder, { recursive: true });
  mkdirSync(`${folder}node_modules/@kubernetes`, { recursive: true });
  symlinkSync(tool('client-node-1'), `${folder}node_modules/@kubernetes/client-node`);
  const lib = [...STRICT.lib, 'esnext.disposable'];
  const compilerOptions = { ...STRICT, lib, noEmit: true, skipLibCheck: true };
  writeFileSync(`${folder}package.json`, JSON.stringify({ type: 'module' }));
  writeFileSync(`${folder}tsconfig.json`, JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  writeFileSync(`${folder}vitest.config.js`, 'export default {};');
  return folder;
}

it('the test of an operator compiles, and passes in a few seconds', () => {
  const folder = operatorTest();
  expect(runNode([tool('typescript/bin/tsc'), '-p', folder, '--pretty', 'false'], folder).output).toBe('');
  const vitest = `${ROOT}node_modules/vitest/vitest.mjs`;
  const { status, output, errors } = runNode([vitest, 'run', '--root', folder, '--reporter=json'], folder);
  const { numPassedTests, numTotalTests, testResults } = JSON.parse(output || '{}');
  expect({ status, errors, numPassedTests, numTotalTests }, output).toEqual({
    ...{ status: 0, errors: '', numPassedTests: 1, numTotalTests: 1 },
  });
  const [{ startTime, endTime }] = testResults;
  expect(endTime - startTime).toBeLessThan(OPERATOR_TEST_MILLIS);
});

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
