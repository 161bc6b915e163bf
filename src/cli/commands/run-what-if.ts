import type { Pod } from '../../api/pod.ts';
import type { PodDisruptionBudget } from '../../api/pod-disruption-budget.ts';
import { keyOfPodGroup, type PodGroup, podGroupKeyOf } from '../../api/pod-group.ts';
import { schedulerNames } from '../../config/scheduler-names.ts';
import type { SchedulerOptions } from '../../core/scheduler-options.ts';
import { expandWorkloads } from '../../expansion/expand-workloads.ts';
import { RealClock } from '../../lib/clock.ts';
import { CodedError } from '../../lib/errors.ts';
import { plural } from '../../lib/shown-count.ts';
import { loadCluster } from '../../manifests/load-cluster.ts';
import { type PodSelection, selectPods } from '../../manifests/pod-selection.ts';
import type { Manifests } from '../../manifests/read.ts';
import type { Expand, WorkloadManifest } from '../../manifests/workload-manifest.ts';
import type { Fact } from '../../report/sections.ts';
import { compareConfigurations } from '../../what-if/change-configuration.ts';
import { type DaemonPods, daemonPodsOf } from '../../what-if/daemon-pods.ts';
import { countFates, groupFates, notRunningCount } from '../../what-if/fate.ts';
import type { SampleGroup } from '../../what-if/fit-groups.ts';
import { chooseNodes, namedNodes } from '../../what-if/node-choice.ts';
import { Scaling } from '../../what-if/scaling.ts';
import type { TrialOptions } from '../../what-if/trial.ts';
import { newTrialScheduler } from '../../what-if/trial-scheduler.ts';
import { answer, type Search } from '../../what-if/what-if.ts';
import { expansionFor } from '../flags/expansion.ts';
import { inputFiles } from '../flags/input-flags.ts';
import { DEFAULT_SHAPE } from '../flags/options.ts';
import { refuseExtenders, schedulerOptions } from '../flags/scheduler-flags.ts';
import { isAsked, isOnlyConfig, type WhatIfFlags } from '../flags/what-if-flags.ts';
import { formatWhatIf, type WhatIfResult } from '../output/what-if.ts';
import { inputFacts, originFacts } from '../pages/origin-facts.ts';
import { WhatIfWitness, whatIfPage } from '../pages/what-if-page.ts';
import { Interruption } from '../terminal/interruption.ts';
import { reportFile } from '../terminal/page-program.ts';
import type { Provenance } from '../terminal/provenance.ts';
import { readFiles } from '../terminal/read-files.ts';
import { rereadableFiles } from '../terminal/rereadable-files.ts';
import type { OutputFile, Terminal } from '../terminal/terminal.ts';
import { ignoredGroups } from './groups-of-input.ts';
import { whatIfInTime } from './what-if-in-time.ts';

/** Pods that should run do not: this is not an error, but not the wanted result either. */
const EXIT_NOT_RUNNING = 2;

/** Answers what the flags ask, and returns the exit code. */
export function whatIf(flags: WhatIfFlags, terminal: Terminal, origin: Provenance): Promise<number> {
  return new WhatIf(flags, terminal, origin).run();
}

class WhatIf {
  readonly #flags: WhatIfFlags;
  readonly #terminal: Terminal;
  readonly #interruption: Interruption;
  readonly #origin: Provenance;
  readonly #page: OutputFile | null;
  readonly #witness = new WhatIfWitness();

  constructor(flags: WhatIfFlags, terminal: Terminal, origin: Provenance) {
    this.#origin = origin;
    this.#flags = flags;
    const { files, log } = terminal;
    // A question in time reads its input more than once.
    const inTime = { ...terminal, files: flags.for === undefined ? files : rereadableFiles(files) };
    this.#terminal = { ...inTime, log: flags.quiet ? () => {} : log };
    if (!isAsked(flags) && flags.config === undefined) {
      throw new CodedError('Usage', 'nothing is asked: --lose, --drain, --remove-nodes, ... (--help says more)');
    }
    this.#interruption = new Interruption(terminal);
    // The page is created first, so that a file that cannot be written does not cost the answer.
    this.#page = flags.report === undefined ? null : terminal.createFile(flags.report);
  }

  async run(): Promise<number> {
    const { output, headers, for: forMillis } = this.#flags;
    if (forMillis !== undefined) return this.#inTime(forMillis);
    const result = await this.#answer();
    const facts = [...this.#facts, ['Seed', String(this.#flags.seed)] as const];
    this.#page?.write(reportFile(whatIfPage(result, this.#witness, facts)));
    this.#page?.close();
    const text =
      output === 'json'
        ? `${JSON.stringify(result, null, 2)}\n`
        : formatWhatIf(result, output === 'wide', { hasNoHeader: !headers, width: this.#terminal.columns });
    await this.#terminal.print(text);
    this.#interruption.release();
    return result.notRunning > 0 ? EXIT_NOT_RUNNING : 0;
  }

  get #facts(): readonly Fact[] {
    return [...originFacts(this.#origin), ...inputFacts(this.#flags)];
  }

  /** Asks at once what is to be searched, and simulates what is asked, or was found. */
  async #inTime(forMillis: number): Promise<number> {
    const search = await this.#search();
    const found = search === undefined ? undefined : { search, answer: await this.#answer() };
    this.#interruption.release();
    const options = { forMillis, isOnlyConfig: isOnlyConfig(this.#flags), found, page: this.#page, facts: this.#facts };
    return whatIfInTime(this.#flags, options, this.#terminal);
  }

  async #answer(): Promise<WhatIfResult> {
    const options = await this.#options(this.#flags.config);
    const scaling = this.#flags.scale === undefined ? null : new Scaling(this.#flags.scale, this.#flags.namespace);
    const { manifests, workloads } = await this.#read(scaling, expansionFor(options));
    const selection = selectPods(manifests.pods, schedulerNames(options.configuration));
    for (const warning of ignoredGroups(options, selection)) this.#terminal.log(`warning: ${warning}`);
    const clock = new RealClock();
    const start = clock.nowMillis();
    const result = isOnlyConfig(this.#flags)
      ? await this.#compare(manifests, selection, options)
      : await this.#ask(manifests, selection, options, { scaling, workloads });
    const seconds = (clock.nowMillis() - start) / 1000;
    const pods = result.pods.placedBefore + result.pods.pendingBefore;
    this.#terminal.log(
      `asked of ${plural(manifests.nodes.length, 'node')} and ${plural(pods, 'pod')} in ${seconds.toFixed(2)} s ` +
        `(engine ${this.#flags.engine})`,
    );
    return result;
  }

  async #options(config: string | undefined): Promise<SchedulerOptions> {
    const { engine, index = true, workers = 1, config: _, ...flags } = this.#flags;
    const named = config === undefined ? flags : { ...flags, config };
    const options = await schedulerOptions(named, this.#terminal);
    refuseExtenders(options.configuration);
    // The readers of manifests have checked every object.
    return { ...options, engine, index, workers, validate: false, trustsCaller: true };
  }

  /** Reads the cluster, and the workloads that make its pods. */
  async #read(scaling: Scaling | null, all: Expand) {
    const { strict: isStrict, validate, expand: expands } = this.#flags;
    const workloads: WorkloadManifest[] = [];
    const lacking: Expand = expands ? all : () => ({ pods: [], others: [], notes: [] });
    const expand: Expand = (found, cluster) => {
      workloads.push(...found);
      return scaling === null ? lacking(found, cluster) : scaling.expand(found, cluster, { lacking, all });
    };
    const files = await inputFiles(this.#flags, this.#terminal);
    const reading = { isStrict, validate, ...((expands || scaling !== null) && { expand }) };
    return { manifests: await readFiles(files, this.#terminal, this.#interruption, reading), workloads };
  }

  #trialOptions(): TrialOptions {
    const pause = async () => {
      if (await this.#interruption.pause()) this.#interruption.check();
    };
    const witness = this.#page === null ? undefined : this.#witness;
    return { pause, replacesBare: this.#flags.replaceBare === true, witness };
  }

  async #ask(
    manifests: Manifests,
    selection: PodSelection,
    options: SchedulerOptions,
    { scaling, workloads }: { readonly scaling: Scaling | null; readonly workloads: readonly WorkloadManifest[] },
  ): Promise<WhatIfResult> {
    const { lose = [], drain } = this.#flags;
    const { nodes } = manifests;
    const isNew = (pod: Pod) => scaling?.hasMade(pod) ?? false;
    const question = {
      lose: [...new Set(lose.flatMap((text) => chooseNodes(text, nodes, '--lose')))],
      drain: drain === undefined ? [] : namedNodes(drain, nodes, '--drain'),
      more: selection.pending.filter(isNew),
      shrink:
        scaling === null ? undefined : (trial: Parameters<Scaling['shrink']>[0]) => scaling.shrink(trial, workloads),
      search: await this.#search(this.#flags.expand ? daemonPodsOf(workloads, manifests.pods) : () => []),
    };
    const fit = question.search?.kind === 'fit' ? [question.search.pod] : [];
    const scheduler = newTrialScheduler(options, [...manifests.pods, ...fit]);
    const pending = selection.pending.filter((pod) => !isNew(pod));
    loadCluster(scheduler, manifests, { ...selection, pending });
    const budgets = manifests.others.flatMap(({ kind, object }) =>
      kind === 'PodDisruptionBudget' ? [object as PodDisruptionBudget] : [],
    );
    const result = await answer({ scheduler, pending, budgets }, question, this.#trialOptions());
    scheduler.close();
    return result;
  }

  async #search(daemonPods: DaemonPods = () => []): Promise<Search | undefined> {
    const { removeNodes, addNodes, shape: shapes = [DEFAULT_SHAPE], fit } = this.#flags;
    if (removeNodes) return { kind: 'removeNodes' };
    if (addNodes) return { kind: 'addNodes', shapes, daemonPods };
    return fit === undefined ? undefined : { kind: 'fit', ...(await this.#sampleOf(fit)) };
  }

  /** The pod of `--fit`, or the first pod that a workload in this file makes, with its group if that is there, too. */
  async #sampleOf(file: string): Promise<{ readonly pod: Pod; readonly group?: SampleGroup }> {
    const reading = { validate: this.#flags.validate, expand: expandWorkloads };
    const { pods, others } = await readFiles([file], { ...this.#terminal, log: () => {} }, this.#interruption, reading);
    const [pod] = pods;
    const key = pod === undefined ? '' : podGroupKeyOf(pod);
    const found = others.find(
      ({ kind, object }) =>
        kind === 'PodGroup' &&
        keyOfPodGroup(object.metadata?.namespace ?? 'default', object.metadata?.name ?? '') === key,
    );
    if (pod !== undefined && found === undefined) return { pod };
    if (pod !== undefined) {
      const podGroup = found?.object as PodGroup;
      return { pod, group: { podGroup, pods: pods.filter((each) => podGroupKeyOf(each) === key) } };
    }
    throw new CodedError('NotFound', `--fit ${file}: there is no pod in it, and no workload that makes one`);
  }

  async #compare(manifests: Manifests, selection: PodSelection, options: SchedulerOptions): Promise<WhatIfResult> {
    const today = await this.#options(this.#flags.fromConfig);
    const { pods: all } = manifests;
    const schedulers = [newTrialScheduler(today, all), newTrialScheduler(options, all)] as const;
    const compared = await compareConfigurations(manifests, selection, schedulers, this.#trialOptions());
    for (const scheduler of schedulers) scheduler.close();
    const { fates, ...pods } = compared;
    const groups = groupFates(fates);
    const nodes = { before: manifests.nodes.length, after: manifests.nodes.length };
    return { nodes, pods, counts: countFates(groups), notRunning: notRunningCount(groups), groups };
  }
}
