/**
 * The golden runner: `npm run -s parity -- FILE...` plays recorded decisions of kube-scheduler on every engine, and
 * recorded scenarios of controllers and kubelet; prints one line a feature and the first differences of failing cases.
 * Exit 0 only when every case passed and every pattern matched a file.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { type Failure, type FeatureResult, runFile } from './run-file.ts';

const SHOWN_FAILURES = 3;
const SHOWN_DIFFERENCES = 5;
const SHOWN_CHARACTERS = 400;

/** What a shell hands on as it is because it matches nothing: no case can be counted, but something is missing. */
const UNMATCHED_PATTERN = /[*?]/;

async function main(args: readonly string[]): Promise<number> {
  const paths = args.filter((path) => !UNMATCHED_PATTERN.test(path) || existsSync(path));
  const unmatched = args.filter((path) => !paths.includes(path));
  for (const pattern of unmatched) console.error(`no file matches ${pattern}`);
  if (paths.length === 0) {
    console.error('usage: npm run -s parity -- FILE.ndjson.gz ...');
    return 1;
  }
  let passed = 0;
  let total = 0;
  for (const path of paths) {
    for (const result of await readable(path)) {
      console.log(`${result.feature} ${result.passed}/${result.total}`);
      for (const failure of result.failures.slice(0, SHOWN_FAILURES)) printFailure(failure);
      passed += result.passed;
      total += result.total;
    }
  }
  console.log(`parity: ${passed}/${total}`);
  return passed === total && total > 0 && unmatched.length === 0 ? 0 : 1;
}

/** A file that cannot be read counts as one case that failed. */
async function readable(path: string): Promise<FeatureResult[]> {
  try {
    return await runFile(path);
  } catch (error) {
    console.error(`${path}: ${error instanceof Error ? error.message : error}`);
    return [{ feature: basename(path), passed: 0, total: 1, failures: [] }];
  }
}

function printFailure({ name, engine, differences }: Failure): void {
  console.log(`  ${name}${engine === undefined ? '' : ` (${engine})`}: ${differences.length} differences`);
  for (const { field, expected, got } of differences.slice(0, SHOWN_DIFFERENCES)) {
    console.log(`    ${field}: expected ${shown(expected)}, got ${shown(got)}`);
  }
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

process.exitCode = await main(process.argv.slice(2));
