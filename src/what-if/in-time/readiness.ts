import { podKey } from '../../api/object-name.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished, isPodReady } from '../../api/pod-conditions.ts';
import { controllerOf } from '../../expansion/present-pods.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
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

/** Counts the ready pods of each workload from a moment on. A pod on a node that does not run is not ready. */
export class Readiness {
  readonly #modules: ReadinessModules;
  readonly #counts = new Map<string, { before: number; least: number; end: number; backMillis: number | null }>();
  /** The names of workloads by those of the ReplicaSets that they own. */
  readonly #owners = new Map<string, string>();
  #startMillis = 0;
  #withoutNode: { before: number; most: number; end: number; noneMillis: number | null } | undefined;

  constructor(modules: ReadinessModules) {
    this.#modules = modules;
  }

  /** Counts what is there now, and looks again and again from now on. */
  start(): void {
    this.#startMillis = this.#modules.loop.nowMillis();
    const { ready, withoutNode } = this.#lookAtPods();
    for (const [workload, before] of ready) {
      this.#counts.set(workload, { before, least: before, end: before, backMillis: 0 });
    }
    this.#withoutNode = { before: withoutNode, most: withoutNode, end: withoutNode, noneMillis: null };
    // The change happens right now.
    this.#modules.loop.after(0, () => this.#look());
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
      .map(([workload, counts]) => ({ workload, ...counts }))
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
    const { ready, withoutNode } = this.#lookAtPods();
    const elapsedMillis = this.#modules.loop.nowMillis() - this.#startMillis;
    this.#noteWithoutNode(withoutNode, elapsedMillis);
    for (const workload of ready.keys()) {
      if (!this.#counts.has(workload)) this.#counts.set(workload, { before: 0, least: 0, end: 0, backMillis: 0 });
    }
    for (const [workload, counts] of this.#counts) {
      counts.end = ready.get(workload) ?? 0;
      counts.least = Math.min(counts.least, counts.end);
      if (counts.end < counts.before) counts.backMillis = null;
      else counts.backMillis ??= elapsedMillis;
    }
  }

  #noteWithoutNode(count: number, elapsedMillis: number): void {
    const noted = this.#withoutNode;
    if (noted === undefined) return;
    noted.end = count;
    noted.most = Math.max(noted.most, count);
    noted.noneMillis = count > 0 ? null : (noted.noneMillis ?? elapsedMillis);
  }

  /** The number of ready pods of each workload, and how many pods are to run and have no node. */
  #lookAtPods(): { readonly ready: ReadonlyMap<string, number>; readonly withoutNode: number } {
    const running = this.#modules.runningNodes();
    const counts = new Map<string, number>();
    let withoutNode = 0;
    for (const pod of this.#modules.client.list('pods').items) {
      const isGoing = isPodFinished(pod) || pod.metadata?.deletionTimestamp !== undefined;
      if (!isGoing && !pod.spec?.nodeName) withoutNode++;
      if (isGoing || !isPodReady(pod) || !running.has(pod.spec?.nodeName ?? '')) continue;
      const workload = this.#workloadOf(pod);
      counts.set(workload, (counts.get(workload) ?? 0) + 1);
    }
    return { ready: counts, withoutNode };
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
