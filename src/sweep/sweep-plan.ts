import type { BenchKind } from '../benchmark/suite.ts';
import type { TieBreak } from '../framework/tie-break.ts';
import type { SeedList } from './seed-list.ts';

/** A KubeSchedulerConfiguration with its name and identity. */
export interface SweepConfig {
  readonly name: string;
  readonly sha256: string;
}

/**
 * The parameters that results depend on. Engine, index and workers are not among them: they make the same decisions, so
 * a file may be begun with one and completed with another.
 */
export interface SweepParameters {
  readonly kind: BenchKind;
  readonly nodes: number;
  readonly pods: number;
  readonly seeds: SeedList;
  readonly tieBreak: TieBreak;
  /** The percentage; null: as the configuration says, otherwise every node. */
  readonly percentageOfNodesToScore: number | null;
  /** The configurations; empty: the default profile. */
  readonly configs: readonly SweepConfig[];
}

/** One simulation of a sweep. */
export interface SweepRun {
  /** The number of the run, from 1, in the order of the file. */
  readonly run: number;
  readonly seed: number;
  /** The index into `configs`; null without any. */
  readonly config: number | null;
}

export function runCount({ seeds, configs }: SweepParameters): number {
  return seeds.count * Math.max(configs.length, 1);
}

/** The run at `index`, from 0: every seed with the first configuration, then with the second, and so on. */
export function runAt({ seeds, configs }: SweepParameters, index: number): SweepRun {
  const config = configs.length === 0 ? null : Math.floor(index / seeds.count);
  return { run: index + 1, seed: seeds.at(index % seeds.count), config };
}
