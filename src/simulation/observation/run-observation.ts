import { podKey } from '../../api/object-name.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import type { Explanation } from '../../core/decision/result.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import type { QueuedPodInfo } from '../../scheduler/queue/queued-pod-info.ts';
import { ifFound } from '../../store/objects/api-error.ts';
import type { Resource, Resources } from '../../store/objects/resources.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { requestsOf } from '../statistics/pod-counts.ts';
import { Timeline, type TimelinePoint } from '../statistics/timeline.ts';
import type { AmountsByName } from '../statistics/usage-meter.ts';
import { EventBins } from './event-bins.ts';
import { type Packing, PodShapes, packingOf } from './fragmentation.ts';
import { NodeLoads } from './node-loads.ts';
import { type ObservedReason, observedDecision, PendingReasons } from './pending-reasons.ts';
import { WorkloadsSeen } from './workload-times.ts';

/** The parts of a run that an observation follows. */
export interface ObservationModules {
  readonly client: Pick<StoreClient, 'list' | 'watch' | 'get'>;
  readonly loop: EventLoop;
  readonly queuedPods: () => Iterable<QueuedPodInfo>;
  readonly explain: (pod: Pod) => Explanation | undefined;
}

/** The nodes at one moment, in whole percent of what they offer, by metric. */
export interface NodeFrame {
  readonly percents: readonly (readonly number[])[];
  readonly lost: readonly number[];
  readonly zoneShares: readonly (readonly number[])[];
  readonly packing: Packing;
}

export const POD_EVENTS = ['created', 'scheduled', 'ended'] as const;
export const QUEUES = ['active', 'backoff', 'unschedulable', 'gated'] as const;

const FRAMES_MAX = 48;
const FAULTS_MAX = 5000;

interface KnownPod {
  readonly createdMillis: number;
  readonly amounts: AmountsByName;
  nodeName: string;
  hasEnded: boolean;
}

/** Follows a run for its report. It reads each write in its own watch and writes nothing. */
export class RunObservation {
  readonly events: EventBins;
  readonly loads = new NodeLoads();
  readonly workloads = new WorkloadsSeen();
  readonly reasons: PendingReasons;
  readonly faults: { readonly atMillis: number; readonly text: string }[] = [];
  readonly #modules: ObservationModules;
  readonly #shapes = new PodShapes();
  readonly #pods = new Map<string, KnownPod>();
  readonly #watches: { stop(): void }[] = [];
  readonly #queueTimeline: Timeline;
  readonly #reasonTimeline: Timeline;
  readonly #frames: Timeline<NodeFrame>;

  constructor(modules: ObservationModules) {
    this.#modules = modules;
    const nowMillis = modules.loop.nowMillis();
    this.events = new EventBins(nowMillis, POD_EVENTS.length);
    this.reasons = new PendingReasons((reason, pod) => this.#explainSoon(reason, pod));
    this.#queueTimeline = new Timeline(nowMillis, () => this.#queueDepths());
    this.#reasonTimeline = new Timeline(nowMillis, () => this.reasons.counts());
    this.#frames = new Timeline(nowMillis, () => this.#frame(), FRAMES_MAX);
  }

  start(): void {
    this.#follow('nodes', {
      set: (node) => this.loads.setNode(node),
      delete: (node) => this.loads.deleteNode(node.metadata?.name ?? ''),
    });
    this.#follow('pods', {
      set: (pod, nowMillis) => this.#setPod(pod, nowMillis),
      delete: (pod, nowMillis) => this.#deletePod(pod, nowMillis),
    });
    this.#follow('jobs', { set: (job, nowMillis) => this.workloads.setJob(job, nowMillis), delete: () => {} });
  }

  stop(): void {
    for (const watch of this.#watches.splice(0)) watch.stop();
  }

  noteFault(text: string): void {
    if (this.faults.length < FAULTS_MAX) this.faults.push({ atMillis: this.#modules.loop.nowMillis(), text });
  }

  queueDepths(): readonly TimelinePoint[] {
    return this.#queueTimeline.points(this.#modules.loop.nowMillis());
  }

  pendingByReason(): readonly TimelinePoint[] {
    return this.#reasonTimeline.points(this.#modules.loop.nowMillis());
  }

  frames(): readonly TimelinePoint<NodeFrame>[] {
    return this.#frames.points(this.#modules.loop.nowMillis());
  }

  #follow<R extends Resource>(
    resource: R,
    counts: {
      set(object: Resources[R], nowMillis: number): void;
      delete(object: Resources[R], nowMillis: number): void;
    },
  ): void {
    const { client, loop } = this.#modules;
    const { resourceVersion } = client.list(resource, { limit: 1 });
    const watch = client.watch(resource, { resourceVersion });
    this.#watches.push(watch);
    watch.onReady(() => {
      const nowMillis = loop.nowMillis();
      for (let event = watch.next(); event !== undefined; event = watch.next()) {
        if (!('object' in event)) continue;
        for (const timeline of [this.#queueTimeline, this.#reasonTimeline, this.#frames])
          timeline.beforeChange(nowMillis);
        const object = event.object as Resources[R];
        if (event.type === 'DELETED') counts.delete(object, nowMillis);
        else counts.set(object, nowMillis);
      }
    });
  }

  #setPod(pod: Pod, nowMillis: number): void {
    const uid = pod.metadata?.uid ?? '';
    const nodeName = pod.spec?.nodeName ?? '';
    let known = this.#pods.get(uid);
    if (known === undefined) {
      known = { createdMillis: nowMillis, amounts: requestsOf(pod), nodeName: '', hasEnded: false };
      this.#pods.set(uid, known);
      this.#shapes.add(known.amounts);
      this.events.add(0, nowMillis);
      this.workloads.podCreated(pod, nowMillis);
      if (nodeName !== '') this.#place(known, nodeName);
    } else if (known.nodeName === '' && nodeName !== '') {
      this.#place(known, nodeName);
      this.events.add(1, nowMillis);
      this.workloads.podScheduled(pod, nowMillis - known.createdMillis, nowMillis);
    }
    const isOver = isPodFinished(pod);
    if (isOver) this.#end(known, nowMillis);
    this.reasons.set(pod, nodeName === '' && !isOver && pod.metadata?.deletionTimestamp === undefined);
  }

  #deletePod(pod: Pod, nowMillis: number): void {
    const uid = pod.metadata?.uid ?? '';
    const known = this.#pods.get(uid);
    if (known === undefined) return;
    this.#end(known, nowMillis);
    this.reasons.set(pod, false);
    this.#pods.delete(uid);
  }

  #place(known: KnownPod, nodeName: string): void {
    known.nodeName = nodeName;
    this.loads.charge(nodeName, known.amounts, 1);
  }

  #end(known: KnownPod, nowMillis: number): void {
    if (known.hasEnded) return;
    known.hasEnded = true;
    if (known.nodeName !== '') this.loads.charge(known.nodeName, known.amounts, -1);
    this.events.add(2, nowMillis);
  }

  /** Explains the first pod of a reason after the write that names the reason, in which nothing else may be asked. */
  #explainSoon(reason: ObservedReason, { metadata }: Pod): void {
    const { loop, client, explain } = this.#modules;
    const { namespace = '', name = '' } = metadata ?? {};
    loop.after(0, () => {
      const pod = ifFound(() => client.get('pods', namespace, name));
      if (pod === undefined || pod.metadata?.uid !== metadata?.uid || pod.spec?.nodeName) return;
      const explanation = explain(pod);
      if (explanation === undefined || explanation.status === 'scheduled') return;
      reason.decision = observedDecision(podKey({ metadata: { namespace, name } }), loop.nowMillis(), explanation);
    });
  }

  #queueDepths(): readonly number[] {
    const counts = { active: 0, backoff: 0, unschedulable: 0, gated: 0 };
    for (const { place, isGated } of this.#modules.queuedPods()) {
      if (isGated) counts.gated++;
      else if (place === 'errorBackoff') counts.backoff++;
      else if (place !== null) counts[place]++;
    }
    return QUEUES.map((name) => counts[name]);
  }

  #frame(): NodeFrame {
    const { loads } = this;
    return {
      percents: loads.percents(),
      lost: [...loads.lost],
      zoneShares: loads.zoneShares(),
      packing: packingOf(loads, this.#shapes.frequent()),
    };
  }
}
