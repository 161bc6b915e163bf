import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { Indexer } from '../../../src/client/informer/indexer.ts';
import { objectKey } from '../../../src/client/object-key.ts';
import { DelayedWorkQueue } from '../../../src/client/queue/work-queues.ts';
import {
  PodGcController,
  type PodGcMetrics,
  type PodGcReason,
  zeroPodGcMetrics,
} from '../../../src/controllers/podgc/pod-gc-controller.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { type Difference, differences } from '../differences.ts';
import { type ControlCase, START_MILLIS, secondsSinceStart } from './control-case.ts';
import { PodGcApiStub, type PodGcCall, type PodGcFault } from './pod-gc-api-stub.ts';

export interface PodGcCase extends ControlCase {
  readonly config: { readonly terminatedPodThreshold: number; readonly quarantineSeconds: number };
  readonly pods: readonly Pod[] | null;
  readonly nodes: readonly Node[] | null;
  readonly steps: readonly PodGcStep[];
}

/** A step with the parameters of all operations; each operation uses those that it needs. */
interface PodGcStep {
  readonly op: string;
  readonly out?: Observation;
  readonly seconds: number;
  /** The pod; for a removal `namespace/name`. */
  readonly pod: Pod | string;
  readonly node: Node;
  readonly name: string;
  readonly kind: 'pods' | 'nodes';
  readonly hold: boolean;
  readonly fault: PodGcFault;
}

type Observation = Readonly<Record<string, unknown>>;

/** The parts of a pass, as the recording names them. */
const PARTS: Readonly<Record<PodGcReason, string>> = {
  terminated: 'terminated',
  'out-of-service': 'terminatingOutOfService',
  orphaned: 'orphaned',
  unscheduled: 'unscheduledTerminating',
};
const REASONS = Object.keys(PARTS) as PodGcReason[];

/** Replays one recorded scenario of the pod garbage collector. */
export function checkPodGc(recorded: PodGcCase): Difference[] {
  const replay = new PodGcReplay(recorded);
  for (const [i, step] of recorded.steps.entries()) {
    const found = differences(`steps[${i}] ${step.op}`, step.out, replay.run(step));
    if (found.length > 0) return found;
  }
  return [];
}

class PodGcReplay {
  readonly #loop = new VirtualEventLoop(START_MILLIS);
  readonly #api = new PodGcApiStub(this.#loop, (call) => this.#calls.push({ reason: this.#currentReason(), call }));
  readonly #podCache = new HeldCache(this.#api.pods);
  readonly #nodeCache = new HeldCache(this.#api.nodes);
  readonly #quarantine = new DelayedWorkQueue<string>(this.#loop);
  readonly #controller: PodGcController;
  #calls: { readonly reason: PodGcReason | undefined; readonly call: PodGcCall }[] = [];
  #metricsBefore: PodGcMetrics = zeroPodGcMetrics();

  constructor({ config, pods, nodes }: PodGcCase) {
    for (const pod of pods ?? []) this.#api.pods.set(objectKey(pod), pod);
    for (const node of nodes ?? []) this.#api.nodes.set(objectKey(node), node);
    this.#controller = new PodGcController({
      api: this.#api,
      pods: this.#podCache.indexer,
      nodes: this.#nodeCache.indexer,
      hasSynced: () => true,
      loop: this.#loop,
      reportError: () => {},
      terminatedPodThreshold: config.terminatedPodThreshold,
      quarantineMillis: config.quarantineSeconds * 1000,
      quarantine: this.#quarantine,
    });
    this.#refreshCaches();
  }

  /** What is observed after the step; undefined where the recording observes nothing. */
  run(step: PodGcStep): Observation | undefined {
    const observation = step.op === 'gc' ? this.#collect() : this.#change(step);
    this.#refreshCaches();
    return observation;
  }

  /** What the world does meanwhile. */
  #change({ op, seconds, pod, node, name, kind, hold, fault }: PodGcStep): undefined {
    if (op === 'advance') this.#loop.runUntil(this.#loop.nowMillis() + seconds * 1000);
    else if (op === 'setPod') this.#api.pods.set(objectKey(pod as Pod), pod as Pod);
    else if (op === 'removePod') this.#api.pods.delete(pod as string);
    else if (op === 'setNode') this.#api.nodes.set(objectKey(node), node);
    else if (op === 'deleteNode') this.#api.nodes.delete(name);
    else if (op === 'holdCache') (kind === 'pods' ? this.#podCache : this.#nodeCache).isHeld = hold;
    else if (op === 'injectFault') this.#api.injectFault(fault);
    else if (op === 'clearFaults') this.#api.clearFaults();
    else throw new Error(`no such operation: ${op}`);
  }

  #collect(): Observation {
    this.#calls = [];
    this.#api.nodeGets.length = 0;
    this.#metricsBefore = structuredClone(this.#controller.metrics);
    this.#controller.gc();
    const nowMillis = this.#loop.nowMillis();
    const quarantine = [...this.#quarantine.waitingKeys()].map((node) => [node, this.#quarantine.dueMillisOf(node)]);
    const metrics = this.#metricsDelta();
    return {
      at: secondsSinceStart(nowMillis),
      ...Object.fromEntries(REASONS.flatMap((reason) => this.#shownCalls(reason))),
      ...(this.#api.nodeGets.length > 0 && { nodeGets: [...this.#api.nodeGets] }),
      podsLeft: [...this.#api.pods.keys()].toSorted(),
      quarantine: Object.fromEntries(quarantine.map(([node, millis]) => [node, secondsSinceStart(millis as number)])),
      ...(Object.keys(metrics).length > 0 && { metrics }),
    };
  }

  #shownCalls(reason: PodGcReason): [string, PodGcCall[]][] {
    const calls = this.#calls.filter((entry) => entry.reason === reason).map(({ call }) => call);
    return calls.length === 0 ? [] : [[PARTS[reason], calls]];
  }

  /** The parts of a pass run in their order, and each counts a pod before it calls the API. */
  #currentReason(): PodGcReason | undefined {
    const { metrics } = this.#controller;
    return REASONS.findLast((reason) => metrics[reason].total > this.#metricsBefore[reason].total);
  }

  #metricsDelta(): Record<string, number> {
    const { metrics } = this.#controller;
    const deltas = REASONS.flatMap((reason): [string, number][] => {
      const { total, errors } = this.#metricsBefore[reason];
      const now = metrics[reason];
      return [
        [`total/${reason}`, now.total - total],
        [`errors/${reason}`, now.errors - errors],
      ];
    });
    return Object.fromEntries(deltas.filter(([, delta]) => delta > 0));
  }

  #refreshCaches(): void {
    this.#podCache.refresh();
    this.#nodeCache.refresh();
  }
}

/** What a controller sees of one resource: the truth, or what was the truth before the cache was held. */
class HeldCache<T extends Pod | Node> {
  readonly indexer = new Indexer<T>();
  readonly #truth: ReadonlyMap<string, T>;
  isHeld = false;

  constructor(truth: ReadonlyMap<string, T>) {
    this.#truth = truth;
  }

  refresh(): void {
    if (this.isHeld) return;
    for (const [key] of [...this.indexer.entries()]) this.indexer.delete(key);
    for (const key of [...this.#truth.keys()].toSorted()) this.indexer.set(this.#truth.get(key) as T);
  }
}
