import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { EngineName } from '../../src/index.ts';
import { DEPTH } from '../builders/runs.ts';
import { isCelDevices } from './cel/cel-case.ts';
import { readCases } from './read-cases.ts';
import { type Failure, runFile } from './run-file.ts';

const DATA = new URL('./data/', import.meta.url);
const files = readdirSync(DATA).filter((name) => name.endsWith('.ndjson.gz'));

/** Engines on scalar kernels differ from those on SIMD in kernels alone: they play it all in `npm run test:long`. */
const ENGINES: readonly EngineName[] = DEPTH > 1 ? ['scalar'] : ['reference', 'simd'];

test('there are recordings', () => {
  expect(files.length).toBeGreaterThan(0);
});

test.each(files)(`%s: as Kubernetes did, engines ${ENGINES.join(' and ')}`, async (file) => {
  const path = new URL(file, DATA).pathname;
  const results = await runFile(path, ENGINES);
  const failures = results.flatMap((result) => result.failures);
  expect(failures.slice(0, 3).map(shown).join('\n')).toBe('');

  // The line with the devices of a file is no case.
  const cases = readCases(path).filter((recorded) => !isCelDevices(recorded)).length;
  expect(cases).toBeGreaterThan(0);
  expect(results.reduce((sum, { passed }) => sum + passed, 0)).toBe(cases);
});

function shown({ name, engine, differences }: Failure): string {
  const [first] = differences;
  const [expected, got] = [first?.expected, first?.got].map((value) => JSON.stringify(value)?.slice(0, 200));
  const where = engine === undefined ? name : `${name} (${engine})`;
  return `${where}, ${differences.length} differences, ${first?.field}: expected ${expected}, got ${got}`;
}
