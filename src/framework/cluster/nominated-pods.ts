import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';

const NONE: readonly PodInfo[] = [];
const NOWHERE: readonly string[] = [];

/** A node for which pods are nominated. */
export interface NominatedNode {
  readonly name: string;
  /** The pods in the order of their nominations. The list is replaced, never changed. */
  pods: readonly PodInfo[];
  /** A cached NodeInfo of this name; a reader must check that it is still the node. */
  node: NodeInfo | null;
}

/**
 * The pending pods by their nominated nodes (upstream's nominator.go). Room is kept for them there: pods of equal or
 * lower priority must fit beside them. A nominated node may be unknown.
 */
export class NominatedPods {
  readonly #byNode = new Map<string, NominatedNode>();
  /** The names of the nodes that are nominated for each pod, by its key. */
  readonly #byPod = new Map<string, readonly string[]>();
  /** A number that every change changes. */
  version = 0;
  readonly #onChange: (nodeName: string) => void;

  constructor(onChange: (nodeName: string) => void) {
    this.#onChange = onChange;
  }

  add(pod: PodInfo): void {
    if (pod.nominatedNodeName === '') return;
    const name = pod.nominatedNodeName;
    this.version++;
    const known = this.#byNode.get(name);
    if (known === undefined) this.#byNode.set(name, { name, pods: [pod], node: null });
    else known.pods = [...known.pods, pod];
    this.#byPod.set(pod.key, [...this.nodesOf(pod), name]);
    this.#onChange(name);
  }

  remove(pod: PodInfo): void {
    if (pod.nominatedNodeName === '') return;
    const known = this.#byNode.get(pod.nominatedNodeName);
    if (!known?.pods.includes(pod)) return;
    this.version++;
    known.pods = known.pods.filter((other) => other !== pod);
    if (known.pods.length === 0) this.#byNode.delete(known.name);
    const names = [...this.nodesOf(pod)];
    names.splice(names.indexOf(known.name), 1);
    if (names.length === 0) this.#byPod.delete(pod.key);
    else this.#byPod.set(pod.key, names);
    this.#onChange(known.name);
  }

  /** The pods in the order of their nominations. */
  forNode(name: string): readonly PodInfo[] {
    return this.#byNode.get(name)?.pods ?? NONE;
  }

  /** The names of the nodes that are nominated for pods with this key; a name may occur twice. */
  nodesOf({ key }: PodInfo): readonly string[] {
    return this.#byPod.get(key) ?? NOWHERE;
  }

  get isEmpty(): boolean {
    return this.#byNode.size === 0;
  }

  all(): Iterable<NominatedNode> {
    return this.#byNode.values();
  }
}
