import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { affinityTermsOf } from './terms.ts';

interface Known {
  readonly node: NodeInfo;
  readonly generation: number;
  readonly pods: readonly PodInfo[];
}

/** The pods with required anti-affinity on each node (upstream's PodsWithRequiredAntiAffinity). */
export class AntiAffinePods {
  /** The list of each slot, which holds until the node changes. */
  readonly #known: (Known | undefined)[] = [];

  on(node: NodeInfo): readonly PodInfo[] {
    const { slot, generation } = node;
    const known = this.#known[slot];
    if (known !== undefined && known.node === node && known.generation === generation) return known.pods;
    const pods = node.pods.filter((pod) => affinityTermsOf(pod).requiredAntiAffinity.length > 0);
    this.#known[slot] = { node, generation, pods };
    return pods;
  }
}
