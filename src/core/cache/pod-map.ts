import type { PodInfo } from '../framework/pod-info.ts';

/** Pods by namespace and name. Two steps, so that no key has to be put together for a look-up. */
export class PodMap {
  readonly #namespaces = new Map<string, Map<string, PodInfo>>();
  /** The namespace asked for last: most neighbours share it. */
  #lastName = '';
  #last: Map<string, PodInfo> | undefined;

  get(namespace: string, name: string): PodInfo | undefined {
    return this.#namespace(namespace)?.get(name);
  }

  /** False, and nothing changed, when there is one of that name. */
  add(pod: PodInfo): boolean {
    let pods = this.#namespace(pod.namespace);
    if (pods === undefined) {
      pods = new Map();
      this.#namespaces.set(pod.namespace, pods);
      this.#last = pods;
    }
    const { name } = pod;
    if (pods.has(name)) return false;
    pods.set(name, pod);
    return true;
  }

  /** In place of the one of that name. */
  replace(pod: PodInfo): void {
    this.#namespace(pod.namespace)?.set(pod.name, pod);
  }

  delete(pod: PodInfo): void {
    const pods = this.#namespace(pod.namespace);
    pods?.delete(pod.name);
    if (pods?.size !== 0) return;
    this.#namespaces.delete(pod.namespace);
    this.#last = undefined;
  }

  #namespace(name: string): Map<string, PodInfo> | undefined {
    if (this.#last === undefined || this.#lastName !== name) {
      this.#lastName = name;
      this.#last = this.#namespaces.get(name);
    }
    return this.#last;
  }
}
