import type { Node } from '../../api/node.ts';
import { NO_LOGGER } from '../../lib/logger.ts';
import type { Fact } from '../../report/sections.ts';
import { loadSimulation, type SimulationRequest } from '../../simulation/load-simulation.ts';
import type { SimulationInput } from '../../simulation/simulation.ts';
import { openCount } from '../../simulation/statistics/open-pods.ts';
import { refuseTooManyPods } from '../../simulation/workload/wanted-pods.ts';
import { foundChange, NO_CHANGE } from '../../what-if/in-time/found-change.ts';
import { type TimedOutcome, type TimedQuestion, TimedTrial } from '../../what-if/in-time/timed-trial.ts';
import { chooseNodes, namedNodes } from '../../what-if/node-choice.ts';
import { Scaling } from '../../what-if/scaling.ts';
import type { Search } from '../../what-if/what-if.ts';
import { inputFiles } from '../flags/input-flags.ts';
import { readConfiguration, refuseExtenders } from '../flags/scheduler-flags.ts';
import type { WhatIfFlags } from '../flags/what-if-flags.ts';
import { formatTimedWhatIf } from '../output/timed-what-if.ts';
import { formatWhatIf, type WhatIfResult } from '../output/what-if.ts';
import { type ReportedSimulation, reportedSimulation } from '../pages/reported-simulation.ts';
import { timedWhatIfPage } from '../pages/timed-what-if-page.ts';
import { reportFile } from '../terminal/page-program.ts';
import { watchReading } from '../terminal/read-files.ts';
import type { OutputFile, Terminal } from '../terminal/terminal.ts';
import { EXIT_INTERRUPTED } from './outcome.ts';
import { runSimulation } from './simulate-one.ts';

const EXIT_NOT_RUNNING = 2;

export interface TimedWhatIf {
  readonly forMillis: number;
  /** Whether two configurations are compared, and nothing else is asked. */
  readonly isOnlyConfig: boolean;
  /** What a search has found, and what it was; absent: nothing was to be searched. */
  readonly found: { readonly search: Search; readonly answer: WhatIfResult } | undefined;
  /** The page to be written; null: none. */
  readonly page: OutputFile | null;
  readonly facts: readonly Fact[];
}

const NOTHING: TimedQuestion = { lose: [], drain: [], scale: undefined, found: NO_CHANGE, replacesBare: false };

/** Answers a question by two simulations of the same cluster, without the change and with it. */
export async function whatIfInTime(flags: WhatIfFlags, options: TimedWhatIf, terminal: Terminal): Promise<number> {
  const { forMillis, isOnlyConfig, found, page, facts } = options;
  const manifests = await inputFiles(flags, terminal);
  const load = (config: string | undefined) => loadInput(flags, { manifests, config }, terminal);
  const changed = await load(flags.config);
  const given = isOnlyConfig ? await load(flags.fromConfig) : changed;
  const outcomes: TimedOutcome[] = [];
  const simulations: ReportedSimulation[] = [];
  for (const [title, input, question] of [
    ['without', given, NOTHING],
    ['with the change', changed, questionOf(flags, changed, found)],
  ] as const) {
    const trial = new TimedTrial(input, question, forMillis, NO_LOGGER);
    const { simulation } = trial;
    const observation = page === null ? null : simulation.observe();
    await runSimulation(simulation, { terminal, title, isEnough: () => false });
    if (simulation.end === 'interrupted') return EXIT_INTERRUPTED;
    outcomes.push(trial.outcome());
    if (page !== null) simulations.push(reportedSimulation(simulation, title, observation));
  }
  const [without, withChange] = outcomes as [TimedOutcome, TimedOutcome];
  const answer = found?.answer;
  page?.write(reportFile(timedWhatIfPage({ answer, withChange, forMillis }, simulations, facts)));
  page?.close();
  await terminal.print(formatted(flags, { answer, without, withChange, forMillis }, terminal));
  const isWorse = openCount(withChange.summary.open) > openCount(without.summary.open);
  return isWorse || (answer?.notRunning ?? 0) > 0 ? EXIT_NOT_RUNNING : 0;
}

interface TimedAnswer {
  readonly answer: WhatIfResult | undefined;
  readonly without: TimedOutcome;
  readonly withChange: TimedOutcome;
  readonly forMillis: number;
}

function formatted(
  { output }: WhatIfFlags,
  { answer, without, withChange, forMillis }: TimedAnswer,
  { columns: width }: Terminal,
): string {
  if (output === 'json') {
    const all = { ...(answer !== undefined && { found: answer }), without: without.summary, with: withChange };
    return `${JSON.stringify(all, null, 2)}\n`;
  }
  const found = answer === undefined ? '' : `${formatWhatIf(answer, output === 'wide', { width })}\n`;
  return found + formatTimedWhatIf(without, withChange, forMillis, width);
}

async function loadInput(
  flags: WhatIfFlags,
  input: Pick<SimulationRequest, 'manifests' | 'config'>,
  terminal: Terminal,
): Promise<SimulationInput> {
  const { engine, index = true, workers = 1, strict: isStrict, validate } = flags;
  const { seed, tieBreak, percentageOfNodesToScore, expand, featureGates } = flags;
  const request = {
    ...input,
    seed,
    tieBreak,
    percentageOfNodesToScore,
    featureGates,
    ...(!expand && { expand: false }),
  };
  const { files } = terminal;
  const loaded = await watchReading(request.manifests, terminal, (hooks) =>
    loadSimulation(request, {
      files,
      checkObjects: refuseTooManyPods,
      reading: { isStrict, validate, ...hooks },
      readConfiguration: async (name) => {
        const { configuration } = await readConfiguration(name, terminal);
        refuseExtenders(configuration);
        return configuration;
      },
    }),
  );
  for (const warning of loaded.warnings) terminal.log(`warning: ${warning}`);
  return { ...loaded.input, scheduler: { ...loaded.input.scheduler, engine, index, workers } };
}

function questionOf(flags: WhatIfFlags, { objects }: SimulationInput, found: TimedWhatIf['found']): TimedQuestion {
  const { lose = [], drain, scale, namespace, replaceBare } = flags;
  const nodes = objects.flatMap(({ resource, object }) => (resource === 'nodes' ? [object as Node] : []));
  const lost = new Set(lose.flatMap((text) => chooseNodes(text, nodes, '--lose')));
  const left = nodes.filter(({ metadata }) => !lost.has(metadata?.name ?? ''));
  return {
    lose: [...lost],
    drain: drain === undefined ? [] : namedNodes(drain, nodes, '--drain'),
    scale: scale === undefined ? undefined : new Scaling(scale, namespace).target,
    found: found === undefined ? NO_CHANGE : foundChange(found.search, found.answer, left),
    replacesBare: replaceBare === true,
  };
}
