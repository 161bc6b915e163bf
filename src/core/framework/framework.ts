import type { EnabledPlugin } from '../plugins/default-plugins.ts';
import type { CycleState } from './cycle-state.ts';
import type { NodeInfo } from './node-info.ts';
import {
  type FilterPlugin,
  isFilter,
  isPreEnqueue,
  isPreFilter,
  isPreScore,
  isScore,
  type PreEnqueuePlugin,
  type PreFilterPlugin,
  type PreScorePlugin,
  type ScorePlugin,
  type Snapshot,
} from './plugin.ts';
import type { PodInfo } from './pod-info.ts';
import { errorStatus, type Status, unresolvable } from './status.ts';

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
  /** What is said of the nodes that were left out. */
  readonly excluded: Status;
}

/** The plugins of one profile, listed by extension point, and the loops that call them (upstream's frameworkImpl). */
export class Framework {
  readonly preEnqueuePlugins: readonly PreEnqueuePlugin[];
  readonly preFilterPlugins: readonly PreFilterPlugin[];
  readonly filterPlugins: readonly FilterPlugin[];
  readonly preScorePlugins: readonly PreScorePlugin[];
  readonly scorePlugins: readonly WeightedScorePlugin[];

  constructor(enabled: readonly EnabledPlugin[]) {
    const plugins = enabled.map(({ plugin }) => plugin);
    this.preEnqueuePlugins = plugins.filter(isPreEnqueue);
    this.preFilterPlugins = plugins.filter(isPreFilter);
    this.filterPlugins = plugins.filter(isFilter);
    this.preScorePlugins = plugins.filter(isPreScore);
    this.scorePlugins = enabled.flatMap(({ plugin, weight }) => (isScore(plugin) ? [{ plugin, weight }] : []));
  }

  runPreEnqueue(pod: PodInfo): Status | null {
    for (const plugin of this.preEnqueuePlugins) {
      const status = plugin.preEnqueue(pod);
      if (status !== null) return status;
    }
    return null;
  }

  runPreFilter(state: CycleState, pod: PodInfo, snapshot: Snapshot): PreFilterOutcome {
    let nodeNames: ReadonlySet<string> | null = null;
    const limitedBy: string[] = [];
    for (const plugin of this.preFilterPlugins) {
      const outcome = plugin.preFilter(state, pod, snapshot);
      if (outcome === null) continue;
      if ('nodeNames' in outcome) {
        nodeNames = nodeNames === null ? outcome.nodeNames : intersection(nodeNames, outcome.nodeNames);
        limitedBy.push(plugin.name);
      } else if (outcome.code === 'Skip') {
        state.skipFilter.add(plugin.name);
      } else {
        const rejected = outcome.code === 'Error' ? wrapError('PreFilter', outcome) : outcome;
        return { rejected, nodeNames, excluded: unresolvable('') };
      }
    }
    const excluded = unresolvable('', `node(s) didn't satisfy plugin(s) [${limitedBy.sort().join(' ')}]`);
    return { rejected: null, nodeNames, excluded };
  }

  /** Why no node needs to be looked at: a PreFilter rejection, or none of the nodes that it leaves exists. */
  rejectedByPreFilter({ rejected, nodeNames, excluded }: PreFilterOutcome, snapshot: Snapshot): Status | null {
    if (rejected !== null || nodeNames === null) return rejected;
    for (const name of nodeNames) if (snapshot.node(name) !== undefined) return null;
    return excluded;
  }

  /** The first rejection in filter order; null when every plugin accepts the node. */
  runFilter(active: readonly FilterPlugin[], state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    for (const plugin of active) {
      const status = plugin.filter(state, pod, node);
      if (status !== null) return status;
    }
    return null;
  }

  /** An Error status, or null. */
  runPreScore(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]): Status | null {
    for (const plugin of this.preScorePlugins) {
      const status = plugin.preScore(state, pod, nodes);
      if (status?.code === 'Skip') state.skipScore.add(plugin.name);
      else if (status !== null) return wrapError('PreScore', status);
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

function intersection(a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> {
  return new Set([...a].filter((name) => b.has(name)));
}

function wrapError(step: string, status: Status): Status {
  return errorStatus(status.plugin, `running ${step} plugin "${status.plugin}": ${status.reasons.join(', ')}`);
}
