import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { isPodFinished } from '../../../src/api/pod-conditions.ts';
import { podRequests } from '../../../src/api/pod-requests.ts';
import { allocatable } from '../../../src/api/resources.ts';
import { type Mirror, nameOf, uidOf } from '../mirror.ts';
import type { Request } from '../recording-client.ts';
import type { Violated } from '../violation.ts';

/** At every write of a pod: it is bound once, it ends once, and its node has room for all that it has. */
export class PlacementInvariants {
  readonly #mirror: Mirror;
  readonly #violated: Violated;
  /** Pods that were bound without the scheduler being told: until it sees them, it may give their room away. */
  readonly #boundUnheard = new Set<string>();

  constructor(mirror: Mirror, violated: Violated) {
    this.#mirror = mirror;
    this.#violated = violated;
    mirror.onPod((before, after) => {
      if (after === undefined) return;
      if (before !== undefined) this.#checkChange(before, after);
      if (after.spec?.nodeName) this.#checkRoom(after.spec.nodeName);
    });
  }

  requested({ verb, outcome, pod }: Request): void {
    if (verb === 'bind' && outcome === 'lost' && pod !== undefined) this.#boundUnheard.add(uidOf(pod));
  }

  /** Whether the scheduler may not know that the pod is bound. */
  isBoundUnheard(uid: string): boolean {
    return this.#boundUnheard.has(uid);
  }

  /** At the end of a step: by then it is known who was not told. */
  checkRooms(): void {
    for (const name of this.#crowded) {
      const node = [...this.#mirror.nodes.values()].find((each) => nameOf(each) === name);
      if (node === undefined) continue;
      const here = [...this.#mirror.pods.values()].filter(({ spec }) => spec?.nodeName === name);
      const pods = here.filter((pod) => !isPodFinished(pod));
      if (!pods.some((pod) => this.#boundUnheard.has(uidOf(pod)))) this.#checkFits(node, pods, 'bound');
      this.#checkFits(
        node,
        pods.filter(({ status }) => status?.phase === 'Running'),
        'running',
      );
    }
    this.#crowded.clear();
  }

  /** Nodes with pods that are new there or changed. */
  readonly #crowded = new Set<string>();

  #checkRoom(nodeName: string): void {
    this.#crowded.add(nodeName);
  }

  #checkChange(before: Pod, after: Pod): void {
    const [from, to] = [before.spec?.nodeName ?? '', after.spec?.nodeName ?? ''];
    if (from !== '' && from !== to) this.#violated('bound once', `pod ${nameOf(after)} went from ${from} to ${to}`);
    const [was, is] = [before.status?.phase, after.status?.phase];
    if (isPodFinished(before) && was !== is && !isGivenUp(before)) {
      this.#violated('a pod ends once', `pod ${nameOf(after)} was ${was} and is ${is}`);
    }
  }

  #checkFits(node: Node, pods: readonly Pod[], how: string): void {
    const { resources, podCount } = allocatable(node.status?.allocatable);
    let [milliCPU, memoryBytes] = [0, 0];
    for (const pod of pods) {
      const requests = podRequests(pod);
      milliCPU += Number(requests.milliCPU);
      memoryBytes += Number(requests.memoryBytes);
    }
    const isOver = milliCPU > resources.milliCPU || memoryBytes > resources.memoryBytes || pods.length > podCount;
    if (!isOver) return;
    const amounts = `${milliCPU}m cpu, ${memoryBytes} bytes, ${pods.length} pods ${how}`;
    this.#violated('no node over-committed', `${nameOf(node)} has ${amounts}: ${pods.map(nameOf).join(', ')}`);
  }
}

/** PodGC said that it failed, as its node was gone: an agent that has not heard of that may say otherwise. */
function isGivenUp({ status }: Pod): boolean {
  return status?.conditions?.some(({ reason }) => reason === 'DeletionByPodGC') ?? false;
}
