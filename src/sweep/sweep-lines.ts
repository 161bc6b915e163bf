import { CodedError } from '../lib/errors.ts';
import type { SimulationResult } from './simulator.ts';
import { runAt, runCount, type SweepParameters } from './sweep-plan.ts';

/** A line of a file as it was found; the last one may lack its line feed. */
export interface FoundLine {
  readonly text: string;
  readonly isWhole: boolean;
  /** The number of bytes of the file up to the end of the line. */
  readonly endByte: number;
}

/** The part of a file that can be kept. */
export interface Kept {
  /** The number of runs whose line is complete. */
  readonly runs: number;
  /** The bytes up to the end of the last complete line; 0: not even the header is complete. */
  readonly bytes: number;
}

const FORMAT = 'berth-sweep';
const VERSION = 1;

/** Where a file comes from. */
export interface SweepOrigin {
  /** The version of Berth. */
  readonly berth: string;
  /** The commit of a clone; null in an installed package. */
  readonly commit: string | null;
  readonly command: string;
  /** When the sweep began. */
  readonly time: string;
}

/**
 * The first line of a file: all parameters that its results depend on, and last where they come from. Like all lines
 * here, it has no line feed.
 */
export function headerLine(parameters: SweepParameters, { berth, ...origin }: SweepOrigin): string {
  const { seeds, ...others } = parameters;
  return JSON.stringify({
    ...{ format: FORMAT, version: VERSION, berth },
    ...others,
    ...{ seeds: seeds.toString(), runs: runCount(parameters), origin },
  });
}

/** The line of one run; it depends on neither the machine nor chance. */
export function runLine(parameters: SweepParameters, index: number, result: SimulationResult): string {
  const { run, seed, config } = runAt(parameters, index);
  return JSON.stringify({ run, seed, config: configName(parameters, config), ...result });
}

/**
 * Checks the lines of an earlier sweep, up to a last line that may be incomplete. Throws `NotASweep` for a file of
 * something else, `OtherSweep` for one with other parameters.
 */
export async function checkFound(
  lines: AsyncIterable<FoundLine>,
  header: string,
  parameters: SweepParameters,
  file: string,
): Promise<Kept> {
  let kept: Kept = { runs: -1, bytes: 0 };
  for await (const { text, isWhole, endByte } of lines) {
    if (!isWhole) {
      if (kept.runs < 0 && !isBeginning(text, header)) checkHeader(text, header, file);
      break;
    }
    if (kept.runs < 0) checkHeader(text, header, file);
    else checkRun(text, kept.runs, parameters, file);
    kept = { runs: kept.runs + 1, bytes: endByte };
  }
  return { runs: Math.max(kept.runs, 0), bytes: kept.bytes };
}

/** Whether a sweep of this header may have begun its file with the text. */
function isBeginning(text: string, header: string): boolean {
  const parameters = header.slice(0, header.indexOf(',"origin":'));
  return header.startsWith(text) || text.startsWith(parameters);
}

function checkHeader(text: string, header: string, file: string): void {
  const [found, wanted] = [withoutOrigin(text), withoutOrigin(header)];
  if (found !== undefined && JSON.stringify(found) === JSON.stringify(wanted)) return;
  if (found?.['format'] !== FORMAT || wanted === undefined) {
    throw new CodedError('NotASweep', `${file}: was not written by berth sweep`);
  }
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(found)])];
  const different = names.filter((name) => JSON.stringify(found[name]) !== JSON.stringify(wanted[name]));
  const differences = different.map(
    (name) => `${name} ${JSON.stringify(found[name])}, not ${JSON.stringify(wanted[name])}`,
  );
  throw new CodedError('OtherSweep', `${file}: is of another sweep: ${differences.join('; ') || 'in another order'}`);
}

function checkRun(text: string, index: number, parameters: SweepParameters, file: string): void {
  const found = parseObject(text);
  const line = `${file}:${index + 2}`;
  if (index >= runCount(parameters)) throw new CodedError('NotASweep', `${line}: is one line too many`);
  const { run, seed, config } = runAt(parameters, index);
  const isIt = found?.['run'] === run && found['seed'] === seed && found['config'] === configName(parameters, config);
  if (!isIt) throw new CodedError('NotASweep', `${line}: is not the line of run ${run}, seed ${seed}`);
}

function configName({ configs }: SweepParameters, config: number | null): string | null {
  return config === null ? null : (configs[config]?.name ?? null);
}

/** The parameters of a header. A sweep may be resumed by another command, at another time. */
function withoutOrigin(header: string): Readonly<Record<string, unknown>> | undefined {
  const { origin: _, ...parameters } = parseObject(header) ?? {};
  return Object.keys(parameters).length === 0 ? undefined : parameters;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
