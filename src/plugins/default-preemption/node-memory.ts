import type { NodeInfo } from '../../framework/node-info.ts';

/** One value for each node, which is valid until the node, its pods or its nominated pods change. */
export class NodeMemory<T> {
  readonly #bySlot: ({ readonly node: NodeInfo; readonly generation: number; readonly value: T } | undefined)[] = [];

  get(node: NodeInfo): T | undefined {
    const known = this.#bySlot[node.slot];
    return known !== undefined && known.node === node && known.generation === node.generation ? known.value : undefined;
  }

  set(node: NodeInfo, value: T): void {
    this.#bySlot[node.slot] = { node, generation: node.generation, value };
  }
}
