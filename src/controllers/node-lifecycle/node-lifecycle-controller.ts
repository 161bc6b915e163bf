import { type Lease, NODE_LEASE_NAMESPACE } from '../../api/lease.ts';
import { type Node, readyStatus, type Taint } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodReady, withPodCondition } from '../../api/pod-conditions.ts';
import { timeAtMillis } from '../../api/time.ts';
import { stateHandler } from '../../client/informer/event-handler.ts';
import { podsOfNode, watchPodsByNode } from '../../client/informer/informers.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { whenSynced } from '../../client/informer/when-synced.ts';
import { runReporting, type Timer } from '../../lib/event-loop.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { ifFound } from '../../store/objects/api-error.ts';
import type { RecordingModules } from '../queued-controller.ts';
import { EvictionQueue } from './eviction-queue.ts';
import { type GracePeriods, isOverdue, type NodeHealth, observedHealth, unknownConditions } from './node-health.ts';
import { hasExecuteTaint, NOT_READY, UNREACHABLE, withConditionTaints, withExecuteTaint } from './node-taints.ts';
import { millisPerNode, type ZoneState, zoneOf, zoneState } from './zone-states.ts';

export interface NodeLifecycleOptions extends RecordingModules {
  readonly nodeMonitorPeriodMillis?: number;
  readonly gracePeriods?: GracePeriods;
}

const DEFAULT_GRACE: GracePeriods = { monitorMillis: 50_000, startupMillis: 60_000 };

/** Shorter than a millisecond, so that nothing else happens in between. */
const BETWEEN_MILLIS = 0.5;

interface WatchedNode {
  health: NodeHealth | undefined;
  /** Whether the next pass has to check the node. */
  isChanged: boolean;
  /** Whether some pods of the node are still to be marked as not ready. */
  hasUnmarkedPods: boolean;
  /** Whether the NoSchedule taints could not be written when the conditions of the node changed. */
  hasOldTaints: boolean;
}

/**
 * Monitors which nodes are alive, and shows the result by conditions and taints:
 *
 * ```
 *   lease renewed, conditions written ─▶ alive
 *   neither for 50 s ─▶ conditions Unknown ─▶ taint unreachable:NoSchedule at once; pods are not ready
 *                                        └──▶ taint unreachable:NoExecute, one node of a zone every 10 s
 *   Ready=False      ─▶ the same with not-ready
 *   Ready=True       ─▶ the taints are removed at once
 * ```
 *
 * A pass every five seconds checks all nodes. The result is known in advance for a node that has not changed since the
 * last pass, and whose grace period is not over: such nodes are skipped, and so is a pass that would check none. A node
 * whose check failed, or whose taints could not be written, is checked again by the next pass, as upstream checks every
 * node in every pass: otherwise a taint would stay on a node that is healthy again.
 *
 * When all nodes of all zones are down, the control plane itself may be cut off: then no node is tainted for eviction,
 * and such taints are removed.
 *
 * Upstream: pkg/controller/nodelifecycle/node_lifecycle_controller.go.
 */
export class NodeLifecycleController {
  readonly #options: NodeLifecycleOptions;
  readonly #periodMillis: number;
  readonly #grace: GracePeriods;
  readonly #nodes: Lister<Node>;
  readonly #leases: Lister<Lease>;
  readonly #pods: Lister<Pod>;
  readonly #hasSynced: () => boolean;
  readonly #watched = new Map<string, WatchedNode>();
  readonly #queues = new Map<string, EvictionQueue>();
  #isDisrupted = false;
  #startedAtMillis = 0;
  #start: Timer | undefined;
  #pass: Timer | undefined;
  #passMillis = Number.POSITIVE_INFINITY;

  constructor(options: NodeLifecycleOptions) {
    const { informers, nodeMonitorPeriodMillis = 5000, gracePeriods = DEFAULT_GRACE } = options;
    this.#options = options;
    this.#periodMillis = nodeMonitorPeriodMillis;
    this.#grace = gracePeriods;
    const [nodes, leases, pods] = [informers.of('nodes'), informers.of('leases'), informers.of('pods')];
    [this.#nodes, this.#leases, this.#pods] = [nodes.lister, leases.lister, pods.lister];
    watchPodsByNode(informers);
    this.#hasSynced = () => nodes.hasSynced() && leases.hasSynced() && pods.hasSynced();
    const nodeHandler = stateHandler<Node>(
      (node) => this.#see(node),
      (node) => this.#forget(node),
    );
    nodes.addHandler(nodeHandler, { name: 'node lifecycle' });
    const seeLease = ({ metadata }: Lease): void => {
      if (metadata?.namespace === NODE_LEASE_NAMESPACE) this.#changed(metadata.name ?? '');
    };
    leases.addHandler(stateHandler(seeLease, seeLease), { name: 'node lifecycle' });
  }

  start(): void {
    this.#start ??= whenSynced(this.#options.loop, this.#hasSynced, () => {
      this.#startedAtMillis = this.#options.loop.nowMillis();
      for (const node of this.#nodes.list()) this.#taintByConditions(node);
      this.#monitor();
    });
  }

  stop(): void {
    this.#start?.cancel();
    this.#start = undefined;
    this.#pass?.cancel();
    this.#pass = undefined;
    this.#passMillis = Number.POSITIVE_INFINITY;
    for (const queue of this.#queues.values()) queue.stop();
  }

  #see(node: Node): void {
    this.#changed(node.metadata?.name ?? '');
    if (this.#startedAtMillis > 0) this.#taintByConditions(node);
  }

  #forget(node: Node): void {
    const name = node.metadata?.name ?? '';
    this.#watched.delete(name);
    this.#queues.get(zoneOf(node))?.remove(name);
  }

  #changed(nodeName: string): void {
    this.#watchedNode(nodeName).isChanged = true;
    this.#schedulePass(0);
  }

  #watchedNode(nodeName: string): WatchedNode {
    const newlyWatched = () => ({ health: undefined, isChanged: true, hasUnmarkedPods: false, hasOldTaints: false });
    return getOrMake(this.#watched, nodeName, newlyWatched);
  }

  /** Schedules the first pass after that time. */
  #schedulePass(millis: number): void {
    if (this.#startedAtMillis === 0 || this.#start === undefined) return;
    const { loop } = this.#options;
    const passMillis = this.#passAfter(Math.max(millis, loop.nowMillis()));
    if (passMillis >= this.#passMillis) return;
    this.#pass?.cancel();
    this.#passMillis = passMillis;
    // The timer is set in two steps, so that a pass runs after all changes before its time, however early it was
    // scheduled.
    this.#pass = loop.after(passMillis - BETWEEN_MILLIS - loop.nowMillis(), () => {
      this.#pass = loop.after(BETWEEN_MILLIS, () => this.#monitor());
    });
  }

  #passAfter(millis: number): number {
    const passes = Math.floor((millis - this.#startedAtMillis) / this.#periodMillis) + 1;
    return this.#startedAtMillis + Math.max(0, passes) * this.#periodMillis;
  }

  #monitor(): void {
    this.#passMillis = Number.POSITIVE_INFINITY;
    const nowMillis = this.#options.loop.nowMillis();
    let nextMillis = Number.POSITIVE_INFINITY;
    for (const [name, watched] of this.#watched) {
      const node = this.#nodes.get('', name);
      // A lease may exist before its node, or remain after it.
      if (node === undefined) continue;
      if (watched.isChanged || isDue(watched.health, nowMillis)) this.#look(node, watched, nowMillis);
      const { health } = watched;
      if (health !== undefined && isDueSometime(node, health)) {
        nextMillis = Math.min(nextMillis, health.probeMillis + health.graceMillis);
      }
    }
    this.#handleDisruption();
    if (nextMillis < Number.POSITIVE_INFINITY) this.#schedulePass(nextMillis);
  }

  #look(node: Node, watched: WatchedNode, nowMillis: number): void {
    const { name = '' } = node.metadata ?? {};
    const lease = this.#leases.get(NODE_LEASE_NAMESPACE, name);
    watched.isChanged = false;
    if (watched.hasOldTaints) this.#taintByConditions(node);
    const seenMillis = (millis: number): number => this.#passAfter(millis);
    watched.health = observedHealth(node, lease, watched.health, nowMillis, this.#grace, seenMillis);
    const isDone = this.#try(`monitor node ${name}`, () => {
      const wasReady = readyStatus(node) === 'True';
      let current = node;
      if (!watched.health?.isSilent && isOverdue(watched.health as NodeHealth, nowMillis)) {
        current = this.#markUnknown(node, nowMillis);
        // Conditions that this controller writes itself are no sign of life.
        watched.health = { ...(watched.health as NodeHealth), conditions: current.status?.conditions };
      }
      if (readyStatus(current) === 'True') watched.hasUnmarkedPods = false;
      else if (wasReady) {
        const message = `Node ${name} status is now: NodeNotReady`;
        this.#options.recorder.event(node, 'Normal', 'NodeNotReady', message);
        watched.hasUnmarkedPods = true;
      }
      if (watched.hasUnmarkedPods) watched.hasUnmarkedPods = !this.#markPodsNotReady(name);
      this.#plan(current);
    });
    if (!isDone || watched.hasUnmarkedPods) this.#changed(name);
  }

  /** @throws ApiError */
  #markUnknown(node: Node, nowMillis: number): Node {
    const conditions = unknownConditions(node, nowMillis);
    if (conditions === undefined) return node;
    const { client } = this.#options;
    return client.updateStatus('nodes', { ...node, status: { ...node.status, conditions } });
  }

  /** Marks pods of a node without signs of life as not ready. Returns whether this worked for all of them. */
  #markPodsNotReady(nodeName: string): boolean {
    const { client, recorder, loop } = this.#options;
    let areAllMarked = true;
    for (const pod of podsOfNode(this.#pods, nodeName)) {
      const { namespace = '', name = '' } = pod.metadata ?? {};
      if (!isPodReady(pod)) continue;
      const isMarked = this.#try(`mark pod ${namespace}/${name} not ready`, () => {
        const live = client.get('pods', namespace, name);
        const status = withPodCondition(live.status ?? {}, { type: 'Ready', status: 'False' }, loop.nowMillis());
        client.updateStatus('pods', { ...live, status });
        recorder.event(live, 'Warning', 'NodeNotReady', 'Node is not ready');
      });
      areAllMarked &&= isMarked;
    }
    return areAllMarked;
  }

  /** Queues the node for eviction, or removes it from the queue. @throws ApiError */
  #plan(node: Node): void {
    const { name = '' } = node.metadata ?? {};
    const queue = this.#queueOf(zoneOf(node));
    const status = readyStatus(node);
    if (status === 'True') {
      queue.remove(name);
      this.#taintForEviction(name, undefined);
    } else if (status !== undefined) {
      // A node that was tainted for the other reason is changed at once.
      if (hasExecuteTaint(node)) this.#taintForEviction(name, status === 'False' ? NOT_READY : UNREACHABLE);
      // The node waits for its turn again if somebody else has removed its taint. Upstream: markNodeForTainting.
      else if (!this.#isDisrupted) queue.add(name);
    }
  }

  #queueOf(zone: string): EvictionQueue {
    const { loop } = this.#options;
    const newQueue = () => new EvictionQueue(loop, millisPerNode('normal', 0), (name) => this.#evict(name));
    return getOrMake(this.#queues, zone, newQueue);
  }

  /** Taints a node for eviction when its turn comes. */
  #evict(nodeName: string): void {
    const node = this.#nodes.get('', nodeName);
    if (node === undefined || this.#isDisrupted) return;
    const status = readyStatus(node);
    if (status === 'True' || status === undefined) return;
    const isDone = this.#try(`taint node ${nodeName}`, () =>
      this.#taintForEviction(nodeName, status === 'False' ? NOT_READY : UNREACHABLE),
    );
    if (!isDone) this.#queueOf(zoneOf(node)).add(nodeName);
  }

  /** Updates the state of each zone. Upstream: handleDisruption. */
  #handleDisruption(): void {
    const counts = new Map<string, { ready: number; unready: number }>();
    for (const node of this.#nodes.list()) {
      const zone = zoneOf(node);
      const count = counts.get(zone) ?? { ready: 0, unready: 0 };
      if (readyStatus(node) === 'True') count.ready++;
      else count.unready++;
      counts.set(zone, count);
    }
    const states = new Map<string, ZoneState>();
    for (const [zone, { ready, unready }] of counts) states.set(zone, zoneState(ready, unready));
    const wasDisrupted = this.#isDisrupted;
    this.#isDisrupted = states.size > 0 && [...states.values()].every((state) => state === 'full disruption');
    if (this.#isDisrupted !== wasDisrupted) this.#changeDisruption();
    for (const [zone, state] of states) {
      const { ready = 0, unready = 0 } = counts.get(zone) ?? {};
      this.#queueOf(zone).millisPerNode = millisPerNode(state, ready + unready);
    }
  }

  /** Cancels all evictions when all zones are disrupted, and restarts the grace periods when one has recovered. */
  #changeDisruption(): void {
    const nowMillis = this.#options.loop.nowMillis();
    for (const node of this.#nodes.list()) {
      const { name = '' } = node.metadata ?? {};
      this.#queueOf(zoneOf(node)).remove(name);
      if (this.#isDisrupted) {
        this.#try(`spare node ${name}`, () => this.#taintForEviction(name, undefined));
        continue;
      }
      const watched = this.#watched.get(name);
      if (watched?.health !== undefined) watched.health = { ...watched.health, probeMillis: nowMillis };
      if (readyStatus(node) !== 'True') this.#changed(name);
    }
  }

  #taintByConditions({ metadata }: Node): void {
    const name = metadata?.name ?? '';
    const isDone = this.#try(`taint node ${name}`, () => this.#retaint(name, withConditionTaints));
    this.#watchedNode(name).hasOldTaints = !isDone;
    if (!isDone) this.#changed(name);
  }

  /** @throws ApiError */
  #taintForEviction(nodeName: string, wanted: typeof NOT_READY | typeof UNREACHABLE | undefined): void {
    this.#retaint(nodeName, (node, now) => withExecuteTaint(node, wanted, now));
  }

  /** @throws ApiError */
  #retaint(nodeName: string, taintsOf: (node: Node, now: string) => readonly Taint[] | undefined): void {
    const { client, loop } = this.#options;
    const cached = this.#nodes.get('', nodeName);
    const now = timeAtMillis(loop.nowMillis());
    if (cached === undefined || taintsOf(cached, now) === undefined) return;
    const live = client.get('nodes', '', nodeName);
    const taints = taintsOf(live, now);
    if (taints !== undefined) client.update('nodes', { ...live, spec: { ...live.spec, taints } });
  }

  /** Runs the task and reports its error. Returns whether it worked; an object that is gone counts as success. */
  #try(activity: string, task: () => void): boolean {
    const report = (error: unknown): void => this.#options.reportError(error, activity);
    return runReporting(() => ifFound(task), report);
  }
}

function isDue(health: NodeHealth | undefined, nowMillis: number): boolean {
  return health === undefined || (!health.isSilent && isOverdue(health, nowMillis));
}

/** Whether a pass has to check the node at the end of its grace period, even without any event. */
function isDueSometime(node: Node, health: NodeHealth): boolean {
  return !health.isSilent && readyStatus(node) !== 'Unknown';
}
