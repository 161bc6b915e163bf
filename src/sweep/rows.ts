import { PARAMETER_NAMES } from './settings.ts';
import { parameterNamesOf, type SweepPlan, type SweepRun } from './sweep-plan.ts';

/** The figures of a run: the same for the same run, on every machine. Null: the run has no such figure. */
export interface RunResult {
  /** `placed`, or how a simulation ended: settled, stuck, until. */
  readonly end: string;
  readonly scheduled: number;
  /** The number of pods that have no node in the end. */
  readonly unschedulable: number;
  /** The number of pods that lost their place to others, or with their node. */
  readonly evicted: number;
  readonly succeeded: number | null;
  readonly failed: number | null;
  readonly nodesInUse: number | null;
  /** Shares of what the nodes offer, 0 to 1: at the end of a placing, over the time of a simulation. */
  readonly utilisationCpu: number | null;
  readonly utilisationMemory: number | null;
  readonly utilisationPods: number | null;
  /** Seconds from the creation of pods to their binding. */
  readonly latencyP50: number | null;
  readonly latencyP90: number | null;
  readonly latencyP99: number | null;
  readonly latencyMax: number | null;
  readonly jobsComplete: number | null;
  readonly jobsFailed: number | null;
  readonly simulatedSeconds: number | null;
  /** How often a fault had a target. */
  readonly faultCount: number | null;
  /** Errors that stopped nothing. */
  readonly errorCount: number | null;
  /** The hash of all decisions, or of the event log. */
  readonly hash: string;
}

type ColumnType = 'integer' | 'number' | 'text';

/** A column of the table of runs; a field of a file has any scalar. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType | 'scalar';
}

const RESULT_TYPES: Readonly<Record<keyof RunResult, ColumnType>> = {
  end: 'text',
  scheduled: 'integer',
  unschedulable: 'integer',
  evicted: 'integer',
  succeeded: 'integer',
  failed: 'integer',
  nodesInUse: 'integer',
  utilisationCpu: 'number',
  utilisationMemory: 'number',
  utilisationPods: 'number',
  latencyP50: 'number',
  latencyP90: 'number',
  latencyP99: 'number',
  latencyMax: 'number',
  jobsComplete: 'integer',
  jobsFailed: 'integer',
  simulatedSeconds: 'number',
  faultCount: 'integer',
  errorCount: 'integer',
  hash: 'text',
};

const RESULT_NAMES = Object.keys(RESULT_TYPES) as (keyof RunResult)[];
const INTEGER_PARAMETERS: readonly string[] = ['nodes', 'pods', 'percentageOfNodesToScore'];

/** The columns of a sweep's rows: the same for all sweeps, but for fields of files, and times. */
export function columnsOf(plan: Pick<SweepPlan, 'parameters' | 'list' | 'hasTimes'>): Column[] {
  return [
    { name: 'run', type: 'integer' },
    { name: 'seed', type: 'integer' },
    ...PARAMETER_NAMES.map((name): Column => ({ name, type: INTEGER_PARAMETERS.includes(name) ? 'integer' : 'text' })),
    ...fieldNamesOf(plan).map((name): Column => ({ name, type: 'scalar' })),
    ...RESULT_NAMES.map((name): Column => ({ name, type: RESULT_TYPES[name] })),
    ...(plan.hasTimes ? [{ name: 'seconds', type: 'number' } as const] : []),
  ];
}

/** The parameters that are fields of files. */
function fieldNamesOf(plan: Pick<SweepPlan, 'parameters' | 'list'>): string[] {
  const known: readonly string[] = PARAMETER_NAMES;
  return parameterNamesOf(plan).filter((name) => !known.includes(name));
}

/** Writes the rows of one plan, without line feeds. What is null is left out: most figures are of one kind of run. */
export class RowWriter {
  readonly #parameters: readonly string[];
  readonly #hasTimes: boolean;

  constructor(plan: SweepPlan) {
    this.#parameters = [...PARAMETER_NAMES, ...fieldNamesOf(plan)];
    this.#hasTimes = plan.hasTimes;
  }

  line({ run, seed, settings }: SweepRun, result: RunResult, seconds: number): string {
    const row: Record<string, unknown> = { run, seed };
    for (const name of this.#parameters) row[name] = settings[name];
    for (const name of RESULT_NAMES) row[name] = result[name] ?? undefined;
    if (this.#hasTimes) row['seconds'] = Math.round(seconds * 1e6) / 1e6;
    return JSON.stringify(row);
  }
}

/** How the row of a run begins. */
export function rowStart({ run, seed }: Pick<SweepRun, 'run' | 'seed'>): string {
  return `{"run":${run},"seed":${seed},`;
}
