import type { RuntimeFaults } from '../../kubelet/simulated-runtime/simulated-runtime.ts';
import type { FaultyNodes } from './fault-targets.ts';

/**
 * Tracks which nodes have which faults, so that the end of one fault leaves the others in place, and none begins twice.
 */
export class NodeFaults {
  readonly #nodes: FaultyNodes;
  readonly #partitioned = new Set<string>();
  readonly #runtimeFaults = new Map<string, Set<RuntimeFaults>>();

  constructor(nodes: FaultyNodes) {
    this.#nodes = nodes;
  }

  /** The names of nodes that run and reach the API. */
  get healthyNames(): readonly string[] {
    return this.#nodes.nodeNames.filter((name) => !this.#partitioned.has(name) && this.#nodes.isRunning(name));
  }

  crash(name: string): () => void {
    this.#nodes.crash(name);
    return () => this.#ifThere(name, () => this.#nodes.restart(name));
  }

  partition(name: string): () => void {
    this.#partitioned.add(name);
    this.#nodes.partition(name);
    return () => {
      this.#partitioned.delete(name);
      this.#ifThere(name, () => this.#nodes.heal(name));
    };
  }

  addRuntimeFaults(name: string, faults: RuntimeFaults): () => void {
    const active = this.#runtimeFaults.get(name) ?? new Set();
    this.#runtimeFaults.set(name, active.add(faults));
    this.#setRuntimeFaults(name, active);
    return () => {
      active.delete(faults);
      this.#ifThere(name, () => this.#setRuntimeFaults(name, active));
    };
  }

  #setRuntimeFaults(name: string, active: ReadonlySet<RuntimeFaults>): void {
    this.#nodes.setRuntimeFaults(name, Object.assign({}, ...active));
  }

  /** Runs the task unless the Node has been deleted meanwhile. */
  #ifThere(name: string, task: () => void): void {
    if (this.#nodes.nodeNames.includes(name)) task();
  }
}
