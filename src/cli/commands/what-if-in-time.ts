import type { Node } from '../../api/node.ts';
import { NO_LOGGER } from '../../lib/logger.ts';
import { loadSimulation, type SimulationRequest } from '../../simulation/load-simulation.ts';
import { openCount } from '../../simulation/open-pods.ts';
import type { SimulationInput } from '../../simulation/simulation.ts';
import { type TimedOutcome, type TimedQuestion, TimedTrial } from '../../what-if/in-time/timed-trial.ts';
import { chooseNodes, namedNodes } from '../../what-if/node-choice.ts';
import { Scaling } from '../../what-if/scaling.ts';
import { inputFiles } from '../flags/input-flags.ts';
import { readConfiguration, refuseExtenders } from '../flags/scheduler-flags.ts';
import type { WhatIfFlags } from '../flags/what-if-flags.ts';
import { formatTimedWhatIf } from '../output/timed-what-if.ts';
import { watchReading } from '../terminal/read-files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { EXIT_INTERRUPTED } from './outcome.ts';
import { runSimulation } from './simulate-run.ts';

const EXIT_NOT_RUNNING = 2;

/** Answers a question by two simulations of the same cluster, without the change and with it. */
export async function whatIfInTime(
  flags: WhatIfFlags,
  forMillis: number,
  isOnlyConfig: boolean,
  terminal: Terminal,
): Promise<number> {
  const manifests = await inputFiles(flags, terminal);
  const load = (config: string | undefined) => loadInput(flags, { manifests, config }, terminal);
  const changed = await load(flags.config);
  const given = isOnlyConfig ? await load(flags.fromConfig) : changed;
  const nothing: TimedQuestion = { lose: [], drain: [], scale: undefined, evictsBare: false };
  const outcomes: TimedOutcome[] = [];
  for (const [title, input, question] of [
    ['without', given, nothing],
    ['with', changed, questionOf(flags, changed)],
  ] as const) {
    const trial = new TimedTrial(input, question, forMillis, NO_LOGGER);
    await runSimulation(trial.simulation, { terminal, title, isEnough: () => false });
    if (trial.simulation.end === 'interrupted') return EXIT_INTERRUPTED;
    outcomes.push(trial.outcome());
  }
  const [without, withChange] = outcomes as [TimedOutcome, TimedOutcome];
  const text =
    flags.output === 'json'
      ? `${JSON.stringify({ without: without.summary, with: withChange }, null, 2)}\n`
      : formatTimedWhatIf(without, withChange, forMillis, terminal.columns);
  await terminal.print(text);
  return openCount(withChange.summary.open) > openCount(without.summary.open) ? EXIT_NOT_RUNNING : 0;
}

async function loadInput(
  flags: WhatIfFlags,
  input: Pick<SimulationRequest, 'manifests' | 'config'>,
  terminal: Terminal,
): Promise<SimulationInput> {
  const { engine, index = true, workers = 1, strict: isStrict, validate } = flags;
  const { seed, tieBreak, percentageOfNodesToScore, expand } = flags;
  const request = { ...input, seed, tieBreak, percentageOfNodesToScore, ...(!expand && { expand: false }) };
  const { files } = terminal;
  const loaded = await watchReading(request.manifests, terminal, (hooks) =>
    loadSimulation(request, {
      files,
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

function questionOf(flags: WhatIfFlags, { objects }: SimulationInput): TimedQuestion {
  const { lose = [], drain, scale, namespace, replaceBare } = flags;
  const nodes = objects.flatMap(({ resource, object }) => (resource === 'nodes' ? [object as Node] : []));
  return {
    lose: [...new Set(lose.flatMap((text) => chooseNodes(text, nodes, '--lose')))],
    drain: drain === undefined ? [] : namedNodes(drain, nodes, '--drain'),
    scale: scale === undefined ? undefined : new Scaling(scale, namespace).target,
    evictsBare: replaceBare === true,
  };
}
