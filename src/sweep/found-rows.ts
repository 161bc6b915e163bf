import { CodedError } from '../lib/errors.ts';
import { rowStart } from './rows.ts';
import { runIndexAt, type Shard } from './shard.ts';
import { checkSameSweep, parseHeader, type SweepHeader } from './sweep-header.ts';
import type { SweepRuns } from './sweep-plan.ts';

/** A line of a file as it was found; the last one may lack its line feed. */
export interface FoundLine {
  readonly text: string;
  readonly isWhole: boolean;
  /** The number of bytes of the file up to the end of the line. */
  readonly endByte: number;
}

/** The part of a file that can be kept. */
export interface Kept {
  /** The number of runs whose row is complete. */
  readonly rows: number;
  /** The bytes up to the end of the last complete line; 0: not even the header is complete. */
  readonly bytes: number;
}

/** The file that a sweep, or a shard of it, is written to. */
export interface WantedFile {
  readonly name: string;
  readonly header: SweepHeader;
  readonly runs: SweepRuns;
  readonly shard: Shard;
}

/**
 * Checks the lines of an earlier sweep, up to a last line that may be incomplete. Throws `NotASweep` for a file of
 * something else, `OtherSweep` for one with other parameters.
 */
export async function checkFound(lines: AsyncIterable<FoundLine>, wanted: WantedFile): Promise<Kept> {
  const header = JSON.stringify(wanted.header);
  const rowCount = wanted.header.shard?.rows ?? wanted.header.runs;
  let kept: Kept = { rows: -1, bytes: 0 };
  for await (const { text, isWhole, endByte } of lines) {
    if (!isWhole) {
      if (kept.rows < 0 && !header.startsWith(text)) checkHeader(text, wanted);
      break;
    }
    if (kept.rows < 0) checkHeader(text, wanted);
    else checkRow(text, kept.rows, rowCount, wanted);
    kept = { rows: kept.rows + 1, bytes: endByte };
  }
  return { rows: Math.max(kept.rows, 0), bytes: kept.bytes };
}

function checkHeader(text: string, { name, header }: WantedFile): void {
  const found = parseHeader(text, name);
  checkSameSweep(found, header, name, '');
  const [a, b] = [JSON.stringify(found.shard), JSON.stringify(header.shard)];
  if (a !== b) throw new CodedError('OtherSweep', `${name}: is of another shard: ${a ?? 'all runs'}, not ${b}`);
}

function checkRow(text: string, position: number, rowCount: number, { name, runs, shard }: WantedFile): void {
  const place = `${name}:${position + 2}`;
  if (position >= rowCount) throw new CodedError('NotASweep', `${place}: is one line too many`);
  const run = runs.at(runIndexAt(shard, position));
  if (text.startsWith(rowStart(run)) && text.endsWith('}')) return;
  throw new CodedError('NotASweep', `${place}: is not the line of run ${run.run}, seed ${run.seed}`);
}
