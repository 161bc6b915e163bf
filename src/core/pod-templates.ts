import { namedNodeOf, withoutNamedNode } from '../api/named-node.ts';
import type { Pod, PodSpec } from '../api/pod.ts';
import { mayBeResized } from '../api/pod-requests.ts';
import { PodSignatures } from '../caller/pod-signatures.ts';
import type { IndexedEngine } from '../engine/cycle/engine.ts';
import type { KeptRefusal } from '../engine/cycle/kept-refusal.ts';
import type { PodSignature } from '../engine/index/pod-signature.ts';
import { newTopologyAsks, type TopologyAsks } from '../engine/topology/topology-demand.ts';
import type { Plugin } from '../framework/plugin.ts';
import type { MetadataForm, PodInfo, PodRequirements } from '../framework/pod-info.ts';
import { RecentMap } from '../lib/recent-map.ts';
import type { Profile } from './decision/profile.ts';
import { needsExtenders } from './extenders/extender.ts';

/** The values that all pods with one signature share. */
export interface PodTemplate {
  readonly requirements: PodRequirements;
  /** The spec without the node's name, if each pod of the template names the only node on which it may run. */
  readonly specBesideNode: PodSpec | null;
  /** The last pod that was looked at without the node that it names; null if there was none. */
  beside: PodInfo | null;
  /** The profile that is responsible for the pods; undefined if there is none. */
  readonly profile: Profile | undefined;
  readonly engine: IndexedEngine | null;
  /** The engine's signature; null until a pod of the template is placed by index, and when the engine gave it up. */
  signature: PodSignature | null;
  /** Whether the last pod that was scheduled by itself fitted nowhere. */
  fitsNowhere: boolean;
  /** The answer to the last pod, if it fitted nowhere and the next one may get the same. */
  refusal: KeptRefusal | null;
  /** The pods for which the engine may sort nodes by topology rules. */
  readonly topologyAsks: TopologyAsks;
  /** The last run in which other pods did not matter to pods of the template with this metadata. */
  readonly free: { run: number; form: MetadataForm | null };
  /** Whether the pods have topology constraints of their own. */
  readonly hasTopology: boolean;
  /** Whether a decision needs the PreEnqueue plugins, since some may hold the pods back; traces show them anyway. */
  readonly asksGates: boolean;
  /** Whether the decision needs answers of extenders. */
  readonly needsExtenders: boolean;
}

/** Makes the requirements of pods. */
export interface RequirementsMakers {
  of(pod: Pod): PodRequirements;
  /**
   * Returns the requirements that all pods share that differ only in the nodes that they name. Null if such pods must
   * not share a template, because some plugin may read the name.
   */
  readonly besideNode: ((pod: Pod) => PodRequirements) | null;
}

/** The templates by the spec object, which pods of one controller may share, and by the pod's signature. */
export class PodTemplates {
  readonly #requirements: RequirementsMakers;
  readonly #profileOf: (pod: Pod) => Profile | undefined;
  readonly #bySpec = new RecentMap<PodSpec, PodTemplate>();
  readonly #bySignature: PodSignatures<PodTemplate>;
  #lastSpec: PodSpec | undefined;
  #last: PodTemplate | undefined;
  /** Whether the pod that was known last may have volumes or a host name, whose names its template leaves open. */
  mayHaveNames = true;

  /** `plugins`: the embedder's plugins, whose `dependsOn` and `concerns` may read any part of a pod. */
  constructor(
    requirements: RequirementsMakers,
    profileOf: (pod: Pod) => Profile | undefined,
    plugins: readonly Plugin[] = [],
  ) {
    this.#requirements = requirements;
    this.#profileOf = profileOf;
    this.#bySignature = new PodSignatures(plugins, requirements.besideNode !== null);
  }

  of(pod: Pod): PodTemplate {
    const known = this.known(pod);
    if (known !== undefined) return known;
    const template = this.#make(pod);
    if (pod.spec !== undefined && !mayBeResized(pod.status)) {
      this.#bySpec.set(pod.spec, template);
      this.#bySignature.set(pod, template);
      this.#lastSpec = undefined;
    }
    return template;
  }

  /** Returns the template; undefined if no pod with this signature was seen. The pod need not be checked yet. */
  known(pod: Pod): PodTemplate | undefined {
    try {
      const { spec, status } = pod;
      // The requests of a pod that is being resized do not follow from its spec alone.
      if (spec === undefined || (status !== undefined && mayBeResized(status))) return undefined;
      if (spec === this.#lastSpec) return this.#last;
      const shared = this.#bySpec.get(spec);
      const known = shared ?? this.#bySignature.get(pod);
      this.mayHaveNames = shared !== undefined || this.#bySignature.hasNames;
      this.#lastSpec = spec;
      this.#last = known;
      return known;
    } catch {
      // A pod that cannot be read has no known signature.
      return undefined;
    }
  }

  #make(pod: Pod): PodTemplate {
    const profile = this.#profileOf(pod);
    const { topologySpreadConstraints, affinity } = pod.spec ?? {};
    const { besideNode } = this.#requirements;
    const namesNode = besideNode !== null && namedNodeOf(pod.spec) !== null;
    return {
      requirements: namesNode ? besideNode(pod) : this.#requirements.of(pod),
      specBesideNode: namesNode && pod.spec ? withoutNamedNode(pod.spec) : null,
      beside: null,
      profile,
      engine: profile?.engine.indexed ?? null,
      signature: null,
      fitsNowhere: false,
      refusal: null,
      topologyAsks: newTopologyAsks(),
      free: { run: -1, form: null },
      hasTopology:
        (topologySpreadConstraints?.length ?? 0) > 0 || Boolean(affinity?.podAffinity || affinity?.podAntiAffinity),
      asksGates: profile?.asksGates === true && profile.framework.mayGate(pod),
      needsExtenders: profile !== undefined && needsExtenders(profile.extenders, pod),
    };
  }
}
