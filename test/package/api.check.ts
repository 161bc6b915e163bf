import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PLACE, ROOT, runNode, tool } from './place.ts';

const FOLDER = `${PLACE}api/`;
const CORE = 'index';

/** Every declaration of an entry, as text. A type that can be reached and is not exported gets a warning in it. */
function reportOf(entry: string): string {
  mkdirSync(`${FOLDER}temp`, { recursive: true });
  rmSync(`${FOLDER}temp/${entry}.api.md`, { force: true });
  const config = `${FOLDER}${entry}.json`;
  writeFileSync(config, JSON.stringify(configurationFor(entry)));
  const { errors, output } = runNode([tool('@microsoft/api-extractor/bin/api-extractor'), 'run', '-c', config], ROOT);
  const report = readFileSync(`${FOLDER}temp/${entry}.api.md`, 'utf8');
  if (report === '') throw new Error(output + errors);
  return report;
}

function configurationFor(entry: string): object {
  const none = { logLevel: 'none' };
  const path = `dist/${entry === 'apiserver' ? 'cli' : 'lib'}/${entry}.d.ts`;
  const compilerOptions = {
    ...{ target: 'es2022', lib: ['es2023', 'dom'], module: 'nodenext', types: ['node'], strict: true },
    ...{ skipLibCheck: true, typeRoots: [tool('@types')] },
  };
  return {
    mainEntryPointFilePath: ROOT + path,
    projectFolder: ROOT,
    newlineKind: 'lf',
    compiler: { overrideTsconfig: { compilerOptions, files: [path] } },
    apiReport: {
      enabled: true,
      reportFileName: `${entry}.api.md`,
      reportFolder: FOLDER,
      reportTempFolder: `${FOLDER}temp`,
    },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    tsdocMetadata: { enabled: false },
    messages: {
      compilerMessageReporting: { default: none },
      extractorMessageReporting: {
        default: none,
        'ae-forgotten-export': { logLevel: 'none', addToApiReportFile: true },
      },
      tsdocMessageReporting: { default: none },
    },
  };
}

/** The declarations of a report. */
function declarationsOf(report: string): string[] {
  const [, code = ''] = /```ts\n([\s\S]*?)\n```/.exec(report) ?? [];
  return code.split(/\n\n(?=\/\/ @|\/\/ Warning|export )/).filter((part) => part.trim() !== '');
}

const core = declarationsOf(reportOf(CORE));
const cluster = declarationsOf(reportOf('cluster'));

const ENTRIES = { [CORE]: 100, apiserver: 100, browser: 100, cel: 5, cluster: 100, plugins: 100, testing: 100 };

it.each(Object.entries(ENTRIES))('the API of entry %s is as recorded', async (entry, fewest) => {
  const all = declarationsOf(reportOf(entry));
  // The other entries have the types of the core as well, and that of the API server those of the cluster.
  const told = new Set([...(entry === CORE ? [] : core), ...(entry === 'apiserver' ? cluster : [])]);
  const declarations = all.filter((declaration) => !told.has(declaration));
  expect(all.length).toBeGreaterThanOrEqual(fewest);
  expect(declarations.filter((declaration) => declaration.includes('ae-forgotten-export'))).toEqual([]);
  expect(declarations.filter((declaration) => /^\/\/ @internal/m.test(declaration))).toEqual([]);
  await expect(`${declarations.join('\n\n')}\n`).toMatchFileSnapshot(`./api/${entry}.txt`);
});
