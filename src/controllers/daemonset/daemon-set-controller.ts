import type { ControllerRevision } from '../../api/controller-revision.ts';
import type { DaemonSet, DaemonSetStatus } from '../../api/daemon-set.ts';
import type { Selector } from '../../api/label-selector.ts';
import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodReady } from '../../api/pod-conditions.ts';
import { REVISION_HASH_KEY } from '../../api/stateful-set.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { KeyBackoff } from '../../client/key-backoff.ts';
import { objectKey } from '../../client/object-key.ts';
import { BY_CONTROLLER, controllerKeys } from '../job/pod-indexes.ts';
import { nextAvailableMillis } from '../owned-pods/availability.ts';
import { PodOwnerController, type PodOwnerModules } from '../owned-pods/pod-owner-controller.ts';
import { createPods, deletePods, type Outcome } from '../owned-pods/pod-writes.ts';
import { currentRevision, nameOf, revisionsOf, truncateHistory } from '../revisions/controller-revisions.ts';
import { availableIn, type DaemonPlan, type DaemonView, isOfRevision, planPods, podsByNodeOf } from './daemon-plan.ts';
import { daemonPod, nodeFit } from './daemon-pod.ts';
import { daemonLimits, planUpdate } from './daemon-update.ts';

/** The most pods that are created or deleted in one sync. Upstream: BurstReplicas. */
const BURST_REPLICAS = 250;

const KIND = { resource: 'daemonsets', apiVersion: 'apps/v1', kind: 'DaemonSet', title: 'daemon set' } as const;

/** Keeps one pod on each node that fits. Upstream: pkg/controller/daemon/daemon_controller.go. */
export class DaemonSetController extends PodOwnerController<DaemonSet> {
  readonly #nodes: Lister<Node>;
  readonly #revisions: Lister<ControllerRevision>;
  /** The delays of pods that fail, by DaemonSet and node. */
  readonly #backoff: KeyBackoff;

  constructor(modules: PodOwnerModules) {
    super(modules, KIND, modules.informers.of('daemonsets'));
    const [nodes, revisions] = [modules.informers.of('nodes'), modules.informers.of('controllerrevisions')];
    this.#backoff = new KeyBackoff(modules.loop, { initialMillis: 1000, maxMillis: 15 * 60_000 });
    this.#nodes = nodes.lister;
    this.#revisions = revisions.lister;
    revisions.addIndex(BY_CONTROLLER, controllerKeys);
    this.awaitCache(revisions);
    const nodeHandler = {
      onAdd: (node: Node) => this.#enqueueIf((set) => nodeFit(set, node).shouldRun),
      onUpdate: (before: Node, node: Node) => this.#nodeUpdated(before, node),
      onDelete: (node: Node) => this.#enqueueIf((set) => nodeFit(set, node).mayContinue),
    };
    this.handle(nodes, nodeHandler, 'daemon set controller, nodes');
  }

  #nodeUpdated(before: Node, node: Node): void {
    const isAlike = before.metadata?.labels === node.metadata?.labels && before.spec?.taints === node.spec?.taints;
    if (isAlike) return;
    this.#enqueueIf((set) => {
      const [was, is] = [nodeFit(set, before), nodeFit(set, node)];
      return was.shouldRun !== is.shouldRun || was.mayContinue !== is.mayContinue;
    });
  }

  #enqueueIf(isConcerned: (set: DaemonSet) => boolean): void {
    for (const set of this.owners.list()) if (isConcerned(set)) this.queue.add(objectKey(set));
  }

  protected override syncOwner(key: string, set: DaemonSet, selector: Selector): void {
    if (set.metadata?.deletionTimestamp !== undefined) return;
    const { client, loop } = this.modules;
    const mayManage = this.mayManage(key);
    const pods = this.claim(set, selector);
    const all = revisionsOf(client, this.#revisions, this.asOwner(set), selector);
    const { template = {} } = set.spec ?? {};
    const { revision, collisionCount } = currentRevision(
      {
        ...{ client, owner: this.asOwner(set), collisionCount: set.status?.collisionCount ?? 0 },
        hashKey: REVISION_HASH_KEY,
      },
      all,
      template,
    );
    const hash = revision.metadata?.labels?.[REVISION_HASH_KEY] ?? '';
    const nodes = this.#nodes.list();
    const view = { set, nodes, podsByNode: podsByNodeOf(pods), hash, nowMillis: loop.nowMillis() };
    const failure = mayManage ? this.#manage(key, view) : undefined;
    const status = {
      ...set.status,
      ...observedCounts(view),
      ...(mayManage && { observedGeneration: set.metadata?.generation }),
      ...(collisionCount > 0 && { collisionCount }),
    };
    this.writeStatus(key, set, set.status, status);
    if (failure !== undefined) throw failure.error;
    const inUse = new Set([hash, ...pods.map(({ metadata }) => metadata?.labels?.[REVISION_HASH_KEY])]);
    const unused = all.filter(({ metadata }) => !inUse.has(metadata?.labels?.[REVISION_HASH_KEY]));
    // Unlike for StatefulSets, the limit counts all revisions but the present one.
    const others = all.filter((each) => nameOf(each) !== nameOf(revision)).length;
    truncateHistory(client, unused, others - (set.spec?.revisionHistoryLimit ?? others));
    const againMillis = nextAvailableMillis(pods, set.spec?.minReadySeconds ?? 0, view.nowMillis);
    if (againMillis !== undefined) this.queue.addAfter(key, againMillis - view.nowMillis);
  }

  #manage(key: string, view: DaemonView): Outcome {
    const { set, nodes } = view;
    const desired = nodes.filter((node) => nodeFit(set, node).shouldRun).length;
    const limits = daemonLimits(set, desired);
    const plan = planPods(view, limits?.maxSurge ?? 0, (pod, nodeName) => this.#isHeldBack(set, pod, nodeName));
    const failure = this.#carryOut(key, view, plan);
    if (failure !== undefined || limits === undefined || !this.mayManage(key)) return failure;
    return this.#carryOut(key, view, planUpdate(view, limits));
  }

  /** Creates and deletes pods, no more than fit into one sync. */
  #carryOut(key: string, { set, hash }: DaemonView, { nodesToFill, podsToDelete }: DaemonPlan): Outcome {
    const { creations, deletions, modules } = this;
    const writing = { ...modules, creations, deletions, key, owner: set };
    const nodeNames = nodesToFill.slice(0, BURST_REPLICAS);
    let failure: Outcome;
    if (nodeNames.length > 0) {
      failure = createPods(writing, nodeNames.length, (i) => daemonPod(set, hash, nodeNames[i] ?? ''));
    }
    const others = podsToDelete.length > 0 ? deletePods(writing, podsToDelete.slice(0, BURST_REPLICAS)) : undefined;
    return failure ?? others;
  }

  /** Whether a failed pod has to stay for a while, so that a pod that fails at once does not come back at once. */
  #isHeldBack(set: DaemonSet, { metadata, status }: Pod, nodeName: string): boolean {
    const hasFailed = status?.phase === 'Failed';
    if (hasFailed) {
      const key = objectKey(set);
      const onNode = `${key} ${nodeName}`;
      if (this.#backoff.waitsAfterLastMillis(onNode) !== undefined) {
        this.queue.addAfter(key, this.#backoff.delayMillis(onNode));
        return true;
      }
      this.#backoff.next(onNode, this.modules.loop.nowMillis());
    }
    const [type, reason, how, what] = hasFailed
      ? (['Warning', 'FailedDaemonPod', 'failed', 'kill'] as const)
      : (['Normal', 'SucceededDaemonPod', 'succeeded', 'delete'] as const);
    const message = `Found ${how} daemon pod ${metadata?.namespace}/${metadata?.name} on node ${nodeName}`;
    this.modules.recorder.event(set, type, reason, `${message}, will try to ${what} it`);
    return false;
  }
}

/** Upstream: updateDaemonSetStatus. */
function observedCounts(view: DaemonView): DaemonSetStatus {
  let [desired, current, misscheduled, ready, available, updated] = [0, 0, 0, 0, 0, 0];
  for (const node of view.nodes) {
    const [pod] = view.podsByNode.get(node.metadata?.name ?? '') ?? [];
    if (!nodeFit(view.set, node).shouldRun) {
      if (pod !== undefined) misscheduled++;
      continue;
    }
    desired++;
    if (pod === undefined) continue;
    current++;
    if (isPodReady(pod)) ready++;
    if (availableIn(view, pod)) available++;
    if (isOfRevision(pod, view.hash)) updated++;
  }
  return {
    currentNumberScheduled: current,
    numberMisscheduled: misscheduled,
    desiredNumberScheduled: desired,
    numberReady: ready,
    updatedNumberScheduled: updated,
    numberAvailable: available,
    numberUnavailable: desired - available,
  };
}
