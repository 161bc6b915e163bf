import { basename, dirname } from 'node:path';
import { DecodeFailure } from '../../config/decode/decoder.ts';
import { parseYaml } from '../../config/decode/parse-yaml.ts';
import { type FileSource, shownName } from '../../manifests/file-source.ts';
import { decodeUtf8 } from '../../manifests/source-document.ts';
import { PerfError } from './perf-error.ts';
import type { TestCase } from './test-case.ts';
import { decodeTestCases } from './test-case.ts';

/** The largest file that is read; no realistic one is longer. */
const FILE_MAX_BYTES = 16 * 2 ** 20;

/** A configuration file of scheduler_perf. */
export interface PerfConfig {
  readonly file: string;
  /** The folder that paths in the file are relative to. */
  readonly folder: string;
  /** The topic by which thresholds are selected: the name of the folder, such as `misc`. */
  readonly topic: string;
  readonly testCases: readonly TestCase[];
}

/**
 * Reads a configuration of upstream's scheduler benchmark (test/integration/scheduler_perf) as it is.
 *
 * @throws PerfError `InvalidPerfConfig`, or what the source throws
 */
export async function readPerfConfig(name: string, source: FileSource): Promise<PerfConfig> {
  const file = shownName(name);
  const text = decodeUtf8(await source.read(name, FILE_MAX_BYTES), file, 1);
  const folder = name === '-' ? '.' : dirname(name);
  return { file, folder, topic: basename(folder), testCases: parseTestCases(text, file) };
}

function parseTestCases(text: string, file: string): TestCase[] {
  const parsed = parseYaml(text);
  const error = 'error' in parsed ? parsed.error : parsed.duplicates[0]?.message;
  if ('error' in parsed || error !== undefined) throw new PerfError('InvalidPerfConfig', `${file}: ${error}`);
  try {
    return decodeTestCases(parsed.value);
  } catch (failure) {
    if (!(failure instanceof DecodeFailure)) throw failure;
    throw new PerfError('InvalidPerfConfig', `${file}: ${failure.message}`);
  }
}
