import { type Logger, NO_LOGGER } from '../../lib/logger.ts';
import type { CycleState } from '../cycle-state.ts';
import type { NodeInfo } from '../node-info.ts';
import {
  type FilterPlugin,
  hasPreFilterExtensions,
  isFilter,
  isPostFilter,
  isPreEnqueue,
  isPreFilter,
  isPreScore,
  isQueueSort,
  isScore,
  type Plugin,
  type PodNominator,
  type PostFilterPlugin,
  type PreEnqueuePlugin,
  type PreFilterExtensions,
  type PreFilterPlugin,
  type PreScorePlugin,
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

/** What the PreFilter steps leave of the search. */
export interface PreFilterOutcome {
  /** The pod is rejected on all nodes at once, or the step failed (code Error). */
  readonly rejected: Status | null;
  /** Only these nodes need to be looked at; null for all. */
  readonly nodeNames: ReadonlySet<string> | null;
  /** Who left nodes out. */
  readonly limitedBy: readonly string[];
  /** What is said of the nodes that were left out. */
  readonly excluded: Status;
}

const NOBODY: ReadonlySet<string> = new Set();

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
  /** Names of those with a topology form: an engine may know their answers without PreFilter, Filter and PreScore. */
  readonly topologyPlugins: ReadonlySet<string>;
  /** What follows a decision. */
  readonly binding: BindingFramework;
  /** The order of the queue, where it is not by priority. */
  readonly less: QueueSortPlugin['less'] | undefined;

  /**
   * Some plugin's Filter or Score is called without the step that prepares it. It may do that step's work itself, or
   * fail the attempt.
   */
  readonly isIncomplete: boolean;

  constructor(plugins: FrameworkPlugins, activeTrace = new ActiveTrace(), logger = NO_LOGGER) {
    const { byPoint, scoreWeights } = plugins;
    this.activeTrace = activeTrace;
    this.logger = logger;
    this.binding = new BindingFramework(plugins);
    this.less = byPoint.queueSort?.find(isQueueSort)?.less;
    const { preEnqueue = [], preFilter = [], filter = [], postFilter = [], preScore = [], score = [] } = byPoint;
    this.preEnqueuePlugins = preEnqueue.filter(isPreEnqueue);
    this.preFilterPlugins = preFilter.filter(isPreFilter);
    this.preFilterExtensions = this.preFilterPlugins.flatMap((plugin) =>
      hasPreFilterExtensions(plugin) ? [plugin] : [],
    );
    this.filterPlugins = filter.filter(isFilter);
    this.postFilterPlugins = postFilter.filter(isPostFilter);
    this.preScorePlugins = preScore.filter(isPreScore);
    this.scorePlugins = score.filter(isScore).map((plugin) => ({ plugin, weight: scoreWeights.get(plugin.name) ?? 1 }));
    const all: readonly Plugin[] = [...preFilter, ...filter, ...preScore, ...score];
    this.topologyPlugins = new Set(all.filter(({ topology }) => topology).map(({ name }) => name));
    const lacksPreFilter = (plugin: Plugin) => isPreFilter(plugin) && !this.preFilterPlugins.includes(plugin);
    const lacksPreScore = (plugin: Plugin) => isPreScore(plugin) && !this.preScorePlugins.includes(plugin);
    this.isIncomplete =
      this.filterPlugins.some(lacksPreFilter) ||
      this.scorePlugins.some(({ plugin }) => lacksPreFilter(plugin) || lacksPreScore(plugin));
  }

  /** `trace` null: for one of many pods, where watching would cost more than asking. */
  runPreEnqueue(pod: PodInfo, trace: Trace | null = this.activeTrace.trace): Status | null {
    trace?.start('preEnqueue');
    const status = this.#preEnqueue(pod, trace);
    trace?.end();
    return status;
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

  /** `except`: plugins that are not asked, for a caller that has their answers in another way. */
  runPreFilter(
    state: CycleState,
    pod: PodInfo,
    snapshot: Snapshot,
    except: ReadonlySet<string> = NOBODY,
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
        // Preemption may help: it needs the state of the plugins that follow.
        rejected = outcome;
      } else {
        const final = outcome.code === 'Error' ? wrapError('PreFilter', outcome) : outcome;
        return { rejected: final, nodeNames, limitedBy, excluded: unresolvable('') };
      }
    }
    return { rejected, nodeNames, limitedBy, excluded: leftOut(limitedBy) };
  }

  /**
   * Why no node needs to be looked at: a PreFilter rejection, or none of the nodes that it leaves exists. The node that
   * is nominated for the pod is looked at even if it is not among them.
   */
  rejectedByPreFilter(outcome: PreFilterOutcome, snapshot: Snapshot, pod: PodInfo): Status | null {
    const { rejected, nodeNames, excluded } = outcome;
    if (rejected !== null || nodeNames === null) return rejected;
    if (snapshot.node(pod.nominatedNodeName) !== undefined) return null;
    for (const name of nodeNames) if (snapshot.node(name) !== undefined) return null;
    return excluded;
  }

  /** The first rejection in filter order; null when every plugin accepts the node. */
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
   * `runFilter` for a node for which pods are nominated. Those of equal or higher priority count as if they ran there;
   * and the pod must also fit without them, for they may never come (upstream's RunFilterPluginsWithNominatedPods).
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

  /** Tells the PreFilter state of a pod that was put on the node; an Error status, or null. */
  runAddPod(state: CycleState, podToSchedule: PodInfo, podToAdd: PodInfo, node: NodeInfo): Status | null {
    for (const plugin of this.preFilterExtensions) {
      if (state.skipFilter.has(plugin.name)) continue;
      const status = plugin.addPod(state, podToSchedule, podToAdd, node);
      if (status !== null) return wrapError('AddPod on PreFilter', status);
    }
    return null;
  }

  /** The same for a pod that was taken off the node. */
  runRemovePod(state: CycleState, podToSchedule: PodInfo, podToRemove: PodInfo, node: NodeInfo): Status | null {
    for (const plugin of this.preFilterExtensions) {
      if (state.skipFilter.has(plugin.name)) continue;
      const status = plugin.removePod(state, podToSchedule, podToRemove, node);
      if (status !== null) return wrapError('RemovePod on PreFilter', status);
    }
    return null;
  }

  /** An Error status, or null. `except` as in `runPreFilter`. */
  runPreScore(
    state: CycleState,
    pod: PodInfo,
    nodes: readonly NodeInfo[],
    except: ReadonlySet<string> = NOBODY,
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

  /** Why scoring fails before it begins: an Error status, or null. */
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

/** Of the pods that are nominated on a node, those for which room must be left: of equal or higher priority. */
export function nominatedAhead(nominated: readonly PodInfo[], pod: PodInfo): readonly PodInfo[] {
  if (nominated.length === 0) return nominated;
  return nominated.filter((other) => other.priority >= pod.priority && !other.isSamePod(pod));
}

/**
 * What is said of the nodes that PreFilter left out, once the pod's own nominated node has been rejected: upstream adds
 * the plugin that did so to the same set of names.
 */
export function excludedAfter(own: Status, { limitedBy, excluded }: PreFilterOutcome): Status {
  return own.plugin === '' || limitedBy.includes(own.plugin) ? excluded : leftOut([...limitedBy, own.plugin]);
}

function leftOut(plugins: readonly string[]): Status {
  return unresolvable('', `node(s) didn't satisfy plugin(s) [${plugins.toSorted().join(' ')}]`);
}

function intersection(a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> {
  return new Set([...a].filter((name) => b.has(name)));
}

/** What the framework makes of a filter's answer. Upstream puts the words of an error the other way round here. */
export function filterRejection(status: Status): Status {
  const { code, plugin, reasons } = status;
  return code === 'Error' ? errorStatus(plugin, `running "${plugin}" filter plugin: ${reasons.join(', ')}`) : status;
}

function wrapError(step: string, status: Status): Status {
  return errorStatus(status.plugin, `running ${step} plugin "${status.plugin}": ${status.reasons.join(', ')}`);
}
