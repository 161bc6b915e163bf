import { getOrMake } from '../../lib/get-or-make.ts';
import type { QueuedPodInfo } from './queued-pod-info.ts';

/**
 * The pods that wait for an event, including gated pods (upstream's unschedulable_pods.go), by the plugins that
 * rejected them: most events matter to few plugins, and most plugins have rejected no pod.
 */
export class UnschedulablePods {
  /** The plugins under which each pod is listed. */
  readonly #rejectors = new Map<QueuedPodInfo, readonly string[]>();
  readonly #byRejector = new Map<string, Set<QueuedPodInfo>>();

  get size(): number {
    return this.#rejectors.size;
  }

  /** Adds the pod, or lists it anew by its present rejectors. */
  set(pod: QueuedPodInfo): void {
    this.delete(pod);
    const rejectors = [...new Set([...pod.unschedulablePlugins, ...pod.pendingPlugins])];
    this.#rejectors.set(pod, rejectors);
    for (const plugin of rejectors) getOrMake(this.#byRejector, plugin, () => new Set()).add(pod);
  }

  delete(pod: QueuedPodInfo): void {
    for (const plugin of this.#rejectors.get(pod) ?? []) this.#byRejector.get(plugin)?.delete(pod);
    this.#rejectors.delete(pod);
  }

  /** All pods, as a copy, so that pods can be moved while it is read. */
  all(): QueuedPodInfo[] {
    return [...this.#rejectors.keys()];
  }

  /** The pods that at least one of the plugins rejected. */
  rejectedByAny(plugins: readonly string[]): QueuedPodInfo[] {
    const found = plugins.flatMap((plugin) => this.#byRejector.get(plugin) ?? []).filter(({ size }) => size > 0);
    const [only] = found;
    if (only === undefined) return [];
    return found.length === 1 ? [...only] : [...new Set(found.flatMap((pods) => [...pods]))];
  }
}
