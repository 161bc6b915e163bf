import type { Pod, PodSpec } from '../api/pod.ts';
import { mayBeResized } from '../api/pod-requests.ts';
import type { IndexedEngine } from '../engine/cycle/engine.ts';
import type { PodClass } from '../engine/index/pod-signature.ts';
import { SpecShapes } from '../engine/signature/spec-shapes.ts';
import type { PodRequirements } from '../framework/pod-info.ts';
import type { Profile } from './decision/profile.ts';
import { needsExtenders } from './extenders/extender.ts';

/** What all pods with one spec object share. */
export interface PodTemplate {
  readonly requirements: PodRequirements;
  /** Of the profile that is responsible; undefined when none is. */
  readonly profile: Profile | undefined;
  readonly engine: IndexedEngine | null;
  /** Found when a pod of the template is first placed by index. */
  podClass: PodClass | null;
  /** The pods bring topology constraints of their own. */
  readonly hasTopology: boolean;
  /** Extenders have a say in where such pods go. */
  readonly needsExtenders: boolean;
}

/** Templates by the identity of the spec, which pods of one controller may share, or else by its contents. */
export class PodTemplates {
  readonly #requirementsOf: (pod: Pod) => PodRequirements;
  readonly #profileOf: (pod: Pod) => Profile | undefined;
  readonly #bySpec = new WeakMap<PodSpec, PodTemplate>();
  readonly #byShape = new SpecShapes<PodTemplate>();
  #lastSpec: PodSpec | undefined;
  #last: PodTemplate | undefined;

  constructor(requirementsOf: (pod: Pod) => PodRequirements, profileOf: (pod: Pod) => Profile | undefined) {
    this.#requirementsOf = requirementsOf;
    this.#profileOf = profileOf;
  }

  of(pod: Pod): PodTemplate {
    const known = this.known(pod);
    if (known !== undefined) return known;
    const template = this.#make(pod);
    if (pod.spec !== undefined && !mayBeResized(pod.status)) {
      this.#bySpec.set(pod.spec, template);
      this.#byShape.set(pod.spec, template);
      this.#lastSpec = undefined;
    }
    return template;
  }

  /** undefined for a spec the like of which was not seen before. */
  known({ spec, status }: Pod): PodTemplate | undefined {
    // What a pod in the middle of a resize asks for does not follow from its spec alone.
    if (spec === undefined || (status !== undefined && mayBeResized(status))) return undefined;
    if (spec === this.#lastSpec) return this.#last;
    // A spec of no known form may throw here: then nothing is remembered of it.
    const known = this.#bySpec.get(spec) ?? this.#byShape.get(spec);
    this.#lastSpec = spec;
    this.#last = known;
    return known;
  }

  #make(pod: Pod): PodTemplate {
    const profile = this.#profileOf(pod);
    const { topologySpreadConstraints, affinity } = pod.spec ?? {};
    return {
      requirements: this.#requirementsOf(pod),
      profile,
      engine: profile?.engine.indexed ?? null,
      podClass: null,
      hasTopology:
        (topologySpreadConstraints?.length ?? 0) > 0 || Boolean(affinity?.podAffinity || affinity?.podAntiAffinity),
      needsExtenders: profile !== undefined && needsExtenders(profile.extenders, pod),
    };
  }
}
