import type { Pod, PodSpec } from '../../api/pod.ts';
import { mayBeResized } from '../../api/pod-requests.ts';
import type { Resources } from '../../api/resources.ts';
import type { Plugin } from '../../framework/plugin.ts';
import { type PodRequirements, podRequirements } from '../../framework/pod-info.ts';
import type { Framework } from '../../framework/runtime/framework.ts';

const MOST_KEYS = 100_000;

/** When it is full, all is forgotten: what is asked for again is made again. */
class BoundedMap<T> extends Map<string, T> {
  override set(key: string, value: T): this {
    if (this.size >= MOST_KEYS) this.clear();
    return super.set(key, value);
  }
}

/** Requirements that all identical pods share, with the keys under which their columns are found. */
export interface EncodedRequirements extends PodRequirements {
  /** What plugins read of the pod to accept and score nodes, apart from its requests. */
  readonly verdictsKey: string;
}

/**
 * Turns pods into shared requirements. A spec object that was seen before is answered by identity; others by a key over
 * everything that a decision can depend on.
 */
export class PodEncoder {
  /** Those that say on what of a pod they depend. */
  readonly plugins: readonly Plugin[];
  readonly #bySpec = new WeakMap<PodSpec, EncodedRequirements>();
  readonly #byKey = new BoundedMap<EncodedRequirements>();
  readonly #placedBySpec = new WeakMap<PodSpec, PodRequirements>();
  readonly #placedByKey = new BoundedMap<PodRequirements>();

  /** The frameworks of all profiles: pods are told apart as finely as any of them needs. */
  constructor(...frameworks: readonly Framework[]) {
    // The early steps count even where the later ones are off: they can fail a pod, or limit its nodes.
    const plugins = new Set<Plugin>(
      frameworks.flatMap(({ preFilterPlugins, filterPlugins, preScorePlugins, scorePlugins }) => [
        ...preFilterPlugins,
        ...filterPlugins,
        ...preScorePlugins,
        ...scorePlugins.map(({ plugin }) => plugin),
      ]),
    );
    this.plugins = [...plugins].filter((plugin) => plugin.dependsOn ?? plugin.concerns);
  }

  encode(pod: Pod): EncodedRequirements {
    // A resize in progress shows in the status: such a pod's requests do not follow from its spec alone.
    const spec = mayBeResized(pod.status) ? undefined : pod.spec;
    const known = spec && this.#bySpec.get(spec);
    if (known !== undefined) return known;
    const encoded = this.#intern(pod);
    if (spec) this.#bySpec.set(spec, encoded);
    return encoded;
  }

  /** For a pod that is on a node: only what it takes there matters, and pods on different nodes can share it. */
  encodePlaced(pod: Pod): PodRequirements {
    const spec = mayBeResized(pod.status) ? undefined : pod.spec;
    const known = spec && this.#placedBySpec.get(spec);
    if (known !== undefined) return known;
    const requirements = podRequirements(pod);
    const key = `${requestsKey(requirements)} ${JSON.stringify(requirements.hostPorts)}`;
    const placed = this.#placedByKey.get(key) ?? requirements;
    this.#placedByKey.set(key, placed);
    if (spec) this.#placedBySpec.set(spec, placed);
    return placed;
  }

  #intern(pod: Pod): EncodedRequirements {
    const requirements = podRequirements(pod);
    const verdictsKey = JSON.stringify(
      this.plugins.map((plugin) => plugin.dependsOn?.(pod) ?? plugin.concerns?.(pod) ?? null),
    );
    const key = `${requestsKey(requirements)} ${verdictsKey}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const encoded = { ...requirements, verdictsKey };
    this.#byKey.set(key, encoded);
    return encoded;
  }
}

function requestsKey({ requests, fitScoreRequests, nonZeroRequests }: PodRequirements): string {
  return [resourcesKey(requests), resourcesKey(fitScoreRequests), ...Object.values(nonZeroRequests)].join();
}

function resourcesKey({ milliCPU, memoryBytes, ephemeralStorageBytes, scalar }: Resources): string {
  const scalars = [...scalar].sort(([a], [b]) => (a < b ? -1 : 1)).join(';');
  return [milliCPU, memoryBytes, ephemeralStorageBytes, scalars].join();
}
