import { DEFAULT_SCHEDULER_NAME, schedulerNameOf } from '../api/defaults.ts';
import type { Pod } from '../api/pod.ts';
import { defaultSchedulerConfiguration } from '../caller/load-configuration.ts';
import { PlacedPods } from '../caller/placed-pods.ts';
import type { SchedulerConfiguration, SchedulerProfile } from '../config/configuration.ts';
import { featureGates } from '../config/feature-gates.ts';
import { DEFAULT_LIMITS, type RunnerFactory } from '../engine/columns/column-engine-options.ts';
import { newEngine, reasonAgainstColumns } from '../engine/new-engine.ts';
import { PodEncoder } from '../engine/signature/pod-encoder.ts';
import type { RequirementsOf } from '../framework/cluster/cluster-pods.ts';
import { ClusterState } from '../framework/cluster/cluster-state.ts';
import type { Handle } from '../framework/handle.ts';
import { NodeSearch } from '../framework/node-search.ts';
import type { Plugin } from '../framework/plugin.ts';
import { DEFAULT_ENVIRONMENT, type PluginEnvironment } from '../framework/plugin-definition.ts';
import { podRequirements } from '../framework/pod-info.ts';
import { Framework } from '../framework/runtime/framework.ts';
import { ALL_TIES, type DrawTie } from '../framework/tie-break.ts';
import { ActiveTrace } from '../framework/tracing/active-trace.ts';
import { RealClock } from '../lib/clock.ts';
import { combined } from '../lib/combined.ts';
import { type Logger, NO_LOGGER } from '../lib/logger.ts';
import { Prng } from '../lib/prng.ts';
import { pluginsOf } from '../plugins/make-plugins.ts';
import { OutOfTree } from '../plugins/out-of-tree.ts';
import { definitionOf } from '../plugins/registry.ts';
import { newRunner } from '../pool/new-runner.ts';
import type { Profile } from './decision/profile.ts';
import { extendersOf } from './extenders/extender.ts';
import { kernelHostsOf } from './kernel-hosts.ts';
import { PlaceByIndex } from './place-by-index.ts';
import { PodTemplates, type RequirementsMakers } from './pod-templates.ts';
import type { SchedulerOptions } from './scheduler-options.ts';

export interface ProfilesModules {
  readonly createRunner?: RunnerFactory | undefined;
  /** The default configuration, if another scheduler has made it already. */
  readonly defaults?: SchedulerConfiguration | undefined;
  /** The plugins' handle on a scheduler with a store; absent without a store. */
  readonly handle?: Handle | undefined;
  /** Makes the plugins of a profile; absent: from the registry. */
  readonly makePlugins?: typeof pluginsOf | undefined;
  /** Picks among `random` ties; absent: draws by the seed. */
  readonly draw?: DrawTie | undefined;
  /** Without `draw`: the number of first ties among which one is drawn; absent: all. */
  readonly drawnTies?: number | undefined;
}

/** The profiles of a configuration, with the cluster state that they share. */
export class Profiles {
  readonly cluster: ClusterState;
  readonly templates: PodTemplates;
  /** The pods on nodes that were checked; null if an engine remembers nothing. */
  readonly placed: PlacedPods | null = null;
  readonly placeByIndex: PlaceByIndex;
  readonly activeTrace: ActiveTrace;
  readonly logger: Logger;
  readonly configuration: SchedulerConfiguration;
  /** Which features are on, and what time it is. */
  readonly environment: PluginEnvironment;
  /** What decides ties, and where searches start: every decision may change it. */
  readonly turns: { readonly prng: Prng; readonly search: NodeSearch };
  readonly #byName = new Map<string, Profile>();
  /** Whether the default profile schedules all pods, because there is no configuration. */
  readonly #isForAll: boolean;

  constructor(options: SchedulerOptions, modules: ProfilesModules = {}) {
    const { createRunner, handle, makePlugins = pluginsOf, drawnTies = ALL_TIES } = modules;
    const { engine = 'simd', index = true, workers = 1, tieBreak = 'first', seed = 1, preemption = true } = options;
    const logger = (options.logger ?? NO_LOGGER).named('scheduler');
    const kernelHosts = kernelHostsOf(options);
    this.logger = logger;
    const runnerModules = { clock: new RealClock(), logger: logger.named('pool') };
    const runnerOf: RunnerFactory = createRunner ?? ((modules) => newRunner(combined(modules, runnerModules), workers));
    this.activeTrace = new ActiveTrace(options.tracer);
    this.#isForAll = options.configuration === undefined && handle === undefined;
    this.configuration = options.configuration ?? modules.defaults ?? defaultConfiguration();
    let requirementsOf: RequirementsOf = podRequirements;
    const cluster = new ClusterState((pod, nodeName) => requirementsOf(pod, nodeName));
    this.cluster = cluster;
    const prng = new Prng(seed);
    const search = new NodeSearch();
    this.turns = { prng, search };
    const draw = modules.draw ?? ((ties) => prng.below(Math.min(ties, drawnTies)));
    const extenders = extendersOf(this.configuration.extenders, logger.named('extender'));
    if (extenders.length > 0 && options.extenderTransport === undefined) {
      logger.warn('nobody carries requests to the extenders', { extenders: extenders.map(({ name }) => name) });
    }
    // The queue of a scheduler on a store has called the PreEnqueue plugins already.
    const asksGates = handle === undefined;
    const shared = { cluster, search, tieBreak, draw, preemption, asksGates, extenders };
    const pluginHandle = { snapshot: cluster, nominator: cluster, store: handle ?? null };
    this.environment = environmentOf(options);
    const outOfTree = new OutOfTree(options.plugins ?? {}, pluginHandle);
    for (const profile of this.configuration.profiles) {
      const plugins = makePlugins(profile, cluster, handle, outOfTree, this.environment);
      const framework = new Framework(plugins, this.activeTrace, logger);
      const percentageOfNodesToScore =
        options.percentageOfNodesToScore ??
        profile.percentageOfNodesToScore ??
        this.configuration.percentageOfNodesToScore;
      if (engine !== 'reference') warnOfReference(profile, framework, logger);
      const { objects = DEFAULT_LIMITS.objects, bytes = DEFAULT_LIMITS.bytes } = options.limits ?? {};
      const kernelOptions = { limits: { objects, bytes }, newKernelHost: kernelHosts };
      const made = newEngine(engine, framework, cluster, index, runnerOf, kernelOptions);
      this.#byName.set(profile.schedulerName, newProfile(shared, framework, made, percentageOfNodesToScore));
    }
    let plugins: readonly Plugin[] = [];
    let besideNode: RequirementsMakers['besideNode'] = null;
    if (engine !== 'reference') {
      const encoder = new PodEncoder(...[...this.all()].map(({ framework }) => framework));
      const placed = new PlacedPods((pod) => encoder.encodePlaced(pod));
      this.placed = placed;
      requirementsOf = (pod, nodeName) => (nodeName === '' ? encoder.encode(pod) : placed.requirementsOf(pod));
      const isOwn = ({ name }: Plugin): boolean => definitionOf(name) === undefined;
      if (!encoder.allPlugins.some(isOwn)) besideNode = (pod) => encoder.encodeBesideNode(pod);
      plugins = encoder.plugins.filter(isOwn);
    }
    this.templates = new PodTemplates(
      { of: (pod) => requirementsOf(pod, ''), besideNode },
      (pod) => this.of(pod),
      plugins,
    );
    this.placeByIndex = new PlaceByIndex({
      cluster,
      tieBreak,
      draw,
      drawnTies: modules.draw ? ALL_TIES : drawnTies,
      activeTrace: this.activeTrace,
    });
    const profiles = [...this.#byName.keys()];
    logger.info('set up', { engine, index, workers, tieBreak, seed, profiles, extenders: extenders.length });
  }

  all(): Iterable<Profile> {
    return this.#byName.values();
  }

  /** Releases what the engines use, for others. Nothing is decided afterwards. */
  release(): void {
    for (const { engine } of this.all()) engine.release();
  }

  /** The profiles by scheduler name. */
  entries(): Iterable<readonly [string, Profile]> {
    return this.#byName;
  }

  /** Returns the profile that is responsible for the pod; undefined if there is none. */
  of(pod: Pod): Profile | undefined {
    return this.#byName.get(this.#isForAll ? DEFAULT_SCHEDULER_NAME : schedulerNameOf(pod));
  }
}

/** Read once: to decode and to check the defaults takes a third of the time in which a scheduler is made. */
let defaults: SchedulerConfiguration | null = null;

function environmentOf({
  featureGates: given,
  configuration,
  clock = DEFAULT_ENVIRONMENT.clock,
}: SchedulerOptions): PluginEnvironment {
  return { gates: featureGates(given, configuration), clock };
}

function warnOfReference({ schedulerName: profile }: SchedulerProfile, framework: Framework, logger: Logger): void {
  const reason = reasonAgainstColumns(framework);
  if (reason !== null) logger.warn('a profile needs the reference engine', { profile, reason });
}

function defaultConfiguration(): SchedulerConfiguration {
  defaults ??= { ...defaultSchedulerConfiguration(), percentageOfNodesToScore: 100 };
  return defaults;
}

/**
 * Names each member: objects that are made by spreading another may each have a hidden class of their own, and hot code
 * would be compiled anew for every scheduler.
 */
function newProfile(
  shared: Omit<Profile, 'framework' | 'engine' | 'percentageOfNodesToScore'>,
  framework: Framework,
  engine: Profile['engine'],
  percentageOfNodesToScore: number,
): Profile {
  const { cluster, search, tieBreak, draw, preemption, asksGates, extenders } = shared;
  return {
    cluster,
    search,
    tieBreak,
    draw,
    preemption,
    asksGates,
    extenders,
    framework,
    engine,
    percentageOfNodesToScore,
  };
}
