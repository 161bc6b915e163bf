import type { Pod } from '../api/pod.ts';
import { PodSignatures } from '../caller/pod-signatures.ts';
import { getOrMake } from '../lib/get-or-make.ts';

/**
 * The reasons why pods do not fit, for pods that are equal for scheduling: thousands of replicas that have no room are
 * tried once. A pod that fits nowhere fits nowhere after others have been placed, either, unless it wants to be near
 * them, or evenly spread; such pods are remembered only until the next one is placed.
 */
export class HopelessPods {
  #lasting = new Map<string, PodSignatures<string>>();
  #brief = new Map<string, PodSignatures<string>>();

  reasonOf(pod: Pod): string | undefined {
    return this.#signatures(pod)?.get(pod);
  }

  add(pod: Pod, reason: string): void {
    this.#signatures(pod)?.set(pod, reason);
  }

  /** A pod has been placed. */
  placed(): void {
    if (this.#brief.size > 0) this.#brief = new Map();
  }

  /** Pods or nodes have come or gone otherwise. */
  clear(): void {
    this.#lasting = new Map();
    this.#brief = new Map();
  }

  /** The signatures of pods with these labels; undefined for a pod that has something of its own. */
  #signatures({ metadata, spec }: Pod): PodSignatures<string> | undefined {
    const ownVolumes = spec?.volumes?.some((volume) => volume.persistentVolumeClaim || volume.ephemeral) ?? false;
    if (ownVolumes || (spec?.resourceClaims?.length ?? 0) > 0) return undefined;
    const needsOthers = spec?.affinity?.podAffinity !== undefined || (spec?.topologySpreadConstraints?.length ?? 0) > 0;
    const key = JSON.stringify([metadata?.namespace, metadata?.labels]);
    return getOrMake(needsOthers ? this.#brief : this.#lasting, key, () => new PodSignatures());
  }
}
