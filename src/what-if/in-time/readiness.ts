import { podKey } from '../../api/object-name.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished, isPodReady } from '../../api/pod-conditions.ts';
import { controllerOf } from '../../expansion/present-pods.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { followWrites, type WriteType } from '../../store/follow-writes.ts';
import { ifFound } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';

/** The time between two looks at the pods, if something has changed; otherwise they are looked at every fifth time. */
const LOOK_MILLIS = 1000;
const LOOKS_LEFT_OUT = 5;

export interface ReadinessModules {
  readonly client: StoreClient;
  readonly loop: EventLoop;
  /** The names of the nodes that run, whatever the API has heard of them. */
  readonly runningNodes: () => ReadonlySet<string>;
  /** When pods or nodes last changed. */
  readonly lastChangeMillis: () => number;
}

/** How many pods of a workload were ready. */
export interface WorkloadReadiness {
  /** Kind, namespace and name, such as `Deployment shop/web`. */
  readonly workload: string;
  /** How many were ready right before the change. */
  readonly before: number;
  /** The fewest that were ready at one time after it, as seen every second. */
  readonly least: number;
  /** How many were ready when they were last looked at. */
  readonly end: number;
  /** The time after the change from which on as many as before were ready; null: they were not at the end. */
  readonly backMillis: number | null;
}

/** How many pods were without a node. */
export interface PodsWithoutNode {
  readonly before: number;
  readonly most: number;
  readonly end: number;
  /** The time after the change from which on there were none; null: there were some at the end. */
  readonly noneMillis: number | null;
}

/** A workload, with how many of its pods are ready on nodes that run. */
interface Count {
  ready: number;
  before: number;
  least: number;
  end: number;
  backMillis: number | null;
}

/** A node with pods that are ready by what the API says of them: how many of each workload. */
interface NodeOfPods {
  isRunning: boolean;
  readonly pods: Map<Count, number>;
}

interface ReadyPod {
  readonly count: Count;
  readonly nodeName: string;
}

/**
 * Counts the ready pods of each workload from a moment on. A pod on a node that does not run is not ready.
 *
 * Counts follow each write of a pod, so that a look asks for the nodes alone, and goes through the workloads whose
 * count has changed since the last one.
 */
export class Readiness {
  readonly #modules: ReadinessModules;
  readonly #counts = new Map<string, Count>();
  readonly #nodes = new Map<string, NodeOfPods>();
  /** By uid. */
  readonly #readyPods = new Map<string, ReadyPod>();
  /** The uids of pods that are to run and have no node. */
  readonly #waitingPods = new Set<string>();
  /** What has changed since the last look. */
  readonly #changed = new Set<Count>();
  /** The names of workloads by those of the ReplicaSets that they own. */
  readonly #owners = new Map<string, string>();
  #startMillis = 0;
  #withoutNode: { before: number; most: number; end: number; noneMillis: number | null } | undefined;

  constructor(modules: ReadinessModules) {
    this.#modules = modules;
  }

  /** Counts what is there now, and looks again and again from now on. */
  start(): void {
    const { loop, client } = this.#modules;
    this.#startMillis = loop.nowMillis();
    const { items, resourceVersion } = client.list('pods');
    for (const pod of items) this.#see('ADDED', pod);
    this.#lookAtNodes();
    for (const count of this.#counts.values()) count.before = count.least = count.end = count.ready;
    const waiting = this.#waitingPods.size;
    this.#withoutNode = { before: waiting, most: waiting, end: waiting, noneMillis: null };
    followWrites(client, 'pods', resourceVersion, (type, pod) => this.#see(type, pod));
    // The change happens right now.
    loop.after(0, () => this.#look());
    this.#lookLater(1);
  }

  /** All are zero before the start. */
  get withoutNode(): PodsWithoutNode {
    return this.#withoutNode ?? { before: 0, most: 0, end: 0, noneMillis: 0 };
  }

  /**
   * The workloads of which fewer pods were ready than before, at some time, or more at the end; those that lack the
   * most come first.
   */
  concerned(): readonly WorkloadReadiness[] {
    return [...this.#counts]
      .map(([workload, { before, least, end, backMillis }]) => ({ workload, before, least, end, backMillis }))
      .filter(({ before, least, end }) => least < before || end > before)
      .sort((a, b) => b.before - b.end - (a.before - a.end) || (a.workload < b.workload ? -1 : 1));
  }

  #lookLater(count: number): void {
    const { loop, lastChangeMillis } = this.#modules;
    loop.after(LOOK_MILLIS, () => {
      if (count % LOOKS_LEFT_OUT === 0 || lastChangeMillis() >= loop.nowMillis() - LOOK_MILLIS) this.#look();
      this.#lookLater(count + 1);
    });
  }

  #look(): void {
    this.#lookAtNodes();
    const elapsedMillis = this.#modules.loop.nowMillis() - this.#startMillis;
    this.#noteWithoutNode(this.#waitingPods.size, elapsedMillis);
    for (const count of this.#changed) {
      count.end = count.ready;
      count.least = Math.min(count.least, count.end);
      if (count.end < count.before) count.backMillis = null;
      else count.backMillis ??= elapsedMillis;
    }
    this.#changed.clear();
  }

  #noteWithoutNode(count: number, elapsedMillis: number): void {
    const noted = this.#withoutNode;
    if (noted === undefined) return;
    noted.end = count;
    noted.most = Math.max(noted.most, count);
    noted.noneMillis = count > 0 ? null : (noted.noneMillis ?? elapsedMillis);
  }

  #lookAtNodes(): void {
    const running = this.#modules.runningNodes();
    for (const [name, node] of this.#nodes) {
      if (node.isRunning === running.has(name)) continue;
      node.isRunning = !node.isRunning;
      for (const [count, pods] of node.pods) this.#add(count, node.isRunning ? pods : -pods);
    }
  }

  #see(type: WriteType, pod: Pod): void {
    const { uid = '', deletionTimestamp } = pod.metadata ?? {};
    const { nodeName } = pod.spec ?? {};
    const isGoing = type === 'DELETED' || isPodFinished(pod) || deletionTimestamp !== undefined;
    if (isGoing || nodeName) this.#waitingPods.delete(uid);
    else this.#waitingPods.add(uid);
    const isReady = !isGoing && isPodReady(pod);
    const seen = this.#readyPods.get(uid);
    if (isReady === (seen !== undefined)) return;
    if (seen === undefined) {
      const ready = { count: this.#countOf(pod), nodeName: nodeName ?? '' };
      this.#readyPods.set(uid, ready);
      this.#addPods(ready, 1);
    } else {
      this.#readyPods.delete(uid);
      this.#addPods(seen, -1);
    }
  }

  #addPods({ count, nodeName }: ReadyPod, pods: number): void {
    const node = getOrMake(this.#nodes, nodeName, () => ({ isRunning: false, pods: new Map<Count, number>() }));
    node.pods.set(count, (node.pods.get(count) ?? 0) + pods);
    if (node.isRunning) this.#add(count, pods);
  }

  #add(count: Count, pods: number): void {
    count.ready += pods;
    this.#changed.add(count);
  }

  #countOf(pod: Pod): Count {
    const workload = this.#workloadOf(pod);
    return getOrMake(this.#counts, workload, () => ({ ready: 0, before: 0, least: 0, end: 0, backMillis: 0 }));
  }

  #workloadOf(pod: Pod): string {
    const { namespace = 'default' } = pod.metadata ?? {};
    const owner = controllerOf(pod);
    if (owner === undefined) return `Pod ${podKey(pod)}`;
    if (owner.kind !== 'ReplicaSet') return `${owner.kind} ${namespace}/${owner.name}`;
    const key = `${namespace}/${owner.name}`;
    const known = this.#owners.get(key);
    if (known !== undefined) return known;
    const set = ifFound(() => this.#modules.client.get('replicasets', namespace, owner.name));
    const { kind = 'ReplicaSet', name = owner.name } = (set === undefined ? undefined : controllerOf(set)) ?? {};
    const workload = `${kind} ${namespace}/${name}`;
    this.#owners.set(key, workload);
    return workload;
  }
}
