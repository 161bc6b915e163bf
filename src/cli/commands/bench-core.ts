import { checkAgreement } from '../../benchmark/agreement.ts';
import { WARM_UP_ROUNDS } from '../../benchmark/bench-case.ts';
import { planCore } from '../../benchmark/core/core-plan.ts';
import { figuresOf } from '../../benchmark/core/figures.ts';
import { type CoreContext, runCore } from '../../benchmark/core/run-core.ts';
import type { SkippedCase } from '../../benchmark/result.ts';
import type { CaseRun } from '../../benchmark/run-case.ts';
import { BENCH_KINDS } from '../../benchmark/suite.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { Interruption } from '../terminal/interruption.ts';
import { PROCESSOR_CLOCK } from '../terminal/processor-clock.ts';
import { withProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { BenchFlags } from './bench-flags.ts';
import { openBenchOutput, printBench } from './bench-output.ts';

interface CoreModules extends Pick<CoreContext, 'options' | 'clock' | 'createSubject' | 'kernelCase'> {
  readonly flags: BenchFlags;
  readonly interruption: Interruption;
}

/**
 * How long the warm-up of a case lasts at most. The suite has many cases, of which each compiles code that the next
 * ones use, and its budget is for measuring.
 */
const WARM_UP_SECONDS = 2;

/** Runs the core suite within its budget. */
export async function benchCore({ flags, interruption, ...modules }: CoreModules, terminal: Terminal): Promise<void> {
  const { kind, nodes, engine, index, workers, pods, repeat, seed, budget } = flags;
  const output = openBenchOutput(flags, terminal);
  const plan = planCore({ nodes, index, workers }).filter(
    (planned) => (kind?.includes(planned.kind) ?? true) && (engine?.includes(planned.engine) ?? true),
  );
  const core = await withProgress(terminal, plan.length, 'core suite', (show) =>
    runCore(plan, {
      ...modules,
      memory: terminal.heap,
      collectYoungGarbage: () => terminal.collectYoungGarbage(),
      warmUpRounds: WARM_UP_ROUNDS,
      warmUpSeconds: WARM_UP_SECONDS,
      warmsUpBy: PROCESSOR_CLOCK,
      budgetSeconds: budget,
      seed,
      pods,
      repeat,
      pause: () => interruption.pause(),
      onCase: (name, done) => show(done, name),
    }),
  );
  const { skipped, kernel } = core;
  const runs = inOrder(core.runs);
  for (const line of skippedLines(skipped)) terminal.log(line);
  const agreement = checkAgreement(runs);
  const results = runs.map(({ result }) => result);
  const disagreements = agreement.filter(({ isAgreed }) => !isAgreed).length;
  const figures = figuresOf(results, kernel, disagreements);
  await printBench({ results, skipped, figures }, agreement, output, terminal);
}

/** Sorts by kind and nodes, since the order of measurement depends on the figures. */
function inOrder(runs: readonly CaseRun[]): CaseRun[] {
  const kinds: readonly string[] = BENCH_KINDS;
  return [...runs].sort(
    ({ result: a }, { result: b }) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || a.nodes - b.nodes,
  );
}

/** One line for each cluster and reason. */
function skippedLines(skipped: readonly SkippedCase[]): string[] {
  const groups = groupBy(skipped, ({ cluster, reason }) => `${cluster}: ${reason}`);
  return [...groups].map(([key, same]) => `skipped: ${key} (${same.map(({ variant }) => variant).join(', ')})`);
}
