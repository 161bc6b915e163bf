import { checkConfiguration, encodeProfileArgs } from '../../src/caller/load-configuration.ts';
import type { SchedulerConfiguration } from '../../src/config/configuration.ts';
import { encodeConfiguration } from '../../src/config/encode-configuration.ts';
import { type Difference, differences } from './differences.ts';
import type { RecordedCase } from './read-cases.ts';

/** A recorded verdict on a KubeSchedulerConfiguration, in the case's `expectConfig`. */
export interface ConfigExpectation {
  readonly valid: boolean;
  readonly stage?: string;
  readonly strict?: boolean;
  readonly errors?: readonly RecordedError[];
  readonly anyOrder?: boolean;
  readonly anyOf?: readonly string[];
  readonly profiles?: unknown;
  readonly defaulted?: unknown;
}

interface RecordedError {
  readonly message: string;
  readonly field?: string;
}

/** Checks which documents are accepted, and what they become. No engine plays a part. */
export function checkConfigValidation({ config, configText, expectConfig }: RecordedCase): Difference[] {
  if (expectConfig === undefined) return [{ field: 'case', expected: 'expectConfig', got: undefined }];
  const loaded = checkConfiguration(configText ?? config ?? '');
  if (loaded.ok) return differences('config', withoutVerdict(expectConfig), asExpectation(loaded.configuration));

  const { stage, strict, errors } = loaded;
  const found = differences(
    'config',
    { valid: expectConfig.valid, stage: expectConfig.stage },
    { valid: false, stage },
  );
  found.push(...differences('config.strict', expectConfig.strict ?? false, strict));
  if (found.length > 0) return [...found, { field: 'errors', expected: expectConfig.errors, got: errors }];
  return checkErrors(expectConfig, errors);
}

function checkErrors(expectConfig: ConfigExpectation, errors: readonly RecordedError[]): Difference[] {
  const { stage, strict, anyOrder, anyOf } = expectConfig;
  if (anyOf !== undefined) {
    const isOne = errors.length === 1 && anyOf.includes(errors[0]?.message ?? '');
    return isOne ? [] : [{ field: 'config.errors', expected: anyOf, got: errors }];
  }
  const ordered = (list: readonly RecordedError[]): readonly RecordedError[] =>
    anyOrder ? list.toSorted((a, b) => (a.message < b.message ? -1 : 1)) : list;
  const expected = ordered(expectConfig.errors ?? []);
  const got = ordered(errors);
  if (stage !== 'decode') return differences('config.errors', expected, got);
  // The words of this stage belong to a JSON or YAML library.
  const fields = (list: readonly RecordedError[]) => (strict ? list.map(({ field }) => field) : []);
  return differences('config.errors', fields(expected), fields(got));
}

function withoutVerdict({ valid, profiles, defaulted, errors }: ConfigExpectation): object {
  return { valid, profiles, defaulted, errors };
}

function asExpectation(configuration: SchedulerConfiguration): object {
  const profiles = configuration.profiles.map((profile) => {
    const weighed = { score: profile.scoreWeights, placementScore: profile.placementScoreWeights };
    const plugins = Object.entries(profile.plugins).flatMap(([point, names]) => {
      if (names.length === 0) return [];
      const weights = weighed[point as keyof typeof weighed];
      return [[point, weights === undefined ? names : names.map((name) => ({ name, weight: weights.get(name) }))]];
    });
    const { schedulerName, percentageOfNodesToScore } = profile;
    return {
      schedulerName,
      percentageOfNodesToScore,
      plugins: Object.fromEntries(plugins),
      args: encodeProfileArgs(profile),
    };
  });
  return { valid: true, profiles, defaulted: encodeConfiguration(configuration) };
}
