import { type BenchContext, prepareCase } from '../bench-case.ts';
import { rehearse } from '../rehearse.ts';
import type { SkippedCase } from '../result.ts';
import { type CaseRun, repeatCase } from '../run-case.ts';
import type { SchedulerOptions } from '../subject.ts';
import { DEFAULT_SUITE, gatesOfKind } from '../suite.ts';
import { CaseCosts, type Pinned, planRepetitions } from './case-cost.ts';
import { coreClusters, coreHeapBytes, corePodCount } from './core-cluster.ts';
import { type PlannedCase, plannedName } from './core-plan.ts';
import type { KernelCase, KernelThroughput } from './kernel-case.ts';

export interface CoreContext extends Omit<BenchContext, 'onStep'>, Pinned {
  /** The budget of the whole suite. */
  readonly budgetSeconds: number;
  /** The options of all cases. */
  readonly options: Omit<SchedulerOptions, 'engine' | 'index' | 'workers'>;
  /** The seed of the clusters. */
  readonly seed: number;
  /** Awaited before each case. Returns whether the user has asked for the end. */
  readonly pause?: () => Promise<boolean>;
  /** Called before each case. */
  readonly onCase?: (name: string, index: number) => void;
  /** Measured before everything else, whatever cases are selected. */
  readonly kernelCase?: KernelCase;
}

export interface CoreRun {
  readonly runs: readonly CaseRun[];
  readonly skipped: readonly SkippedCase[];
  readonly kernel: KernelThroughput | undefined;
}

/** Above this share of the heap limit, garbage collection takes most of the time. */
const HEAP_SHARE_MAX = 0.8;

/** Runs the cases in turn until the budget is used up; a case that does not fit is skipped, and reported as skipped. */
export async function runCore(plan: readonly PlannedCase[], context: CoreContext): Promise<CoreRun> {
  const { clock, memory, budgetSeconds } = context;
  const start = clock.nowMillis();
  const secondsLeft = () => budgetSeconds - (clock.nowMillis() - start) / 1000;
  const kernel = context.kernelCase?.(clock);
  const clusterOf = coreClusters(context.seed);
  const costs = new CaseCosts();
  /** The run of a case, or the reason why there is none. */
  const runPlanned = (planned: PlannedCase): CaseRun | string => {
    const { kind, nodes, engine, index, workers, percentageOfNodesToScore, seconds } = planned;
    const podCount = context.pods ?? corePodCount(kind, nodes);
    const heapBytes = coreHeapBytes(kind, nodes, podCount);
    if (heapBytes > memory.heapLimitBytes * HEAP_SHARE_MAX) {
      const [needed, limit] = [heapBytes, memory.heapLimitBytes].map((bytes) => (bytes / 2 ** 30).toFixed(1));
      return `needs about ${needed} GiB of heap, of which there are ${limit} (node --max-old-space-size)`;
    }
    const predicted = costs.predict(planned);
    if (predicted > secondsLeft()) return outOfTime(predicted, secondsLeft());

    const sampling = percentageOfNodesToScore === undefined ? {} : { percentageOfNodesToScore };
    const featureGates = { ...gatesOfKind(kind), ...context.options.featureGates };
    const options = { ...context.options, index, workers, featureGates, ...sampling };
    const cluster = clusterOf(kind, nodes, podCount);
    const prepared = prepareCase({ suite: DEFAULT_SUITE, kind, cluster, engine, options }, context);
    const rehearsal = rehearse(prepared, context);
    costs.learn(planned, rehearsal);
    const repetitions = planRepetitions(seconds, rehearsal, prepared.pending.length, context, secondsLeft());
    if (repetitions.repeat === 0) return outOfTime(repetitions.secondsEach, secondsLeft());
    return repeatCase(prepared, rehearsal, repetitions, context);
  };
  const runs: CaseRun[] = [];
  const skipped: SkippedCase[] = [];
  for (const [index, planned] of plan.entries()) {
    const name = plannedName(planned);
    if (await context.pause?.()) {
      skipped.push({ ...name, reason: 'interrupted' });
      continue;
    }
    context.onCase?.(`${name.cluster}, ${name.variant}`, index);
    const run = runPlanned(planned);
    if (typeof run === 'string') skipped.push({ ...name, reason: run });
    else runs.push(run);
  }
  return { runs, skipped, kernel };
}

function outOfTime(seconds: number, secondsLeft: number): string {
  if (secondsLeft <= 0) return 'the budget is used up';
  return `would take about ${Math.ceil(seconds)} s, and ${Math.floor(secondsLeft)} s of the budget are left`;
}
