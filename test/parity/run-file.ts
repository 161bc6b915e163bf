import { basename } from 'node:path';
import type { EngineName } from '../../src/index.ts';
import { checkConfigValidation } from './check-config-validation.ts';
import { checkDecide } from './check-decide.ts';
import { checkLive } from './check-live.ts';
import { checkLogTable } from './check-log-table.ts';
import { checkSampling } from './check-sampling.ts';
import { checkSequence } from './check-sequence.ts';
import type { Difference } from './differences.ts';
import { type RecordedCase, readCases } from './read-cases.ts';

const ENGINES: readonly EngineName[] = ['reference', 'scalar', 'simd'];

export interface Failure {
  readonly name: string;
  readonly engine: EngineName;
  readonly differences: readonly Difference[];
}

/** How the cases of one feature fared; a case passes when it passes on every engine. */
export interface FeatureResult {
  readonly feature: string;
  passed: number;
  total: number;
  readonly failures: Failure[];
}

/** Runs every case of a file on every engine. */
export function runFile(path: string): FeatureResult[] {
  const results = new Map<string, FeatureResult>();
  for (const recorded of readCases(path)) {
    const feature = recorded.features?.[0] ?? (recorded.kind === 'live' ? basename(path, '.ndjson.gz') : recorded.kind);
    let result = results.get(feature);
    if (result === undefined) {
      result = { feature, passed: 0, total: 0, failures: [] };
      results.set(feature, result);
    }
    const failures = ENGINES.flatMap((engine) => runCase(recorded, engine));
    result.total++;
    if (failures.length === 0) result.passed++;
    result.failures.push(...failures);
  }
  return [...results.values()];
}

function runCase(recorded: RecordedCase, engine: EngineName): Failure[] {
  const differences = check(recorded, engine);
  return differences.length === 0 ? [] : [{ name: recorded.name, engine, differences }];
}

type Check = (recorded: RecordedCase, engine: EngineName) => Difference[];

const CHECKS: Readonly<Record<string, Check>> = {
  decide: checkDecide,
  sequence: checkSequence,
  sampling: checkSampling,
  live: checkLive,
  'log-table': checkLogTable,
  'config-validation': checkConfigValidation,
};

function check(recorded: RecordedCase, engine: EngineName): Difference[] {
  const checkKind = CHECKS[recorded.kind];
  // A kind that nothing here can check has not passed.
  if (checkKind === undefined) return [{ field: 'kind', expected: recorded.kind, got: 'not built yet' }];
  try {
    return checkKind(recorded, engine);
  } catch (error) {
    return [{ field: 'exception', expected: undefined, got: error instanceof Error ? error.stack : error }];
  }
}
