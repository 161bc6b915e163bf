import type { Pod, PodSpec } from '../api/pod.ts';
import { mayBeResized } from '../api/pod-requests.ts';
import type { PodRequirements } from '../framework/pod-info.ts';
import { PodSignatures } from './pod-signatures.ts';

/** What pods on nodes share that are equal but for their nodes and names. */
interface PlacedForm {
  /** Null until somebody asks for them. */
  requirements: PodRequirements | null;
}

/**
 * The pods on nodes that were checked, by their signatures without the node. Most pods of a cluster are like others, so
 * that their specs need not be checked again, and their requirements not be computed again.
 */
export class PlacedPods {
  readonly #bySignature = new PodSignatures<PlacedForm>([], true, true);
  readonly #compute: (pod: Pod) => PodRequirements;
  #isEmpty = true;
  /** The spec that was looked up last, and its form. */
  #lastSpec: PodSpec | undefined;
  #last: PlacedForm | undefined;

  /** `compute`: the requirements of one pod. */
  constructor(compute: (pod: Pod) => PodRequirements) {
    this.#compute = compute;
  }

  /** Whether the spec of a pod like this one was added. This pod need not be checked yet. */
  knows(pod: Pod): boolean {
    this.#lastSpec = undefined;
    this.#last = undefined;
    if (this.#isEmpty) return false;
    try {
      const { spec, status } = pod;
      if (!spec?.nodeName || mayBeResized(status)) return false;
      this.#last = this.#bySignature.get(pod);
      this.#lastSpec = spec;
    } catch {
      // A pod that cannot be read is like no other.
    }
    return this.#last !== undefined;
  }

  /** Adds a pod that was checked. */
  add(pod: Pod): void {
    const { spec, status } = pod;
    if (!spec?.nodeName || mayBeResized(status)) return;
    this.#isEmpty = false;
    this.#lastSpec = spec;
    this.#last = { requirements: null };
    this.#bySignature.set(pod, this.#last);
  }

  /** The requirements of the pod, which equal pods share. */
  requirementsOf(pod: Pod): PodRequirements {
    // The requests of a pod that is being resized do not follow from its spec alone.
    if (mayBeResized(pod.status)) return this.#compute(pod);
    if (pod.spec !== this.#lastSpec) this.knows(pod);
    if (this.#last === undefined) return this.#compute(pod);
    this.#last.requirements ??= this.#compute(pod);
    return this.#last.requirements;
  }
}
