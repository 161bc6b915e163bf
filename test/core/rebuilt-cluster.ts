import type { Node } from '../../src/api/node.ts';
import type { Pod, PodSpec, PodStatus } from '../../src/api/pod.ts';
import { hostPorts } from '../../src/framework/host-ports.ts';
import { type EngineName, type Explanation, type ScheduleResult, Scheduler } from '../../src/index.ts';
import { named } from '../builders/arbitrary-cluster.ts';
import { type AnyObject, nameOfObject, setAnyObject } from '../builders/arbitrary-objects.ts';
import type { ClusterEvent, PodShape, Script } from './arbitrary-script.ts';
import { type BatchEvent, type ClusterLife, fleet, namesOfBatch, podOfEvent, podsOfBatch } from './event-script.ts';

interface KnownPod {
  readonly pod: Pod;
  readonly nodeName: string;
  readonly nominatedNodeName: string;
}

/**
 * What the cluster must look like after a script, kept in plain maps; `build` makes a scheduler of it from nothing.
 */
export class RebuiltCluster {
  /** In the order in which the nodes were learned of; an update keeps the place. */
  readonly #nodes = new Map<string, Node>();
  readonly #pods = new Map<string, KnownPod>();
  readonly #objects = new Map<string, AnyObject>();
  readonly #templates: readonly PodSpec[];
  #victims: readonly string[] = [];
  /**
   * Whether pods of one node have held the same port: whether it is free when one of them goes depends on the history,
   * as upstream, and nothing can be said any more from the present state.
   */
  hasSharedPort = false;

  constructor({ templates, nodes, objects, placed }: Script) {
    this.#templates = templates;
    for (const [i, node] of nodes.entries()) this.#nodes.set(`n${i}`, named(node, `n${i}`));
    for (const object of objects) this.#objects.set(JSON.stringify(nameOfObject(object)), object);
    for (const pod of placed) this.#changed(pod);
  }

  /**
   * Plays the event on all lives, which must be alike, and notes what has become of the cluster. The first life
   * schedules the pods of a batch one by one.
   */
  play(event: ClusterEvent, lives: readonly ClusterLife[]): void {
    const [first, ...others] = lives;
    if (event.do === 'scheduleBatch' && !this.#isRefused(event)) {
      this.#playBatch(event, first);
      for (const life of others) life.play(event);
      return;
    }
    const wanted = event.do === 'schedule' ? podOfEvent(this.#templates, event) : null;
    const isNew = (this.#pods.get(wanted?.metadata?.name ?? '')?.nodeName ?? '') === '';
    const explanation = wanted && isNew ? first?.scheduler.explain(wanted) : undefined;
    const [answer = 'done'] = lives.map((life) => life.play(event));
    if (typeof answer === 'object' && 'error' in answer) return;
    if (event.do === 'schedule') this.#scheduled(event, answer as ScheduleResult, explanation);
    else this.#changed(event);
  }

  #playBatch(event: BatchEvent, life: ClusterLife | undefined): void {
    const before: Explanation[] = [];
    const answer = life?.playApart(event, (pod) => before.push(life.scheduler.explain(pod)));
    if (answer === undefined || 'error' in answer) throw new Error(`a batch was refused: ${JSON.stringify(answer)}`);
    podsOfBatch(this.#templates, event).forEach((pod, i) => {
      const asked = { do: 'schedule' as const, name: pod.metadata?.name ?? '', pod: event.pods[i] as PodShape };
      this.#scheduled(asked, answer.results[i] as ScheduleResult, before[i]);
    });
  }

  #isRefused(event: BatchEvent): boolean {
    const names = podsOfBatch(this.#templates, event).map((pod) => pod.metadata?.name ?? '');
    return event.twice || names.some((name) => (this.#pods.get(name)?.nodeName ?? '') !== '');
  }

  build(engine: EngineName): Scheduler {
    const scheduler = new Scheduler({ engine, validate: false });
    for (const object of this.#objects.values()) setAnyObject(scheduler, object);
    for (const node of this.#nodes.values()) scheduler.addNode(node);
    for (const { pod, nodeName, nominatedNodeName } of this.#pods.values()) {
      // A pod that was scheduled is there, whatever phase its object claims.
      const status = { ...pod.status, phase: undefined, nominatedNodeName };
      scheduler.addPod({ ...pod, spec: { ...pod.spec, nodeName }, status });
    }
    return scheduler;
  }

  /**
   * Has the lives look again at all nodes with images, if other images may be there since the event: for how many nodes
   * an image counts depends on when each node was looked at, as upstream.
   */
  renewImages(event: ClusterEvent, lives: readonly ClusterLife[]): void {
    if (!/Node|Fleet/.test(event.do)) return;
    const holders = [...this.#nodes.values()].filter(({ status }) => status?.images?.length);
    for (const { scheduler } of lives) for (const node of holders) scheduler.updateNode(node);
  }

  #changed(event: Exclude<ClusterEvent, { readonly do: 'schedule' }>): void {
    switch (event.do) {
      case 'addNode':
      case 'updateNode':
        this.#nodes.set(event.name, named(event.node, event.name));
        return;
      case 'removeNode':
        this.#nodes.delete(event.name);
        return;
      // A fleet stands or falls as a whole: its names are used for nothing else.
      case 'addFleet':
        for (const node of fleet(event)) this.#nodes.set(node.metadata?.name ?? '', node);
        return;
      case 'removeFleet':
        for (const node of fleet(event)) this.#nodes.delete(node.metadata?.name ?? '');
        return;
      case 'addPod':
      case 'churn':
        if (!isTerminal(event.pod.status)) this.#put(event, event.nodeName);
        return;
      case 'updatePod':
        if (isTerminal(event.pod.status)) this.#pods.delete(event.name);
        else this.#update(event);
        return;
      case 'removePod':
        this.#pods.delete(event.name);
        return;
      case 'removeBatch':
        for (const name of namesOfBatch(event.batch)) this.#pods.delete(name);
        return;
      case 'evict':
        for (const victim of this.#victims) this.#pods.delete(victim.split('/')[1] ?? '');
        this.#victims = [];
        return;
      case 'setObject':
        this.#objects.set(JSON.stringify(nameOfObject(event.object)), event.object);
        return;
      case 'removeObject':
        this.#objects.delete(JSON.stringify(event.object));
    }
  }

  #scheduled(event: ClusterEvent & { readonly do: 'schedule' }, answer: ScheduleResult, before?: Explanation): void {
    if (answer.status === 'scheduled') this.#put(event, answer.node);
    if (answer.status !== 'unschedulable') return;
    this.#victims = answer.victims ?? [];
    const { nominatedNode: nodeName } = answer;
    const known = this.#pods.get(event.name);
    if (nodeName !== undefined && nodeName === known?.nominatedNodeName) return;
    if (nodeName !== undefined) {
      const pod = podOfEvent(this.#templates, event);
      this.#replace(event.name, { pod, nodeName: '', nominatedNodeName: nodeName });
      this.#sendAway(nodeName, pod.spec?.priority ?? 0);
    } else if (known !== undefined && takesNominationBack(before)) {
      const pod = podOfEvent(this.#templates, event);
      if (known.nominatedNodeName !== '') this.#replace(event.name, { pod, nodeName: '', nominatedNodeName: '' });
    }
  }

  /** Pods of lower priority lose their nomination for the node as soon as a pod on it is really evicted. */
  #sendAway(nodeName: string, priority: number): void {
    const isLeaving = (victim: string): boolean =>
      Boolean(this.#pods.get(victim.split('/')[1] ?? '')?.pod.metadata?.deletionTimestamp);
    if (this.#victims.every(isLeaving)) return;
    for (const [name, other] of this.#pods) {
      if (other.nominatedNodeName !== nodeName || (other.pod.spec?.priority ?? 0) >= priority) continue;
      this.#pods.set(name, { ...other, nominatedNodeName: '' });
    }
  }

  #put(event: Parameters<typeof podOfEvent>[1], nodeName: string): void {
    const pod = podOfEvent(this.#templates, event);
    const nominatedNodeName = nodeName === '' ? (pod.status?.nominatedNodeName ?? '') : '';
    this.#replace(event.name, { pod, nodeName, nominatedNodeName });
  }

  #update(event: ClusterEvent & { readonly do: 'updatePod' }): void {
    const old = this.#pods.get(event.name);
    if (event.nodeName !== '' || old === undefined) {
      this.#put(event, event.nodeName);
      return;
    }
    const pod = podOfEvent(this.#templates, event);
    const shown = pod.status?.nominatedNodeName ?? '';
    // A nomination that the object has not shown yet is not gone because it does not show.
    const isKept = shown === '' && !old.pod.status?.nominatedNodeName;
    const nominatedNodeName = old.nodeName === '' ? (isKept ? old.nominatedNodeName : shown) : '';
    this.#replace(event.name, { pod, nodeName: old.nodeName, nominatedNodeName });
  }

  /** Replaces the pod, which becomes the last of its node. */
  #replace(name: string, pod: KnownPod): void {
    this.#pods.delete(name);
    const ports = new Set(portsOf(pod));
    if (pod.nodeName !== '' && ports.size > 0) {
      const neighbours = [...this.#pods.values()].filter(({ nodeName }) => nodeName === pod.nodeName);
      this.hasSharedPort ||= neighbours.some((other) => portsOf(other).some((port) => ports.has(port)));
    }
    this.#pods.set(name, pod);
  }
}

function portsOf({ pod }: KnownPod): string[] {
  return hostPorts(pod).map(({ ip, protocol, port }) => `${ip}/${protocol}/${port}`);
}

/** Preemption was tried and found no candidate: what it promised the pod before is void. */
function takesNominationBack(before: Explanation | undefined): boolean {
  const { status = '', message = '' } = before?.preemption ?? {};
  return status === 'Unschedulable' && !message.includes('not eligible');
}

function isTerminal(status: PodStatus | undefined): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** The snapshot order and the start of the search depend on history, but the explanation of a node must not. */
export function withoutOrder(explanation: Explanation): unknown {
  const { nodes, feasible, best, nodeOrder, search: _, preemption, ...rest } = explanation;
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
