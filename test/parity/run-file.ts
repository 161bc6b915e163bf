import { basename } from 'node:path';
import type { EngineName } from '../../src/index.ts';
import { checkConfigValidation } from './check-config-validation.ts';
import { checkDecide } from './check-decide.ts';
import { checkLive } from './check-live.ts';
import { checkLogTable } from './check-log-table.ts';
import { checkSampling } from './check-sampling.ts';
import { checkSequence } from './check-sequence.ts';
import { checkControl } from './control/check-control.ts';
import { type ControlCase, isControlCase } from './control/control-case.ts';
import type { Difference } from './differences.ts';
import { type RecordedCase, readCases } from './read-cases.ts';

const ENGINES: readonly EngineName[] = ['reference', 'scalar', 'simd'];

export interface Failure {
  readonly name: string;
  /** Absent where no decision is made. */
  readonly engine?: EngineName;
  readonly differences: readonly Difference[];
}

/** How the cases of one feature fared; a case passes when it passes on every engine. */
export interface FeatureResult {
  readonly feature: string;
  passed: number;
  total: number;
  readonly failures: Failure[];
}

/** Runs every case of a file: decisions on every engine, the control plane's once. */
export function runFile(path: string): FeatureResult[] {
  const results = new Map<string, FeatureResult>();
  for (const recorded of readCases(path)) {
    const feature = featureOf(recorded, path);
    let result = results.get(feature);
    if (result === undefined) {
      result = { feature, passed: 0, total: 0, failures: [] };
      results.set(feature, result);
    }
    const failures = isControlCase(recorded)
      ? runControl(recorded)
      : ENGINES.flatMap((engine) => runCase(recorded, engine));
    result.total++;
    if (failures.length === 0) result.passed++;
    result.failures.push(...failures);
  }
  return [...results.values()];
}

function featureOf(recorded: RecordedCase | ControlCase, path: string): string {
  if (isControlCase(recorded)) return recorded.family;
  return recorded.features?.[0] ?? (recorded.kind === 'live' ? basename(path, '.ndjson.gz') : recorded.kind);
}

function runControl(recorded: ControlCase): Failure[] {
  const differences = checked(() => checkControl(recorded));
  return differences.length === 0 ? [] : [{ name: recorded.id, differences }];
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
  return checked(() => checkKind(recorded, engine));
}

function checked(run: () => Difference[]): Difference[] {
  try {
    return run();
  } catch (error) {
    return [{ field: 'exception', expected: undefined, got: error instanceof Error ? error.stack : error }];
  }
}
