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

/** Counts the ready pods of each workload from a moment on. A pod on a node that does not run is not ready. */
export class Readiness {
  readonly #modules: ReadinessModules;
  readonly #counts = new Map<string, { before: number; least: number; end: number; backMillis: number | null }>();
  /** The names of workloads by those of the ReplicaSets that they own. */
  readonly #owners = new Map<string, string>();
  #startMillis = 0;

  constructor(modules: ReadinessModules) {
    this.#modules = modules;
  }

  /** Counts what is there now, and looks again and again from now on. */
  start(): void {
    this.#startMillis = this.#modules.loop.nowMillis();
    for (const [workload, before] of this.#readyPods()) {
      this.#counts.set(workload, { before, least: before, end: before, backMillis: 0 });
    }
    // The change happens right now.
    this.#modules.loop.after(0, () => this.#look());
    this.#lookLater(1);
  }

  /** The workloads of which fewer pods were ready than before, at some time; those that lack the most come first. */
  concerned(): readonly WorkloadReadiness[] {
    return [...this.#counts]
      .map(([workload, counts]) => ({ workload, ...counts }))
      .filter(({ before, least }) => least < before)
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
    const now = this.#readyPods();
    const elapsedMillis = this.#modules.loop.nowMillis() - this.#startMillis;
    for (const [workload, counts] of this.#counts) {
      counts.end = now.get(workload) ?? 0;
      counts.least = Math.min(counts.least, counts.end);
      if (counts.end < counts.before) counts.backMillis = null;
      else counts.backMillis ??= elapsedMillis;
    }
  }

  #readyPods(): ReadonlyMap<string, number> {
    const running = this.#modules.runningNodes();
    const counts = new Map<string, number>();
    for (const pod of this.#modules.client.list('pods').items) {
      const isGoing = isPodFinished(pod) || pod.metadata?.deletionTimestamp !== undefined;
      if (isGoing || !isPodReady(pod) || !running.has(pod.spec?.nodeName ?? '')) continue;
      const workload = this.#workloadOf(pod);
      counts.set(workload, (counts.get(workload) ?? 0) + 1);
    }
    return counts;
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
