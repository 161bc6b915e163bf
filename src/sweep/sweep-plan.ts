import type { BenchKind } from '../benchmark/suite.ts';
import type { TieBreak } from '../framework/tie-break.ts';
import type { SeedList } from './seed-list.ts';

/** A KubeSchedulerConfiguration, and what tells it from others. */
export interface SweepConfig {
  readonly name: string;
  readonly sha256: string;
}

/**
 * What results depend on. Engine, index and workers are not among it: they decide alike, and a file that was begun with
 * one may be ended with another.
 */
export interface SweepParameters {
  readonly kind: BenchKind;
  readonly nodes: number;
  readonly pods: number;
  readonly seeds: SeedList;
  readonly tieBreak: TieBreak;
  /** null: as the configuration says, else every node. */
  readonly percentageOfNodesToScore: number | null;
  /** Empty: the default profile. */
  readonly configs: readonly SweepConfig[];
}

/** One simulation of a sweep. */
export interface SweepRun {
  /** From 1, in the order of the file. */
  readonly run: number;
  readonly seed: number;
  /** Into `configs`; null without any. */
  readonly config: number | null;
}

export function runCount({ seeds, configs }: SweepParameters): number {
  return seeds.count * Math.max(configs.length, 1);
}

/** Every seed with the first configuration, then with the second, ...; `index` counts from 0. */
export function runAt({ seeds, configs }: SweepParameters, index: number): SweepRun {
  const config = configs.length === 0 ? null : Math.floor(index / seeds.count);
  return { run: index + 1, seed: seeds.at(index % seeds.count), config };
}
