import { createHash } from 'node:crypto';
import { canonicalJson } from '../lib/canonical-json.ts';
import { CodedError } from '../lib/errors.ts';
import { runsOfShard, type Shard } from './shard.ts';
import { type SweepPlan, SweepRuns } from './sweep-plan.ts';

const FORMAT = 'berth-sweep';
const VERSION = 2;

/** A file that runs depend on. */
export interface InputFile {
  readonly name: string;
  readonly sha256: string;
}

/** The shard of a file, and the number of rows that it has when it is complete. */
export interface ShardOfFile extends Shard {
  readonly rows: number;
}

/**
 * The first line of a file: everything that its rows depend on. It names no machine and no time, so that the same sweep
 * gives the same bytes wherever its shards were run.
 */
export interface SweepHeader extends SweepPlan {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  /** The version of Berth. */
  readonly berth: string;
  readonly planHash: string;
  readonly inputHash: string;
  /** The number of runs of the whole sweep. */
  readonly runs: number;
  readonly files: readonly InputFile[];
  /** The shard that wrote the file; a file of all runs has none. */
  readonly shard?: ShardOfFile;
}

/** Which sweep a header is of: the plan, the contents of the files, the version. */
export function headerOf(plan: SweepPlan, contents: ReadonlyMap<string, Uint8Array>, berth: string): SweepHeader {
  const files = [...contents]
    .map(([name, bytes]) => ({ name, sha256: sha256(bytes) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const { mode, inputs, parameters, list, seeds, hasTimes } = plan;
  return {
    ...{ format: FORMAT, version: VERSION, berth },
    ...{ planHash: sha256(canonicalJson(plan)), inputHash: sha256(canonicalJson(files)) },
    ...{ runs: new SweepRuns(plan).count, seeds, mode, inputs, parameters, list, hasTimes, files },
  };
}

/** The header of a shard's file. */
export function shardHeader(header: SweepHeader, shard: Shard): SweepHeader {
  const { shard: number, of } = shard;
  return { ...header, shard: { shard: number, of, rows: runsOfShard(shard, header.runs) } };
}

/** The header of the whole file, from that of a shard. */
export function wholeHeader({ shard: _, ...header }: SweepHeader): SweepHeader {
  return header;
}

/** @throws CodedError `NotASweep` */
export function parseHeader(text: string, file: string): SweepHeader {
  let value: Partial<SweepHeader> | null = null;
  try {
    value = JSON.parse(text) as Partial<SweepHeader> | null;
  } catch {
    // What is no JSON is no header.
  }
  if (value?.format !== FORMAT) throw new CodedError('NotASweep', `${file}: was not written by berth sweep`);
  if (value.version !== VERSION) {
    throw new CodedError('NotASweep', `${file}: has version ${value.version} of the format, not ${VERSION}`);
  }
  return value as SweepHeader;
}

/** The members of a header in which different sweeps differ, the clearest ones first. */
const TOLD_APART: readonly (keyof SweepHeader)[] = [
  ...([
    'berth',
    'seeds',
    'mode',
    'inputs',
    'parameters',
    'list',
    'hasTimes',
    'files',
    'inputHash',
    'planHash',
  ] as const),
];

/** @throws CodedError `OtherSweep` when two headers are of different sweeps, with what differs */
export function checkSameSweep(found: SweepHeader, wanted: SweepHeader, file: string, who: string): void {
  const differences = TOLD_APART.flatMap((name) => {
    const [a, b] = [JSON.stringify(found[name]), JSON.stringify(wanted[name])];
    return a === b ? [] : [`${name} ${shortened(a)}, not ${shortened(b)}`];
  });
  if (differences.length === 0) return;
  throw new CodedError('OtherSweep', `${file}: is of another sweep${who}: ${differences.slice(0, 2).join('; ')}`);
}

const SHOWN_LENGTH = 120;

function shortened(text: string | undefined): string {
  if (text === undefined) return 'none';
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}...`;
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
