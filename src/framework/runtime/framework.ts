import type { Pod } from '../../api/pod.ts';
import { type Logger, NO_LOGGER } from '../../lib/logger.ts';
import type { CycleState } from '../cycle-state.ts';
import type { NodeInfo } from '../node-info.ts';
import {
  type FilterPlugin,
  hasMethod,
  type Plugin,
  type PodNominator,
  type PostFilterPlugin,
  type PreEnqueuePlugin,
  type PreFilterExtensions,
  type PreFilterPlugin,
  type PreScorePlugin,
  pluginsWith,
  type QueueSortPlugin,
  type ScorePlugin,
  type Snapshot,
} from '../plugin.ts';
import type { PodInfo } from '../pod-info.ts';
import { errorStatus, type Status, unresolvable } from '../status.ts';
import { ActiveTrace } from '../tracing/active-trace.ts';
import type { Trace } from '../tracing/tracer.ts';
import { BindingFramework } from './binding-framework.ts';
import type { FrameworkPlugins } from './framework-plugins.ts';

export interface WeightedScorePlugin {
  readonly plugin: ScorePlugin;
  readonly weight: number;
}

/** The nodes that remain for filtering after PreFilter. */
export interface PreFilterOutcome {
  /** The status if the pod is rejected on all nodes, or the step failed (code Error); null otherwise. */
  readonly rejected: Status | null;
  /** The nodes that remain; null for all nodes. */
  readonly nodeNames: ReadonlySet<string> | null;
  /** The plugins that excluded nodes. */
  readonly limitedBy: readonly string[];
  /** The status of the excluded nodes. */
  readonly excluded: Status;
}

const NO_NAMES: ReadonlySet<string> = new Set();
const EXCLUDED_BY_NONE = unresolvable('', "node(s) didn't satisfy plugin(s) []");

/** The plugins of one profile, listed by extension point, and the loops that call them (upstream's frameworkImpl). */
export class Framework {
  readonly activeTrace: ActiveTrace;
  readonly logger: Logger;
  readonly preEnqueuePlugins: readonly PreEnqueuePlugin[];
  readonly preFilterPlugins: readonly PreFilterPlugin[];
  readonly preFilterExtensions: readonly PreFilterExtensions[];
  readonly filterPlugins: readonly FilterPlugin[];
  readonly postFilterPlugins: readonly PostFilterPlugin[];
  readonly preScorePlugins: readonly PreScorePlugin[];
  readonly scorePlugins: readonly WeightedScorePlugin[];
  /** The names of plugins with a topology form: engines may compute their answers without calling their methods. */
  readonly topologyPlugins: ReadonlySet<string>;
  /** Runs the extension points that follow a decision. */
  readonly binding: BindingFramework;
  /** The order of the queue; undefined for the order of PrioritySort. */
  readonly less: QueueSortPlugin['less'] | undefined;

  /**
   * Whether some plugin's Filter or Score is called without the step that prepares it. Such a plugin may do the step's
   * work itself, or fail the attempt.
   */
  readonly isIncomplete: boolean;

  constructor(plugins: FrameworkPlugins, activeTrace = new ActiveTrace(), logger = NO_LOGGER) {
    const { byPoint, scoreWeights } = plugins;
    this.activeTrace = activeTrace;
    this.logger = logger;
    this.binding = new BindingFramework(plugins);
    this.less = pluginsWith(byPoint.queueSort, 'less')[0]?.less;
    const { preFilter = [], filter = [], preScore = [], score = [] } = byPoint;
    this.preEnqueuePlugins = pluginsWith(byPoint.preEnqueue, 'preEnqueue');
    this.preFilterPlugins = pluginsWith(preFilter, 'preFilter');
    this.preFilterExtensions = pluginsWith(this.preFilterPlugins, 'addPod');
    this.filterPlugins = pluginsWith(filter, 'filter');
    this.postFilterPlugins = pluginsWith(byPoint.postFilter, 'postFilter');
    this.preScorePlugins = pluginsWith(preScore, 'preScore');
    this.scorePlugins = pluginsWith(score, 'score').map((plugin) => ({
      plugin,
      weight: scoreWeights.get(plugin.name) ?? 1,
    }));
    const all: readonly Plugin[] = [...preFilter, ...filter, ...preScore, ...score];
    this.topologyPlugins = new Set(all.filter(({ topology }) => topology).map(({ name }) => name));
    const lacksPreFilter = (plugin: Plugin): boolean =>
      hasMethod(plugin, 'preFilter') && !this.preFilterPlugins.includes(plugin);
    const lacksPreScore = (plugin: Plugin): boolean =>
      hasMethod(plugin, 'preScore') && !this.preScorePlugins.includes(plugin);
    this.isIncomplete =
      this.filterPlugins.some(lacksPreFilter) ||
      this.scorePlugins.some(({ plugin }) => lacksPreFilter(plugin) || lacksPreScore(plugin));
  }

  /** With `trace` null nothing is traced: for one of many pods, where tracing costs more than the plugins. */
  runPreEnqueue(pod: PodInfo, trace: Trace | null = this.activeTrace.trace): Status | null {
    trace?.start('preEnqueue');
    const status = this.#preEnqueue(pod, trace);
    trace?.end();
    return status;
  }

  /** Whether some PreEnqueue plugin may hold back pods with this spec. */
  mayGate(pod: Pod): boolean {
    return this.preEnqueuePlugins.some((plugin) => plugin.gates?.(pod) ?? true);
  }

  #preEnqueue(pod: PodInfo, trace: Trace | null): Status | null {
    for (const plugin of this.preEnqueuePlugins) {
      trace?.startPlugin('preEnqueue', plugin.name);
      const status = plugin.preEnqueue(pod);
      trace?.end(status?.code);
      if (status !== null) return status;
    }
    return null;
  }

  /** `except`: the plugins that are not called, because the caller computes their answers in another way. */
  runPreFilter(
    state: CycleState,
    pod: PodInfo,
    snapshot: Snapshot,
    except: ReadonlySet<string> = NO_NAMES,
  ): PreFilterOutcome {
    const { trace } = this.activeTrace;
    trace?.start('preFilter');
    const outcome = this.#preFilter(state, pod, snapshot, except);
    trace?.end();
    return outcome;
  }

  #preFilter(state: CycleState, pod: PodInfo, snapshot: Snapshot, except: ReadonlySet<string>): PreFilterOutcome {
    const { trace } = this.activeTrace;
    let nodeNames: ReadonlySet<string> | null = null;
    let rejected: Status | null = null;
    const limitedBy: string[] = [];
    for (const plugin of this.preFilterPlugins) {
      if (except.has(plugin.name)) continue;
      trace?.startPlugin('preFilter', plugin.name);
      const outcome = plugin.preFilter(state, pod, snapshot);
      trace?.end(outcome !== null && 'code' in outcome ? outcome.code : undefined);
      if (outcome === null) continue;
      if ('nodeNames' in outcome) {
        nodeNames = nodeNames === null ? outcome.nodeNames : intersection(nodeNames, outcome.nodeNames);
        limitedBy.push(plugin.name);
      } else if (outcome.code === 'Skip') {
        state.skipFilter.add(plugin.name);
      } else if (outcome.code === 'Unschedulable') {
        // Preemption may help, and needs the state of the following plugins.
        rejected = outcome;
      } else {
        const final = outcome.code === 'Error' ? wrapError('PreFilter', outcome) : outcome;
        return { rejected: final, nodeNames, limitedBy, excluded: unresolvable('') };
      }
    }
    return { rejected, nodeNames, limitedBy, excluded: excludedBy(limitedBy) };
  }

  /**
   * Returns a status if no node is to be filtered, because PreFilter rejected the pod, or because none of the nodes
   * that it leaves exists. The pod's nominated node is filtered even if PreFilter excluded it.
   */
  rejectedByPreFilter(outcome: PreFilterOutcome, snapshot: Snapshot, pod: PodInfo): Status | null {
    const { rejected, nodeNames, excluded } = outcome;
    if (rejected !== null || nodeNames === null) return rejected;
    if (snapshot.node(pod.nominatedNodeName) !== undefined) return null;
    for (const name of nodeNames) if (snapshot.node(name) !== undefined) return null;
    return excluded;
  }

  /** Returns the first rejection in filter order; null if every plugin accepts the node. */
  runFilter(active: readonly FilterPlugin[], state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    const trace = this.activeTrace.trace?.atNode() ?? null;
    for (const plugin of active) {
      trace?.startPlugin('filter', plugin.name, node.name);
      const status = plugin.filter(state, pod, node);
      trace?.end(status?.code);
      if (status === null) continue;
      return filterRejection(status);
    }
    return null;
  }

  /**
   * Runs the filters with the node's nominated pods of equal or higher priority added to the node, and again without
   * them, because they may never be bound there (upstream's RunFilterPluginsWithNominatedPods).
   */
  runFilterWithNominatedPods(
    active: readonly FilterPlugin[],
    state: CycleState,
    pod: PodInfo,
    node: NodeInfo,
    nominator: PodNominator,
  ): Status | null {
    const ahead = nominatedAhead(nominator.nominatedPodsForNode(node.name), pod);
    if (ahead.length > 0) {
      const [nodeWith, stateWith] = [node.clone(), state.clone()];
      for (const nominated of ahead) {
        nodeWith.addPod(nominated);
        const failure = this.runAddPod(stateWith, pod, nominated, nodeWith);
        if (failure !== null) return failure;
      }
      const status = this.runFilter(active, stateWith, pod, nodeWith);
      if (status !== null) return status;
    }
    return this.runFilter(active, state, pod, node);
  }

  /** Updates the PreFilter state for a pod that was added to the node; returns an Error status, or null. */
  runAddPod(state: CycleState, podToSchedule: PodInfo, podToAdd: PodInfo, node: NodeInfo): Status | null {
    for (const plugin of this.preFilterExtensions) {
      if (state.skipFilter.has(plugin.name)) continue;
      const status = plugin.addPod(state, podToSchedule, podToAdd, node);
      if (status !== null) return wrapError('AddPod on PreFilter', status);
    }
    return null;
  }

  /** Updates the PreFilter state for a pod that was removed from the node; returns an Error status, or null. */
  runRemovePod(state: CycleState, podToSchedule: PodInfo, podToRemove: PodInfo, node: NodeInfo): Status | null {
    for (const plugin of this.preFilterExtensions) {
      if (state.skipFilter.has(plugin.name)) continue;
      const status = plugin.removePod(state, podToSchedule, podToRemove, node);
      if (status !== null) return wrapError('RemovePod on PreFilter', status);
    }
    return null;
  }

  /** Returns an Error status, or null. `except` is that of `runPreFilter`. */
  runPreScore(
    state: CycleState,
    pod: PodInfo,
    nodes: readonly NodeInfo[],
    except: ReadonlySet<string> = NO_NAMES,
  ): Status | null {
    const { trace } = this.activeTrace;
    trace?.start('preScore');
    const failure = this.#preScore(state, pod, nodes, except);
    trace?.end();
    return failure;
  }

  #preScore(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[], except: ReadonlySet<string>): Status | null {
    const { trace } = this.activeTrace;
    for (const plugin of this.preScorePlugins) {
      if (except.has(plugin.name)) continue;
      trace?.startPlugin('preScore', plugin.name);
      const status = plugin.preScore(state, pod, nodes);
      trace?.end(status?.code);
      if (status?.code === 'Skip') state.skipScore.add(plugin.name);
      else if (status !== null) return wrapError('PreScore', status);
    }
    return null;
  }

  /** Returns an Error status if some Score plugin lacks the state of a step that the profile does not call. */
  scoreFailure(state: CycleState, pod: PodInfo): Status | null {
    if (!this.isIncomplete) return null;
    for (const { plugin } of this.activeScores(state)) {
      const reason = plugin.scoreFailure?.(state, pod) ?? null;
      if (reason === null) continue;
      return errorStatus(plugin.name, `running Score plugins: plugin "${plugin.name}" failed with: ${reason}`);
    }
    return null;
  }

  activeFilters(state: CycleState): FilterPlugin[] {
    return this.filterPlugins.filter((plugin) => !state.skipFilter.has(plugin.name));
  }

  activeScores(state: CycleState): WeightedScorePlugin[] {
    return this.scorePlugins.filter(({ plugin }) => !state.skipScore.has(plugin.name));
  }
}

/** The nominated pods of a node for which room must be left: those of equal or higher priority. */
export function nominatedAhead(nominated: readonly PodInfo[], pod: PodInfo): readonly PodInfo[] {
  if (nominated.length === 0) return nominated;
  return nominated.filter((other) => other.priority >= pod.priority && !other.isSamePod(pod));
}

/**
 * The status of the nodes that PreFilter excluded, after the pod's nominated node was rejected: upstream adds the
 * plugin that rejected it to the set of names.
 */
export function excludedAfter(own: Status, { limitedBy, excluded }: PreFilterOutcome): Status {
  return own.plugin === '' || limitedBy.includes(own.plugin) ? excluded : excludedBy([...limitedBy, own.plugin]);
}

function excludedBy(plugins: readonly string[]): Status {
  if (plugins.length === 0) return EXCLUDED_BY_NONE;
  return unresolvable('', `node(s) didn't satisfy plugin(s) [${plugins.toSorted().join(' ')}]`);
}

function intersection(a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> {
  return new Set([...a].filter((name) => b.has(name)));
}

/** Adds the filter's name to an error. Upstream's text has another order of words here than at other points. */
export function filterRejection(status: Status): Status {
  const { code, plugin, reasons } = status;
  return code === 'Error' ? errorStatus(plugin, `running "${plugin}" filter plugin: ${reasons.join(', ')}`) : status;
}

function wrapError(step: string, status: Status): Status {
  return errorStatus(status.plugin, `running ${step} plugin "${status.plugin}": ${status.reasons.join(', ')}`);
}
