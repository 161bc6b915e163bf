import type { FeatureGates } from '../config/feature-gates.ts';
import type { ValidationMode } from '../manifests/field-warnings.ts';
import { SeedList } from './seed-list.ts';
import { PARAMETER_NAMES, type Setting, type Settings } from './settings.ts';

/** The input that all runs share, by the names of its files. */
export interface SweepInputs {
  readonly manifests: readonly string[];
  readonly openb: readonly [nodes: string, pods: string] | null;
  readonly alibaba: string | null;
  readonly isStrict: boolean;
  readonly validate: ValidationMode;
  /** False: no pods are made for workloads; absent: they get the pods that they lack. */
  readonly expand?: false;
  /** Feature gates of all runs, which come before those of configurations; absent: none are given. */
  readonly featureGates?: Partial<FeatureGates>;
}

/**
 * Everything that the results of a sweep depend on, apart from the contents of files: plain data, since it goes to
 * other threads and machines. Engine, index and workers are not among it: they make the same decisions, so a file may
 * be begun with one and completed with another.
 */
export interface SweepPlan {
  /** `place`: the pods of a cluster are placed; `simulate`: a cluster runs on a virtual clock. */
  readonly mode: 'place' | 'simulate';
  readonly inputs: SweepInputs;
  /** The values of each parameter, of which all combinations are run. */
  readonly parameters: Readonly<Record<string, readonly Setting[]>>;
  /** Combinations that are run one by one, each with all of `parameters`; null without a list. */
  readonly list: readonly Settings[] | null;
  /** The seeds in their canonical spelling. */
  readonly seeds: string;
  /** Whether rows say how long they took, which differs from machine to machine. */
  readonly hasTimes: boolean;
}

/** One run of a sweep. */
export interface SweepRun {
  /** The number of the run, from 1, in the order of the file. */
  readonly run: number;
  readonly seed: number;
  readonly settings: Settings;
}

/** The parameters of the list and of the grid in the order of their columns: the known ones, then fields of files. */
export function parameterNamesOf({ parameters, list }: Pick<SweepPlan, 'parameters' | 'list'>): string[] {
  const names = new Set([...(list ?? []), parameters].flatMap((part) => Object.keys(part)));
  const known: readonly string[] = PARAMETER_NAMES;
  return [...known.filter((name) => names.has(name)), ...[...names].filter((name) => !known.includes(name))];
}

/**
 * The runs of a plan, in order: every seed with the first combination, then with the second, and so on. The last
 * parameter changes fastest, a list slowest.
 */
export class SweepRuns {
  readonly count: number;
  readonly #seeds: SeedList;
  readonly #list: readonly Settings[];
  readonly #dimensions: readonly (readonly [name: string, values: readonly Setting[]])[];

  constructor(plan: SweepPlan) {
    this.#seeds = SeedList.parse(plan.seeds);
    this.#list = plan.list ?? [{}];
    const inGrid = parameterNamesOf({ parameters: plan.parameters, list: null });
    this.#dimensions = inGrid.map((name) => [name, plan.parameters[name] ?? []]);
    const combinations = this.#dimensions.reduce((product, [, { length }]) => product * length, this.#list.length);
    this.count = combinations * this.#seeds.count;
  }

  /** The number of runs of each combination. */
  get seedCount(): number {
    return this.#seeds.count;
  }

  /** The run at `index`, from 0. */
  at(index: number): SweepRun {
    return {
      run: index + 1,
      seed: this.#seeds.at(index % this.#seeds.count),
      settings: this.#settingsAt(Math.floor(index / this.#seeds.count)),
    };
  }

  /**
   * Combinations in which each value of each parameter is there at least once: the first one, and one for each other
   * value. A value that cannot be used is found by trying these.
   */
  samples(): Settings[] {
    const samples = this.#list.map((row) => ({ ...this.#settingsAt(0), ...row }));
    for (const [name, values] of this.#dimensions) {
      for (const value of values.slice(1)) samples.push({ ...this.#settingsAt(0), [name]: value });
    }
    return samples;
  }

  #settingsAt(combination: number): Settings {
    const settings: Record<string, Setting> = {};
    let left = combination;
    for (const [name, values] of this.#dimensions.toReversed()) {
      settings[name] = values[left % values.length] as Setting;
      left = Math.floor(left / values.length);
    }
    return { ...settings, ...this.#list[left] };
  }
}
