import { rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PLACE, ROOT, runNode, tool } from './place.ts';

/** What `npm run docs:api` writes. */
const OUT = `${ROOT}build/api-docs`;
const LIBRARY = ['index', 'plugins', 'testing', 'cluster', 'browser', 'cel'].map((entry) => `lib/${entry}`);
const ENTRIES = [...LIBRARY, 'cli/apiserver'];

it('typedoc documents every entry without a warning', () => {
  rmSync(OUT, { recursive: true, force: true });
  const entryPoints = ENTRIES.map((entry) => `${ROOT}dist/${entry}.d.ts`);
  const compilerOptions = {
    ...{ target: 'es2022', lib: ['es2023', 'dom', 'esnext.disposable'], module: 'nodenext', types: ['node'] },
    ...{ strict: true, skipLibCheck: true, noEmit: true, typeRoots: [tool('@types')] },
  };
  const tsconfig = `${PLACE}api-docs.tsconfig.json`;
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files: entryPoints }));
  const options = {
    ...{ entryPoints, tsconfig, out: OUT, name: 'Berth', readme: `${ROOT}docs/embedding.md` },
    ...{ disableSources: true, treatWarningsAsErrors: true, treatValidationWarningsAsErrors: true },
    validation: { notExported: true, invalidLink: true, invalidPath: false, rewrittenLink: true, notDocumented: true },
    requiredToBeDocumented: ['Module', 'Class', 'Interface', 'TypeAlias', 'Variable', 'Enum'],
  };
  const configuration = `${PLACE}api-docs.json`;
  writeFileSync(configuration, JSON.stringify(options));
  const { status, output, errors } = runNode([tool('typedoc/bin/typedoc'), '--options', configuration], ROOT);
  expect(`${output}${errors}`.split('\n').filter((line) => /warning|error/i.test(line))).toEqual([]);
  expect(status).toBe(0);
});
