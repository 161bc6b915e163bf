import { CodedError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { type FileSource, shownName } from '../../manifests/file-source.ts';
import { LineComparison } from '../../simulation/line-comparison.ts';
import { loadSimulation, type SimulationRequest } from '../../simulation/load-simulation.ts';
import { RecordingWriter, readRecording, rememberingSource } from '../../simulation/recording.ts';
import { readSimkubeTrace } from '../../simulation/simkube/read-simkube-trace.ts';
import { Simulation, type SimulationInput } from '../../simulation/simulation.ts';
import { openCount } from '../../simulation/statistics/open-pods.ts';
import type { SimulationSummary } from '../../simulation/summary.ts';
import { refuseTooManyPods } from '../../simulation/workload/wanted-pods.ts';
import { SeedList } from '../../sweep/seed-list.ts';
import { inputFiles } from '../flags/input-flags.ts';
import { loggerOf } from '../flags/log-level.ts';
import { readConfiguration, refuseExtenders, refuseLonelyGates } from '../flags/scheduler-flags.ts';
import { schedulersRequest } from '../flags/several-schedulers.ts';
import type { SimulateFlags } from '../flags/simulate-flags.ts';
import { courseOf, formatCourse } from '../output/course.ts';
import { formatErrors } from '../output/open-pods.ts';
import { formatSimulation, formatSimulations } from '../output/simulation-table.ts';
import { compareVariants, formatVariants } from '../output/simulations-comparison.ts';
import { inputFacts, originFacts } from '../pages/origin-facts.ts';
import { type ReportedSimulation, reportedSimulation } from '../pages/reported-simulation.ts';
import { simulationPage } from '../pages/simulation-page.ts';
import { compileSoon } from '../terminal/compile-soon.ts';
import { reportFile } from '../terminal/page-program.ts';
import type { Provenance } from '../terminal/provenance.ts';
import { watchReading } from '../terminal/read-files.ts';
import type { OutputFile, Terminal } from '../terminal/terminal.ts';
import { EXIT_INTERRUPTED } from './outcome.ts';
import { simulateMany } from './simulate-many.ts';
import { runSimulation } from './simulate-one.ts';

/**
 * The exit code when a replay differed from its recording, or a simulation is stuck: this is not an error, but not the
 * wanted result either.
 */
const EXIT_DIFFERENT = 2;
const RECORDING_MAX_BYTES = 2 ** 31 - 1;

/** Runs what the flags ask for, and returns the exit code. */
export async function simulate(flags: SimulateFlags, terminal: Terminal, origin: Provenance): Promise<number> {
  // Large inputs are read faster, too.
  compileSoon();
  const simulation = new Simulate(flags, terminal, origin);
  if (flags.seeds !== undefined || flags.compareFaults !== undefined) return simulation.many();
  return flags.replay === undefined ? simulation.run() : simulation.replay(flags.replay);
}

class Simulate {
  readonly #flags: SimulateFlags;
  readonly #terminal: Terminal;
  readonly #origin: Provenance;
  readonly #page: OutputFile | null;
  readonly #logger: Logger;

  constructor(flags: SimulateFlags, terminal: Terminal, origin: Provenance) {
    this.#flags = flags;
    this.#terminal = terminal;
    this.#origin = origin;
    this.#logger = loggerOf(flags, terminal);
    // The page is created first, so that a file that cannot be written does not cost the results.
    this.#page = flags.report === undefined ? null : terminal.createFile(flags.report);
  }

  async run(): Promise<number> {
    const { filename, kustomize } = this.#flags;
    const hasFiles = filename !== undefined || kustomize !== undefined;
    const manifests = hasFiles ? await inputFiles(this.#flags, this.#terminal) : [];
    const request = requestOf(this.#flags, manifests);
    refuseNoInput(request);
    const { compare } = this.#flags;
    const configs = compare === undefined ? [request.config] : pairOf(compare, '--compare', 'configurations');
    const files = rememberingSource(this.#terminal.files);
    const loaded: { readonly title: string; readonly input: SimulationInput }[] = [];
    for (const config of configs) {
      const { input, warnings } = await this.#load({ ...request, config }, files);
      if (loaded.length === 0) for (const warning of warnings) this.#terminal.log(`warning: ${warning}`);
      loaded.push({ title: configs.length === 1 ? '' : (config ?? ''), input });
    }
    const { record } = this.#flags;
    const writer =
      record === undefined
        ? null
        : new RecordingWriter(this.#terminal.createFile(record), this.#origin.berth, request, files.contents());
    const simulations: ReportedSimulation[] = [];
    for (const { title, input } of loaded) {
      const simulation = new Simulation(
        input,
        writer === null ? undefined : (line) => writer.write(line),
        this.#logger,
      );
      simulations.push(await this.#simulate(simulation, title));
      if (simulation.end === 'interrupted') break;
    }
    const [first] = simulations;
    if (first !== undefined) writer?.end({ end: first.summary.end, ...first.summary.log });
    await this.#print(simulations);
    return exitCodeOf(
      simulations.map(({ summary }) => summary),
      this.#flags.allowPending === true,
    );
  }

  /** Runs every variant with every seed. */
  async many(): Promise<number> {
    const { filename, kustomize, compare, compareFaults, seeds, output, seed, allowPending } = this.#flags;
    const hasFiles = filename !== undefined || kustomize !== undefined;
    const request = requestOf(this.#flags, hasFiles ? await inputFiles(this.#flags, this.#terminal) : []);
    refuseNoInput(request);
    const files = rememberingSource(this.#terminal.files);
    const plan = {
      ...{ request, configs: compare ?? [request.config], faults: compareFaults ?? [request.faults] },
      seeds: seeds ?? SeedList.parse(String(seed)),
      load: async (each: SimulationRequest) => (await this.#load(each, files)).input,
    };
    const { runs: variants, isInterrupted } = await simulateMany(plan, this.#terminal, this.#logger);
    const figures = compareVariants(variants.filter(({ summaries }) => summaries.length > 0));
    const text =
      output === 'json'
        ? `${JSON.stringify({ figures, runs: variants }, null, 2)}\n`
        : formatVariants(figures, this.#terminal.columns);
    await this.#terminal.print(text);
    if (isInterrupted) return EXIT_INTERRUPTED;
    return exitCodeOf(
      variants.flatMap(({ summaries }) => summaries),
      allowPending === true,
    );
  }

  async replay(name: string): Promise<number> {
    const file = shownName(name);
    const recording = readRecording(await this.#terminal.files.read(name, RECORDING_MAX_BYTES), file);
    const { berth } = this.#origin;
    if (recording.berth !== berth) {
      this.#terminal.log(`warning: ${file} was recorded by berth ${recording.berth}, this is ${berth}`);
    }
    const { input } = await this.#load(recording.request, recording.files);
    const { footer } = recording;
    const comparison = new LineComparison(recording.lines(), footer !== undefined && footer.end !== 'interrupted');
    const simulation = new Simulation(input, (line) => comparison.line(line), this.#logger);
    const reported = await this.#simulate(simulation, '', () => comparison.isOver);
    // A run that was interrupted because the comparison was over has not ended too early.
    if (simulation.end !== 'interrupted') comparison.end();
    await this.#print([reported]);
    const { difference, sameLines } = comparison;
    if (difference === undefined) {
      const isInterrupted = simulation.end === 'interrupted' && !comparison.isOver;
      this.#terminal.log(`${file}: ${sameLines} lines as recorded${isInterrupted ? ', then interrupted' : ''}`);
      return isInterrupted ? EXIT_INTERRUPTED : 0;
    }
    const { line, recorded, now } = difference;
    this.#terminal.log(`${file}: line ${line} of the event log is different, after ${sameLines} lines as recorded`);
    this.#terminal.log(`  recorded: ${recorded ?? '(the log ends)'}`);
    this.#terminal.log(`  now:      ${now ?? '(the log ends)'}`);
    return EXIT_DIFFERENT;
  }

  async #load(request: SimulationRequest, files: FileSource) {
    const { engine, index = true, workers = 1, strict: isStrict, validate } = this.#flags;
    const reading = { isStrict, validate };
    const loaded = await watchReading(request.manifests, this.#terminal, (hooks) =>
      loadSimulation(request, {
        files,
        readUserTrace: readSimkubeTrace,
        checkObjects: refuseTooManyPods,
        reading: { ...reading, ...hooks },
        // A replay need not have the threads of its recording.
        ...(this.#flags.replay === undefined && { hasThreads: engine !== 'reference' && workers !== 1 }),
        readConfiguration: async (name) => {
          const { configuration } = await readConfiguration(name, { ...this.#terminal, files });
          refuseExtenders(configuration);
          return configuration;
        },
      }),
    );
    refuseLonelyGates(request.featureGates, loaded.input.scheduler.configuration);
    const scheduler = { ...loaded.input.scheduler, engine, index, workers };
    return { ...loaded, input: { ...loaded.input, scheduler } };
  }

  async #simulate(
    simulation: Simulation,
    title: string,
    isEnough: () => boolean = () => false,
  ): Promise<ReportedSimulation> {
    const observation = this.#page === null && !this.#isPlayed ? null : simulation.observe();
    await runSimulation(simulation, { terminal: this.#terminal, title, isEnough });
    return reportedSimulation(simulation, title, observation);
  }

  async #print(simulations: readonly ReportedSimulation[]): Promise<void> {
    this.#page?.write(
      reportFile(simulationPage(simulations, [...originFacts(this.#origin), ...inputFacts(this.#flags)])),
    );
    this.#page?.close();
    const summaries = simulations.map(({ summary }) => summary);
    const titles = simulations.map(({ title }) => title);
    const [first] = summaries;
    const isOne = this.#flags.compare === undefined && first !== undefined;
    const course = this.#isPlayed ? simulations.flatMap(courseOf) : [];
    if (this.#flags.output === 'json') {
      const shown = isOne
        ? { ...first, ...(this.#isPlayed && { course }) }
        : simulations.map(({ title, summary }) => ({ config: title, ...summary }));
      await this.#terminal.print(`${JSON.stringify(shown, null, 2)}\n`);
    } else {
      const errors = this.#flags.errors ? formatErrors(summaries.flatMap((summary) => summary.errors)) : '';
      const { columns } = this.#terminal;
      const tables = isOne ? formatSimulation(first, columns) : formatSimulations(titles, summaries, columns);
      await this.#terminal.print(tables + formatCourse(isOne ? course : [], columns) + errors);
    }
  }

  /** Whether it is told what happened when: it happened already, and is only played. */
  get #isPlayed(): boolean {
    return this.#flags.replay !== undefined || this.#flags.trace !== undefined;
  }
}

function requestOf({ shape: shapes, openb, ...flags }: SimulateFlags, manifests: readonly string[]): SimulationRequest {
  const { nodes, workload, alibaba, faults, lose, config, until, seed, tieBreak, percentageOfNodesToScore, trace } =
    flags;
  const { featureGates, attempts } = flags;
  return {
    ...{ manifests, nodes, shapes, workload },
    openb: openb && pairOf(openb, '--openb', 'files, NODES.csv and PODS.csv'),
    ...{
      alibaba,
      trace,
      ...(attempts && { attempts }),
      faults,
      lose,
      config,
      until,
      percentageOfNodesToScore,
      featureGates,
      seed,
      tieBreak,
    },
    ...schedulersRequest(flags),
    ...(flags.expand ? {} : { expand: false }),
  };
}

function pairOf(texts: readonly string[], flag: string, what: string): readonly [string, string] {
  const [first, second, ...rest] = texts;
  if (first !== undefined && second !== undefined && rest.length === 0) return [first, second];
  throw new CodedError('Usage', `${flag} takes two ${what}, not ${texts.length}`);
}

function refuseNoInput({ manifests, nodes, workload, openb, alibaba, trace }: SimulationRequest): void {
  const isEmpty =
    manifests.length === 0 && [nodes, workload, openb, alibaba, trace].every((input) => input === undefined);
  if (isEmpty) throw new CodedError('Usage', 'nothing to simulate: give objects (-f), --nodes, --workload or a trace');
}

function exitCodeOf(summaries: readonly SimulationSummary[], allowsPending: boolean): number {
  if (summaries.some(({ end }) => end === 'interrupted')) return EXIT_INTERRUPTED;
  // What waits at the end of a recording waited there as well, or is shown among the placements.
  const isBad = summaries.some(
    ({ end, open, placements }) => placements === undefined && (end === 'stuck' || openCount(open) > 0),
  );
  return isBad && !allowsPending ? EXIT_DIFFERENT : 0;
}
