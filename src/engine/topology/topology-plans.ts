import type { ObjectKind } from '../../api/kinds.ts';
import type { Pod } from '../../api/pod.ts';
import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { TopologyForm } from '../../framework/column-forms.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import { assert } from '../../lib/assert.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { SecondChances, type Used } from '../../lib/second-chances.ts';
import { affinityTermsOf } from '../../plugins/inter-pod-affinity/terms.ts';
import { AffinityPlan } from './affinity-plan.ts';
import { countedPodsKey, planKey, planParts } from './counted-pods-key.ts';
import { CounterLease } from './counter-lease.ts';
import { isSameSources, OWNER_KINDS, type PlanSources, planSources } from './plan-sources.ts';
import type { PlannedPlugin, PlannedPlugins } from './planned-plugins.ts';
import { SpreadPlan } from './spread-plan.ts';
import type { TopologyIndex } from './topology-index.ts';
import { TopologyPlan } from './topology-plan.ts';

const READ_KINDS: readonly ObjectKind[] = ['Namespace', ...OWNER_KINDS];

/**
 * Stands for a pod without a plan, because a selector is malformed, for example: the plugins' own methods must be
 * called.
 */
export const BROKEN_PLAN = 'broken';

/** A plan with the counters that it uses, which several kept plans may share. */
interface SharedPlan {
  readonly plan: TopologyPlan | typeof BROKEN_PLAN;
  readonly lease: CounterLease;
  /** The key of its pods if it is shared by all that affinity depends on; null if it is not shared. */
  readonly affinityKey: string | null;
  holders: number;
}

/** The plan of pods that are alike. */
interface KeptPlan extends Used {
  readonly key: string;
  /** One of the pods; null when the plan was given up, since known pods may keep this object alive for long. */
  pod: PodInfo | null;
  /** Null when the plan was given up. */
  shared: SharedPlan | null;
  /** What the plan has read of the cluster's objects. */
  readonly sources: PlanSources;
  /** The version of all objects when the sources were last found to be the same. */
  version: number;
  lastUse: number;
}

export interface TopologyPlansModules {
  readonly index: TopologyIndex;
  readonly framework: Framework;
  readonly cluster: ClusterState;
}

/**
 * Plans by the parts of pods on which they depend. A plan is made anew when an object has changed that it has read, and
 * no other; one that was not used for long may be given up.
 */
export class TopologyPlans {
  readonly #modules: TopologyPlansModules;
  readonly #plugins: PlannedPlugins;
  readonly #plans = new Map<string, KeptPlan>();
  readonly #line = new SecondChances<KeptPlan>();
  /** The plans of pods without spread constraints, by all that affinity depends on. */
  readonly #affinityPlans = new Map<string, SharedPlan>();
  /** The pod whose plan was asked for last. */
  #last: { readonly pod: Pod; readonly kept: KeptPlan } | null = null;
  #version = 0;
  #namespaceVersion = 0;
  #uses = 0;

  constructor(modules: TopologyPlansModules) {
    this.#modules = modules;
    this.#plugins = { spread: planned(modules.framework, 'spread'), affinity: planned(modules.framework, 'affinity') };
  }

  get size(): number {
    return this.#plans.size;
  }

  /** Gives up the plan that was used longest ago; returns false if there is none. No plan may be in use. */
  evict(): boolean {
    const oldest = this.#line.oldest(Number.POSITIVE_INFINITY);
    if (oldest === null) return false;
    this.#release(oldest);
    return true;
  }

  #release(kept: KeptPlan): void {
    const { key, pod, shared } = kept;
    if (pod === null || shared === null) return;
    kept.pod = null;
    kept.shared = null;
    this.#line.delete(kept);
    if (this.#plans.get(key) === kept) this.#plans.delete(key);
    if (this.#last?.kept === kept) this.#last = null;
    this.#modules.index.parts.release(planParts(pod));
    if (--shared.holders > 0) return;
    shared.lease.release();
    const { affinityKey } = shared;
    if (affinityKey !== null && this.#affinityPlans.get(affinityKey) === shared) {
      this.#affinityPlans.delete(affinityKey);
    }
  }

  /** Returns null if no plugin has rules for the pod, until a pod or an object is added. */
  planOf(pod: PodInfo): TopologyPlan | typeof BROKEN_PLAN | null {
    if (!this.#concerns(pod)) return null;
    this.#forgetStale();
    const { shared } = this.#planOf(pod);
    assert(shared !== null, 'a plan in use was not given up');
    const { plan } = shared;
    if (plan !== BROKEN_PLAN && plan.isAmbiguous(this.#modules.cluster.nodeCount)) return BROKEN_PLAN;
    return plan;
  }

  /** An attempt by index that fails is followed by a cycle for the same pod. */
  #planOf(pod: PodInfo): KeptPlan {
    if (this.#last !== null && this.#last.pod === pod.pod) return this.#last.kept;
    const known = this.#modules.index.knownPod(pod);
    const plan = known?.plan as KeptPlan | null | undefined;
    const kept = plan && this.#isValid(plan) ? plan : this.#lookUp(pod);
    if (known !== null) known.plan = kept;
    this.#uses++;
    kept.lastUse = this.#uses;
    this.#last = { pod: pod.pod, kept };
    return kept;
  }

  #isValid(kept: KeptPlan): boolean {
    const { shared, version, pod, sources } = kept;
    if (version === this.#version) return shared !== null;
    const { objects } = this.#modules.cluster;
    if (pod === null || shared === null || !isSameSources(sources, planSources(pod, objects))) return false;
    if (shared.plan !== BROKEN_PLAN) shared.plan.followNamespace(objects);
    kept.version = this.#version;
    return true;
  }

  #lookUp(pod: PodInfo): KeptPlan {
    const { parts } = this.#modules.index;
    const key = planKey(pod, parts);
    const known = this.#plans.get(key);
    const kept = known !== undefined && this.#isValid(known) ? known : this.#keep(key, pod);
    // The counters of an outdated plan are mostly those of the new one.
    if (known !== undefined && known !== kept) this.#release(known);
    return kept;
  }

  #keep(key: string, pod: PodInfo): KeptPlan {
    const shared = this.#makePlan(pod);
    const sources = planSources(pod, this.#modules.cluster.objects);
    const kept: KeptPlan = { key, pod, shared, sources, version: this.#version, lastUse: 0 };
    shared.holders++;
    this.#modules.index.parts.hold(planParts(pod));
    this.#plans.set(key, kept);
    this.#line.add(kept, this.#uses + 1);
    return kept;
  }

  /** The pod comes last: a batch has read thousands of others since its last look at it. */
  #concerns({ pod }: PodInfo): boolean {
    if (!this.areQuiet) return true;
    const { topologySpreadConstraints, affinity } = pod.spec ?? {};
    return (topologySpreadConstraints?.length ?? 0) > 0 || Boolean(affinity?.podAffinity || affinity?.podAntiAffinity);
  }

  /** Whether only a pod's own constraints matter, because neither terms of other pods nor default ones exist. */
  get areQuiet(): boolean {
    const { index, cluster } = this.#modules;
    return index.ownedTerms.list.length === 0 && cluster.objects.versionOf(OWNER_KINDS) === 0;
  }

  #forgetStale(): void {
    const { objects } = this.#modules.cluster;
    const version = objects.versionOf(READ_KINDS);
    if (version === this.#version) return;
    this.#version = version;
    this.#last = null;
    const namespaceVersion = objects.version('Namespace');
    if (namespaceVersion !== this.#namespaceVersion) this.#affinityPlans.clear();
    this.#namespaceVersion = namespaceVersion;
  }

  #makePlan(pod: PodInfo): SharedPlan {
    const { index, cluster } = this.#modules;
    const { spread: spreading, affinity: attracting } = this.#plugins;
    const lease = new CounterLease(index);
    const newPlan = (spread: SpreadPlan | null): TopologyPlan => {
      const affinity = attracting ? new AffinityPlan(lease, pod, cluster.objects, attracting.form) : null;
      return new TopologyPlan(spread, affinity, this.#plugins);
    };
    const alone = (plan: SharedPlan['plan']): SharedPlan => ({ plan, lease, affinityKey: null, holders: 0 });
    try {
      let spread: SpreadPlan | null = null;
      if (spreading !== undefined) {
        const hard = spreading.form.constraints(pod, 'DoNotSchedule');
        const soft = spreading.form.constraints(pod, 'ScheduleAnyway');
        if ('error' in hard || 'error' in soft) return alone(BROKEN_PLAN);
        if (hard.length + soft.length > 0) {
          spread = new SpreadPlan(lease, pod, hard, soft, spreading.form.requiresAllKeys(pod));
        }
      }
      if (attracting !== undefined && affinityTermsOf(pod).error !== null) return alone(BROKEN_PLAN);
      if (spread !== null) return alone(newPlan(spread));
      const affinityKey = countedPodsKey(pod, index.parts);
      const make = (): SharedPlan => ({ plan: newPlan(null), lease, affinityKey, holders: 0 });
      return getOrMake(this.#affinityPlans, affinityKey, make);
    } catch (error) {
      lease.release();
      throw error;
    }
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
