import type { ObjectKind } from '../../api/kinds.ts';
import type { Labels } from '../../api/meta.ts';
import type { Pod, PodSpec } from '../../api/pod.ts';
import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { TopologyForm } from '../../framework/column-forms.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { affinityTermsOf } from '../../plugins/inter-pod-affinity/terms.ts';
import { AffinityPlan } from './affinity-plan.ts';
import { countedPodsKey, planKey } from './counted-pods-key.ts';
import { SpreadPlan } from './spread-plan.ts';
import type { KnownPod, TopologyIndex } from './topology-index.ts';
import { type PlannedPlugin, type PlannedPlugins, TopologyPlan } from './topology-plan.ts';

/** The kinds of objects from which default constraints take their selectors. */
const OWNER_KINDS: readonly ObjectKind[] = ['Service', 'ReplicationController', 'ReplicaSet', 'StatefulSet'];
const READ_KINDS: readonly ObjectKind[] = ['Namespace', ...OWNER_KINDS];

/**
 * Stands for a pod without a plan, because a selector is malformed, for example: the plugins' own methods must be
 * called.
 */
export const BROKEN_PLAN = 'broken';

/** The plan of pods with the same spec and labels and without an owner. */
interface KnownPlan {
  readonly labels: Labels | undefined;
  readonly namespace: string;
  readonly plan: TopologyPlan | typeof BROKEN_PLAN;
}

export interface TopologyPlansModules {
  readonly index: TopologyIndex;
  readonly framework: Framework;
  readonly cluster: ClusterState;
}

/** Plans by the parts of pods on which they depend; all are dropped when an object changes that they have read. */
export class TopologyPlans {
  readonly #modules: TopologyPlansModules;
  readonly #plugins: PlannedPlugins;
  readonly #plans = new Map<string, TopologyPlan | typeof BROKEN_PLAN>();
  /** The plans of pods without spread constraints, by all that affinity depends on. */
  readonly #affinityPlans = new Map<string, TopologyPlan>();
  #bySpec = new WeakMap<PodSpec, KnownPlan>();
  #byKnownPod = new WeakMap<KnownPod, TopologyPlan | typeof BROKEN_PLAN>();
  /** The pod whose plan was asked for last. */
  #last: { readonly pod: Pod; readonly plan: TopologyPlan | typeof BROKEN_PLAN } | null = null;
  #version = 0;

  constructor(modules: TopologyPlansModules) {
    this.#modules = modules;
    this.#plugins = { spread: planned(modules.framework, 'spread'), affinity: planned(modules.framework, 'affinity') };
  }

  get size(): number {
    return this.#plans.size;
  }

  /** Drops all plans; called before their counters are dropped. */
  clear(): void {
    this.#plans.clear();
    this.#affinityPlans.clear();
    this.#last = null;
    this.#bySpec = new WeakMap();
    this.#byKnownPod = new WeakMap();
  }

  /** Returns null if no plugin has rules for the pod, until a pod or an object is added. */
  planOf(pod: PodInfo): TopologyPlan | typeof BROKEN_PLAN | null {
    if (!this.#concerns(pod)) return null;
    this.#forgetStale();
    const plan = this.#planOf(pod);
    if (plan !== BROKEN_PLAN && plan.isAmbiguous(this.#modules.cluster.nodeCount)) return BROKEN_PLAN;
    return plan;
  }

  /** An attempt by index that fails is followed by a cycle for the same pod. */
  #planOf(pod: PodInfo): TopologyPlan | typeof BROKEN_PLAN {
    if (this.#last !== null && this.#last.pod === pod.pod) return this.#last.plan;
    const known = this.#modules.index.knownPod(pod);
    const plan = known === null ? (this.#known(pod) ?? this.#lookUp(pod)) : this.#ofKnownPod(known, pod);
    this.#last = { pod: pod.pod, plan };
    return plan;
  }

  #ofKnownPod(known: KnownPod, pod: PodInfo): TopologyPlan | typeof BROKEN_PLAN {
    let plan = this.#byKnownPod.get(known);
    if (plan === undefined) {
      plan = this.#lookUp(pod);
      this.#byKnownPod.set(known, plan);
    }
    return plan;
  }

  /** The plan by the identity of spec and labels, which pods of one template share. */
  #known({ pod, namespace }: PodInfo): TopologyPlan | typeof BROKEN_PLAN | undefined {
    const { labels, ownerReferences, deletionTimestamp } = pod.metadata ?? {};
    const known = pod.spec && this.#bySpec.get(pod.spec);
    if (known === undefined || known.labels !== labels || known.namespace !== namespace) return undefined;
    return ownerReferences || deletionTimestamp ? undefined : known.plan;
  }

  #lookUp(pod: PodInfo): TopologyPlan | typeof BROKEN_PLAN {
    const key = planKey(pod, this.#modules.index.parts);
    let plan = this.#plans.get(key);
    if (plan === undefined) {
      plan = this.#makePlan(pod);
      this.#plans.set(key, plan);
    }
    const { spec, metadata } = pod.pod;
    if (spec && !metadata?.ownerReferences && !metadata?.deletionTimestamp) {
      this.#bySpec.set(spec, { labels: metadata?.labels, namespace: pod.namespace, plan });
    }
    return plan;
  }

  #concerns({ pod }: PodInfo): boolean {
    const { topologySpreadConstraints, affinity } = pod.spec ?? {};
    return (
      (topologySpreadConstraints?.length ?? 0) > 0 ||
      Boolean(affinity?.podAffinity || affinity?.podAntiAffinity) ||
      !this.areQuiet
    );
  }

  /** Whether only a pod's own constraints matter, because neither terms of other pods nor default ones exist. */
  get areQuiet(): boolean {
    const { index, cluster } = this.#modules;
    return index.ownedTerms.list.length === 0 && cluster.objects.versionOf(OWNER_KINDS) === 0;
  }

  #forgetStale(): void {
    const version = this.#modules.cluster.objects.versionOf(READ_KINDS);
    if (version === this.#version) return;
    this.#version = version;
    this.clear();
  }

  #makePlan(pod: PodInfo): TopologyPlan | typeof BROKEN_PLAN {
    const { index, cluster } = this.#modules;
    const { spread: spreading, affinity: attracting } = this.#plugins;
    let spread: SpreadPlan | null = null;
    if (spreading !== undefined) {
      const hard = spreading.form.constraints(pod, 'DoNotSchedule');
      const soft = spreading.form.constraints(pod, 'ScheduleAnyway');
      if ('error' in hard || 'error' in soft) return BROKEN_PLAN;
      if (hard.length + soft.length > 0) {
        spread = new SpreadPlan(index, pod, hard, soft, spreading.form.requiresAllKeys(pod));
      }
    }
    if (attracting !== undefined && affinityTermsOf(pod).error !== null) return BROKEN_PLAN;
    const newPlan = (): TopologyPlan => {
      const affinity = attracting ? new AffinityPlan(index, pod, cluster.objects, attracting.form) : null;
      return new TopologyPlan(spread, affinity, this.#plugins);
    };
    if (spread !== null) return newPlan();
    return getOrMake(this.#affinityPlans, countedPodsKey(pod, index.parts), newPlan);
  }
}

/** The plugin with a form of this kind whose PreFilter or PreScore is called, because only those can fail a pod. */
function planned<Kind extends TopologyForm['kind']>(
  { preFilterPlugins, filterPlugins, preScorePlugins }: Framework,
  kind: Kind,
): PlannedPlugin<Extract<TopologyForm, { kind: Kind }>> | undefined {
  const isWanted = (form: TopologyForm | undefined): form is Extract<TopologyForm, { kind: Kind }> => {
    return form?.kind === kind;
  };
  for (const { name, topology } of [...preFilterPlugins, ...preScorePlugins]) {
    if (!isWanted(topology)) continue;
    return { name, form: topology, position: filterPlugins.findIndex((plugin) => isWanted(plugin.topology)) };
  }
  return undefined;
}
