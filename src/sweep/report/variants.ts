import { CodedError } from '../../lib/errors.ts';
import type { Setting, Settings } from '../settings.ts';
import type { SweepHeader } from '../sweep-header.ts';
import { parameterNamesOf, SweepRuns } from '../sweep-plan.ts';

/** Runs that are taken together: those with the same values of the parameters by which a report is made. */
export interface Variant {
  /** `tieBreak=random, nodes=100`; `all` when nothing tells variants apart. */
  readonly title: string;
  readonly settings: Settings;
}

/** Where a run belongs. */
interface Place {
  readonly variant: number;
  /** Runs of different variants with the same place are alike in everything else: seed and other parameters. */
  readonly twin: number;
}

/**
 * The variants of a sweep, and which runs of them are twins: one run of each variant with the same seed and the same
 * other parameters. Twins are compared with each other, since most of what differs between seeds is alike for them.
 *
 *                  seed 1   seed 2   seed 3
 *   nodes=50   a     ●        ●        ●
 *              b     ●        ●        ●      by `config`: a and b are variants,
 *   nodes=100  a     ●        ●        ●      a dot of a and the one below it twins
 *              b     ●        ●        ●
 */
export class Variants {
  readonly all: readonly Variant[];
  /** The names of the parameters that tell variants apart. */
  readonly by: readonly string[];
  /** How many different twins there are; each variant has at most one run of each. */
  readonly twinCount: number;
  readonly #seedCount: number;
  /** The place of the first seed of each combination. */
  readonly #places: readonly Place[];

  /** `by`: absent, all parameters that vary. @throws CodedError `NotVaried` */
  constructor(header: SweepHeader, by?: readonly string[]) {
    const runs = new SweepRuns(header);
    this.#seedCount = runs.seedCount;
    const combinations = Array.from({ length: runs.count / this.#seedCount }, (_, i) => {
      return runs.at(i * this.#seedCount).settings;
    });
    const varied = parameterNamesOf(header).filter((name) => {
      return combinations.some((settings) => settings[name] !== combinations[0]?.[name]);
    });
    this.by = by ?? varied;
    for (const name of this.by) if (!varied.includes(name)) throw notVaried(name, varied);
    const others = varied.filter((name) => !this.by.includes(name));
    const variants = new Map<string, { readonly index: number; readonly variant: Variant }>();
    const twins = new Map<string, number>();
    const seen = new Map<string, number>();
    this.#places = combinations.map((settings) => {
      const key = keyOf(settings, this.by);
      const found = variants.get(key) ?? { index: variants.size, variant: variantOf(settings, this.by) };
      variants.set(key, found);
      // A list may hold the same combination twice; each of them is a run of its own.
      const other = keyOf(settings, others);
      const repeat = seen.get(`${key}\n${other}`) ?? 0;
      seen.set(`${key}\n${other}`, repeat + 1);
      const twinKey = `${repeat}\n${other}`;
      const twin = twins.get(twinKey) ?? twins.size;
      twins.set(twinKey, twin);
      return { variant: found.index, twin: twin * this.#seedCount };
    });
    this.all = [...variants.values()].map(({ variant }) => variant);
    this.twinCount = twins.size * this.#seedCount;
  }

  /** The variant of the run at this index. */
  variantAt(runIndex: number): number {
    return this.#placeAt(runIndex).variant;
  }

  twinAt(runIndex: number): number {
    return this.#placeAt(runIndex).twin + (runIndex % this.#seedCount);
  }

  #placeAt(runIndex: number): Place {
    return this.#places[Math.floor(runIndex / this.#seedCount)] as Place;
  }
}

function keyOf(settings: Settings, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => settings[name] ?? null));
}

function variantOf(settings: Settings, by: readonly string[]): Variant {
  const own = by.flatMap((name): [string, Setting][] => {
    const value = settings[name];
    return value === undefined ? [] : [[name, value]];
  });
  const title = own.map(([name, value]) => `${name}=${value}`).join(', ');
  return { title: title || (by.length === 0 ? 'all' : 'not set'), settings: Object.fromEntries(own) };
}

function notVaried(name: string, varied: readonly string[]): CodedError<'NotVaried'> {
  const known = varied.length === 0 ? 'varies nothing but seeds' : `varies ${varied.join(', ')}`;
  return new CodedError('NotVaried', `--by ${name}: is not what this sweep varies; it ${known}`);
}
