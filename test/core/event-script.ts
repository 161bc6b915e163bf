/** Plays a script on a scheduler. */
import type { Node } from '../../src/api/node.ts';
import type { Pod, PodSpec } from '../../src/api/pod.ts';
import { type Explanation, type ScheduleResult, Scheduler, type SchedulerOptions } from '../../src/index.ts';
import { batchPodName, named, namespaceOf, podOf } from '../builders/arbitrary-cluster.ts';
import { setAnyObject } from '../builders/arbitrary-objects.ts';
import type { ClusterEvent, PodShape, Script } from './arbitrary-script.ts';
import { type BatchAnswer, batchAnswerOf, expectedBatchAnswer } from './batch-answer.ts';

/** Numbers of nodes, of which two make the table of nodes grow, and some leave it as it is. */
const FLEET_SIZES: Readonly<Record<string, number>> = { east: 70, west: 70, south: 30, north: 8 };
const CHURN_ROUNDS = 600;

/** What a scheduler answered: a value, or the code of the error that it threw. */
export type Answer = ScheduleResult | Explanation | BatchAnswer | 'done' | { readonly error: string };

export type BatchEvent = ClusterEvent & { readonly do: 'scheduleBatch' };

/** One scheduler with what its caller keeps beside it: the victims that are still to be removed. */
export class ClusterLife {
  readonly scheduler: Scheduler;
  readonly #templates: readonly PodSpec[];
  #victims: readonly string[] = [];

  constructor(
    options: SchedulerOptions,
    { templates, nodes, objects, placed }: Script,
    createRunner?: ConstructorParameters<typeof Scheduler>[1],
    ongoing?: { readonly scheduler: Scheduler; readonly victims: readonly string[] },
  ) {
    this.#templates = templates;
    if (ongoing !== undefined) {
      this.scheduler = ongoing.scheduler;
      this.#victims = ongoing.victims;
      return;
    }
    // Some pods are malformed; without validation all engines must return the same for them.
    this.scheduler = new Scheduler({ validate: false, ...options }, createRunner);
    const isStrict = options.validate === true;
    for (const [i, node] of nodes.entries()) {
      if (isStrict) this.play({ do: 'addNode', name: `n${i}`, node });
      else this.scheduler.addNode(named(node, `n${i}`));
    }
    for (const object of objects) setAnyObject(this.scheduler, object);
    for (const pod of placed) this.play(pod);
  }

  /** This life, as it goes on with another scheduler. */
  on(scheduler: Scheduler, script: Script): ClusterLife {
    return new ClusterLife({}, script, undefined, { scheduler, victims: this.#victims });
  }

  play(event: ClusterEvent): Answer {
    return this.#coded(() => this.#perform(event));
  }

  /** Schedules the pods of a batch one after the other; `before` is called before each. */
  playApart(event: BatchEvent, before?: (pod: Pod, i: number) => void): BatchAnswer | { readonly error: string } {
    return this.#coded(() => {
      const results = podsOfBatch(this.#templates, event).map((pod, i) => {
        before?.(pod, i);
        return this.scheduler.schedule(pod);
      });
      this.#noteVictims(results);
      return expectedBatchAnswer(results);
    });
  }

  #coded<T>(act: () => T): T | { readonly error: string } {
    try {
      return act();
    } catch (error) {
      if (error instanceof Error && 'code' in error) return { error: `${error.code}: ${error.message}` };
      throw error;
    }
  }

  #perform(event: ClusterEvent): Answer {
    const { scheduler } = this;
    switch (event.do) {
      case 'schedule': {
        const result = scheduler.schedule(podOfEvent(this.#templates, event));
        this.#noteVictims([result]);
        return result;
      }
      case 'scheduleBatch': {
        const batch = scheduler.scheduleBatch(podsOfBatch(this.#templates, event));
        this.#noteVictims([...batch]);
        return batchAnswerOf(batch);
      }
      case 'explain':
        return scheduler.explain(podOfEvent(this.#templates, event));
      default:
        this.#change(event);
        return 'done';
    }
  }

  #noteVictims(results: readonly ScheduleResult[]): void {
    for (const result of results) if (result.status === 'unschedulable') this.#victims = result.victims ?? [];
  }

  /** The pod may have gone of itself meanwhile. */
  #removeIfKnown(key: string): void {
    const [namespace = '', name = ''] = key.split('/');
    try {
      this.scheduler.removePod(namespace, name);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }

  #change(event: ClusterEvent): void {
    const { scheduler } = this;
    switch (event.do) {
      case 'addNode':
        scheduler.addNode(named(event.node, event.name));
        return;
      case 'updateNode':
        scheduler.updateNode(named(event.node, event.name));
        return;
      case 'removeNode':
        scheduler.removeNode(event.name);
        return;
      case 'addFleet':
        for (const node of fleet(event)) scheduler.addNode(node);
        return;
      case 'removeFleet':
        for (const node of fleet(event)) scheduler.removeNode(node.metadata?.name ?? '');
        return;
      case 'addPod':
        scheduler.addPod(podOfEvent(this.#templates, event));
        return;
      case 'updatePod':
        scheduler.updatePod(podOfEvent(this.#templates, event));
        return;
      case 'removePod':
        scheduler.removePod(namespaceOf(event.name), event.name);
        return;
      case 'setObject':
        setAnyObject(scheduler, event.object);
        return;
      case 'removeObject':
        scheduler.removeObject(event.object.kind, event.object.name, event.object.namespace);
        return;
      case 'evict': {
        const victims = this.#victims;
        this.#victims = [];
        for (const victim of victims) this.#removeIfKnown(victim);
        return;
      }
      case 'removeBatch':
        for (const name of namesOfBatch(event.batch)) this.#removeIfKnown(`${namespaceOf(name)}/${name}`);
        return;
      case 'churn': {
        const churned = podOfEvent(this.#templates, event);
        for (let round = 0; round < CHURN_ROUNDS; round++) {
          scheduler.addPod(churned);
          if (round + 1 < CHURN_ROUNDS) scheduler.removePod(namespaceOf(event.name), event.name);
        }
      }
    }
  }
}

/** The pod that an event is about. */
export function podOfEvent(
  templates: readonly PodSpec[],
  event: { readonly name: string; readonly pod: PodShape; readonly nodeName?: string },
): Pod {
  const spec = templates[event.pod.template % templates.length] as PodSpec;
  // Pods to be scheduled keep the template's own spec object: identity is what the encoder goes by.
  return podOf(event.name, event.nodeName === undefined ? spec : { ...spec, nodeName: event.nodeName }, event.pod);
}

/** No batch is larger. */
const MOST_IN_BATCH = 30;

export function namesOfBatch(batch: number): string[] {
  return Array.from({ length: MOST_IN_BATCH }, (_, i) => batchPodName(batch, i));
}

export function podsOfBatch(templates: readonly PodSpec[], { batch, pods, twice }: BatchEvent): Pod[] {
  const all = pods.map((pod, i) => podOfEvent(templates, { name: batchPodName(batch, i), pod }));
  return twice ? [...all, ...all.slice(0, 1)] : all;
}

/** Pods that no event is about, in the three namespaces in turn. */
export function probesOf({ templates, probes }: Script): Pod[] {
  return probes.map((pod, i) => {
    const probe = podOfEvent(templates, { name: `probe${i}`, pod });
    return { ...probe, metadata: { ...probe.metadata, namespace: namespaceOf(`p${i}`) } };
  });
}

export function fleet({ fleet, node }: { readonly fleet: string; readonly node: Node }): Node[] {
  return Array.from({ length: FLEET_SIZES[fleet] ?? 0 }, (_, i) => named(node, `${fleet}-${i}`));
}
