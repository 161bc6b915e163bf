import type { Clock } from '../lib/clock.ts';
import { PerfError } from './config/perf-error.ts';
import type { PerfStack } from './perf-stack.ts';
import type { PreparedWorkload } from './prepare/prepare-workload.ts';
import { runWorkload, type WorkloadRunOptions } from './run-workload.ts';

/** Compilers settle after two to four seconds of a first workload, and at once where one like it ran before. */
const PROCESSOR_MILLIS_MAX = 6000;
const ROUNDS_MAX = 16;

/** The costs of a warm round, by the least cost before: less is a gain, more is code that is compiled once more. */
const LEAST_FACTOR = 0.8;
const MOST_FACTOR = 1.3;

/** More stacks than V8 waits for before it fixes the layout of a class's objects, and drops code compiled before. */
const TINY_ROUNDS = 10;

/** A single round can be like the others by chance. */
const WARM_ROUNDS = 2;

export interface WarmUpOptions extends WorkloadRunOptions {
  /** The time of all threads of the process, those of compilers included: it does not pass while others work. */
  readonly processor: Clock;
  /** Collects all garbage, of which rounds make so much that a measurement would pay for it. */
  readonly collectGarbage?: (() => void) | undefined;
}

/** The cost of each round, in milliseconds of processor time by write to the store. */
export type RoundCosts = readonly number[];

/**
 * Runs a workload with few objects until its code is compiled: until two rounds in turn have cost nearly what the
 * cheapest before them did. Costs are by write, since some operations last as long as the file says. Rounds with hardly
 * any objects come first, so that what a stack has once is there as often as V8 wants to see it.
 *
 * Then all garbage is collected, with which V8 drops code that it compiled for objects that are gone, and rounds go on
 * until the rest is compiled again.
 *
 * A failure is ignored, since with so few objects the counts of a workload may not fit together.
 */
export async function warmUp(workload: PreparedWorkload, options: WarmUpOptions): Promise<RoundCosts> {
  const { processor, collectGarbage, collectYoungGarbage: _, ...others } = options;
  const endMillis = processor.nowMillis() + PROCESSOR_MILLIS_MAX;
  /** Returns the costs of a round; null if there was none, or it failed. */
  const round = async (steps: PreparedWorkload['steps']): Promise<number | null> => {
    const startMillis = processor.nowMillis();
    if (startMillis >= endMillis) return null;
    let stack: PerfStack | undefined;
    const onStack = (made: PerfStack): void => {
      stack = made;
    };
    try {
      await runWorkload({ ...workload, steps }, { ...others, onStack, workMillisMax: endMillis - startMillis });
    } catch (error) {
      if (!(error instanceof PerfError) || error.code === 'Interrupted') throw error;
      return null;
    }
    return (processor.nowMillis() - startMillis) / Math.max(1, stack?.store.ledger.version ?? 0);
  };
  const roundsUntilWarm = async (): Promise<RoundCosts> => {
    const costs: number[] = [];
    while (costs.length < ROUNDS_MAX && !isWarm(costs)) {
      const cost = await round(workload.warmUpSteps);
      if (cost === null) break;
      costs.push(cost);
    }
    return costs;
  };
  for (let i = 0; i < TINY_ROUNDS; i++) if ((await round(workload.tinySteps)) === null) break;
  const costs = await roundsUntilWarm();
  if (collectGarbage === undefined || !isWarm(costs)) return costs;
  collectGarbage();
  return [...costs, ...(await roundsUntilWarm())];
}

/** Whether the last rounds cost nearly what the cheapest before them did. @internal */
export function isWarm(costs: RoundCosts): boolean {
  const earlier = costs.slice(0, -WARM_ROUNDS);
  if (earlier.length === 0) return false;
  const least = Math.min(...earlier);
  return costs.slice(-WARM_ROUNDS).every((cost) => cost > least * LEAST_FACTOR && cost < least * MOST_FACTOR);
}
