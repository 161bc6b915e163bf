import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { isPodFinished } from '../../../src/api/pod-conditions.ts';
import { podRequests } from '../../../src/api/pod-requests.ts';
import { allocatable } from '../../../src/api/resources.ts';
import { type Mirror, nameOf, uidOf } from '../mirror.ts';
import type { Request } from '../recording-client.ts';
import type { Violated } from '../violation.ts';

/** The time in which an agent has reported what it knows, however bad its connection is. */
const REPORTING_MILLIS = 180_000;

/** Checks at every write of a pod that it is bound once, ends once, and that its node has room for its pods. */
export class PlacementInvariants {
  readonly #mirror: Mirror;
  readonly #violated: Violated;
  /** Pods whose binding was not acknowledged: until the scheduler sees them, it may give their room away. */
  readonly #boundUnacknowledged = new Set<string>();
  /** Nodes with pods that are new there or changed. */
  readonly #crowded = new Set<string>();
  /** Nodes with more running pods than they have room for, and since when. */
  readonly #tooFullSince = new Map<string, number>();

  constructor(mirror: Mirror, violated: Violated) {
    this.#mirror = mirror;
    this.#violated = violated;
    mirror.onPod((before, after) => {
      if (after === undefined) return;
      if (before !== undefined) this.#checkChange(before, after);
      if (after.spec?.nodeName) this.#crowded.add(after.spec.nodeName);
    });
  }

  requested({ verb, outcome, pod }: Request): void {
    if (verb === 'bind' && outcome === 'lost' && pod !== undefined) this.#boundUnacknowledged.add(uidOf(pod));
  }

  /** Runs at the end of a step: by then it is known which bindings were not acknowledged. */
  checkRooms(nowMillis: number): void {
    for (const name of this.#crowded) {
      this.#crowded.delete(name);
      const node = [...this.#mirror.nodes.values()].find((each) => nameOf(each) === name);
      if (node === undefined) {
        this.#tooFullSince.delete(name);
        continue;
      }
      const here = [...this.#mirror.pods.values()].filter(({ spec }) => spec?.nodeName === name);
      const pods = here.filter((pod) => !isPodFinished(pod));
      const isKnown = !pods.some((pod) => this.#boundUnacknowledged.has(uidOf(pod)));
      if (isKnown) this.#checkFits(node, pods, 'bound');
      this.#checkRunning(node, pods, nowMillis);
    }
  }

  /** Too many may be bound, and the agent refuses some; that others have ended is perhaps not reported yet. */
  #checkRunning(node: Node, pods: readonly Pod[], nowMillis: number): void {
    const name = nameOf(node);
    const running = pods.filter(({ status }) => status?.phase === 'Running');
    if (!excessOf(node, running)) {
      this.#tooFullSince.delete(name);
      return;
    }
    const sinceMillis = this.#tooFullSince.get(name) ?? nowMillis;
    this.#tooFullSince.set(name, sinceMillis);
    if (nowMillis - sinceMillis > REPORTING_MILLIS) this.#checkFits(node, running, 'running');
  }

  /** Looks again at nodes that run too much, whatever has changed. To be called now and then. */
  recheckRooms(nowMillis: number): void {
    for (const name of this.#tooFullSince.keys()) this.#crowded.add(name);
    this.checkRooms(nowMillis);
  }

  #checkChange(before: Pod, after: Pod): void {
    const [from, to] = [before.spec?.nodeName ?? '', after.spec?.nodeName ?? ''];
    if (from !== '' && from !== to) this.#violated('bound once', `pod ${nameOf(after)} went from ${from} to ${to}`);
    const [was, is] = [before.status?.phase, after.status?.phase];
    if (!isPodFinished(before) || was === is || isGivenUp(before) || isGivenUp(after)) return;
    if (this.#hasNewNode(after)) return;
    this.#violated('a pod ends once', `pod ${nameOf(after)} was ${was} and is ${is}`);
  }

  /** Whether its node was deleted and added again: the agent there may have seen the pod only as it was. */
  #hasNewNode({ metadata, spec }: Pod): boolean {
    const node = [...this.#mirror.nodes.values()].find((each) => nameOf(each) === spec?.nodeName);
    return (node?.metadata?.creationTimestamp ?? '') > (metadata?.creationTimestamp ?? '');
  }

  #checkFits(node: Node, pods: readonly Pod[], how: string): void {
    const excess = excessOf(node, pods);
    if (excess === undefined) return;
    this.#violated('no node over-committed', `${nameOf(node)}: ${excess} ${how}: ${pods.map(nameOf).join(', ')}`);
  }
}

/** What pods ask for together, where that is more than the node has. */
function excessOf(node: Node, pods: readonly Pod[]): string | undefined {
  const { resources, podCount } = allocatable(node.status?.allocatable);
  let [milliCPU, memoryBytes] = [0, 0];
  for (const pod of pods) {
    const requests = podRequests(pod);
    milliCPU += Number(requests.milliCPU);
    memoryBytes += Number(requests.memoryBytes);
  }
  const isOver = milliCPU > resources.milliCPU || memoryBytes > resources.memoryBytes || pods.length > podCount;
  return isOver ? `${milliCPU}m cpu, ${memoryBytes} bytes, ${pods.length} pods` : undefined;
}

/** PodGC says that it failed, as its node was gone: it and an agent may not have seen each other's status. */
function isGivenUp({ status }: Pod): boolean {
  return status?.conditions?.some(({ reason }) => reason === 'DeletionByPodGC') ?? false;
}
