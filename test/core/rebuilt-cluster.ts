import type { Node } from '../../src/api/node.ts';
import type { Pod, PodSpec, PodStatus } from '../../src/api/pod.ts';
import { type Explanation, Scheduler } from '../../src/index.ts';
import { named } from '../builders/arbitrary-cluster.ts';
import { type Answer, type ClusterEvent, fleet, podOfEvent, type Script } from './event-script.ts';

/**
 * What the cluster must look like after a script, kept in two plain maps; `build` makes a scheduler of it from nothing.
 */
export class RebuiltCluster {
  /** In the order in which the nodes were learned of; an update keeps the place. */
  readonly #nodes = new Map<string, Node>();
  readonly #pods = new Map<string, { readonly pod: Pod; readonly nodeName: string }>();
  readonly #templates: readonly PodSpec[];

  constructor({ templates, nodes }: Script) {
    this.#templates = templates;
    for (const [i, node] of nodes.entries()) this.#nodes.set(`n${i}`, named(node, `n${i}`));
  }

  follow(event: ClusterEvent, answer: Answer): void {
    const failed = typeof answer === 'object' && 'error' in answer;
    switch (event.do) {
      case 'addNode':
      case 'updateNode':
        if (!failed) this.#nodes.set(event.name, named(event.node, event.name));
        return;
      case 'removeNode':
        this.#nodes.delete(event.name);
        return;
      // A fleet stands or falls as a whole: its names are used for nothing else.
      case 'addFleet':
        if (!failed) for (const node of fleet(event.node)) this.#nodes.set(node.metadata?.name ?? '', node);
        return;
      case 'removeFleet':
        for (const node of fleet(event.node)) this.#nodes.delete(node.metadata?.name ?? '');
        return;
      case 'addPod':
        if (!failed && !isTerminal(event.pod.status)) this.#put(event, event.nodeName);
        return;
      case 'churn':
        if (!failed) this.#put(event, event.nodeName);
        return;
      case 'updatePod':
        if (isTerminal(event.pod.status)) this.#pods.delete(event.name);
        else this.#put(event, event.nodeName || (this.#pods.get(event.name)?.nodeName ?? ''));
        return;
      case 'removePod':
        this.#pods.delete(event.name);
        return;
      case 'schedule':
        if (typeof answer === 'object' && 'status' in answer && answer.status === 'scheduled' && 'node' in answer) {
          this.#put(event, answer.node);
        }
    }
  }

  build(): Scheduler {
    const scheduler = new Scheduler({ engine: 'reference' });
    for (const node of this.#nodes.values()) scheduler.addNode(node);
    for (const { pod, nodeName } of this.#pods.values()) scheduler.addPod({ ...pod, spec: { ...pod.spec, nodeName } });
    return scheduler;
  }

  #put(event: Parameters<typeof podOfEvent>[1], nodeName: string): void {
    const pod = podOfEvent(this.#templates, event);
    // A pod that was scheduled is there, whatever phase its object claims.
    this.#pods.set(event.name, { pod: { ...pod, status: { ...pod.status, phase: undefined } }, nodeName });
  }
}

function isTerminal(status: PodStatus | undefined): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** The snapshot order depends on the zones' history, what is said of each node must not. */
export function withoutOrder(explanation: Explanation): unknown {
  const { nodes, feasible, best, nodeOrder, preemption, ...rest } = explanation;
  const { potentialNodes = [], candidates = [], ...decision } = preemption ?? {};
  const byName = Object.fromEntries(nodes.map((node) => [node.node, node]));
  return {
    ...rest,
    nodes: byName,
    feasible: feasible.toSorted(),
    best: best.toSorted(),
    nodeOrder: nodeOrder.toSorted(),
    preemption: {
      ...decision,
      potentialNodes: potentialNodes.toSorted(),
      candidates: Object.fromEntries(candidates.map((candidate) => [candidate.node, candidate])),
    },
  };
}
