import fc from 'fast-check';
import type { CycleState } from '../../../src/framework/cycle-state.ts';
import type { NodeColumnsView } from '../../../src/framework/node-columns-view.ts';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import type { PodInfo } from '../../../src/framework/pod-info.ts';
import type { NodeScore, UserPlugin, UserReads } from '../../../src/framework/user-plugin.ts';
import { checkConfiguration, type PluginRegistry, type SchedulerConfiguration } from '../../../src/index.ts';

/** What such a plugin does: an arbitrary rule, in both forms. */
export interface LabRule {
  readonly reads: UserReads;
  readonly byColumns: boolean;
  /** A node is rejected where its load leaves this rest, or the next. */
  readonly rest: number;
  readonly divisor: number;
  /** Raw scores lie below this. */
  readonly scores: number;
  readonly normalization: 'none' | 'scaled' | 'reversed' | 'own';
  readonly weight: number;
}

export const arbitraryLabRule: fc.Arbitrary<LabRule> = fc
  .record({
    reads: fc.constantFrom<UserReads>('nodePods', 'nodePods', 'cluster'),
    byColumns: fc.boolean(),
    rest: fc.nat(5),
    divisor: fc.integer({ min: 2, max: 9 }),
    scores: fc.constantFrom(2, 101, 5000),
    normalization: fc.constantFrom<LabRule['normalization']>('none', 'scaled', 'reversed', 'own'),
    weight: fc.integer({ min: 1, max: 9 }),
  })
  // What is not normalised must lie in 0..100 as it is; and columns are for what can be kept.
  .map((rule) => ({
    ...rule,
    scores: rule.normalization === 'none' ? Math.min(rule.scores, 101) : rule.scores,
    byColumns: rule.byColumns && rule.reads !== 'cluster',
  }));

const STATUSES = [
  { code: 'Unschedulable', reasons: ['the load is odd'] },
  { code: 'UnschedulableAndUnresolvable', reasons: ['the load is hopeless', 'so to speak'] },
] as const;

class Lab implements UserPlugin {
  readonly name = 'Lab';
  readonly filterReads: UserReads;
  readonly scoreReads: UserReads;
  readonly columns = { labels: (node: NodeInfo) => Object.keys(node.node.metadata?.labels ?? {}).length };
  readonly #rule: LabRule;

  constructor(rule: LabRule) {
    this.#rule = rule;
    this.filterReads = rule.reads;
    this.scoreReads = rule.reads;
  }

  dependsOn({ spec }: { readonly spec: { readonly priority?: number | undefined } }): unknown {
    return spec.priority ?? 0;
  }

  filter(_state: CycleState, pod: PodInfo, node: NodeInfo) {
    const code = this.#codeOf(pod, loadOf(node.pods.length, labelCount(node)));
    return code === 0 ? null : STATUSES[code - 1];
  }

  score(_state: CycleState, pod: PodInfo, node: NodeInfo): number {
    return this.#scoreOf(pod, loadOf(node.pods.length, labelCount(node)), Number(node.requested.milliCPU));
  }

  columnStatuses() {
    return STATUSES;
  }

  readonly filterByColumns = (
    pod: PodInfo,
    nodes: NodeColumnsView,
    out: Uint8Array,
    from: number,
    to: number,
  ): void => {
    const [{ requested }, labels] = [nodes.resource('pods'), nodes.own('labels')];
    for (let i = from; i < to; i++) out[i] = this.#codeOf(pod, loadOf(requested[i] ?? 0, labels[i] ?? 0));
  };

  readonly scoreByColumns = (pod: PodInfo, nodes: NodeColumnsView, out: Int32Array, from: number, to: number): void => {
    const [pods, cpu, labels] = [nodes.resource('pods'), nodes.resource('cpu'), nodes.own('labels')];
    for (let i = from; i < to; i++) {
      out[i] = this.#scoreOf(pod, loadOf(pods.requested[i] ?? 0, labels[i] ?? 0), cpu.requested[i] ?? 0);
    }
  };

  #codeOf({ priority }: PodInfo, load: number): number {
    const { rest, divisor } = this.#rule;
    const left = (load + Math.abs(priority % 3)) % divisor;
    return left === rest ? 1 : left === rest + 1 ? 2 : 0;
  }

  #scoreOf({ priority }: PodInfo, load: number, milliCPU: number): number {
    return (load * 7 + Math.abs(priority % 3) + (milliCPU % 997)) % this.#rule.scores;
  }
}

function labelCount({ node }: NodeInfo): number {
  return Object.keys(node.metadata?.labels ?? {}).length;
}

function loadOf(pods: number, labels: number): number {
  return pods * 3 + labels;
}

/** Scores by rank: what a node gets depends on all the others. */
function normalizeByRank(_state: CycleState, _pod: PodInfo, scores: readonly NodeScore[]): null {
  const ranks = [...new Set(scores.map(({ score }) => score))].sort((a, b) => a - b);
  for (const entry of scores) entry.score = Math.min(100, ranks.indexOf(entry.score) * 3);
  return null;
}

export function labPlugins(rule: LabRule): PluginRegistry {
  const { byColumns, normalization } = rule;
  return {
    Lab: () => {
      const lab = new Lab(rule);
      return Object.assign(lab, {
        ...(byColumns && { filterColumns: lab.filterByColumns, scoreColumns: lab.scoreByColumns }),
        ...(normalization === 'own' && { normalizeScore: normalizeByRank }),
        ...(normalization === 'scaled' && { normalize: { reverse: false } }),
        ...(normalization === 'reversed' && { normalize: { reverse: true } }),
      });
    },
  };
}

/** A profile in which the plugin has a word at every point. */
export function configurationWith(plugins: PluginRegistry, weight = 1, more: object = {}): SchedulerConfiguration {
  const enabled = Object.keys(plugins).map((name) => ({ name, weight }));
  const loaded = checkConfiguration(
    {
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      percentageOfNodesToScore: 100,
      profiles: [{ plugins: { multiPoint: { enabled } }, ...more }],
    },
    { plugins },
  );
  if (!loaded.ok) throw new Error(loaded.errors[0]?.message);
  return loaded.configuration;
}
