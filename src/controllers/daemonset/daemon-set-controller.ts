import type { ControllerRevision } from '../../api/controller-revision.ts';
import type { DaemonSet, DaemonSetStatus } from '../../api/daemon-set.ts';
import type { Selector } from '../../api/label-selector.ts';
import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodReady } from '../../api/pod-conditions.ts';
import { REVISION_HASH_KEY } from '../../api/stateful-set.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { objectKey } from '../../client/object-key.ts';
import { nextAvailableMillis } from '../owned-pods/availability.ts';
import { PodOwnerController, type PodOwnerModules } from '../owned-pods/pod-owner-controller.ts';
import { createPods, deletePods, type Outcome } from '../owned-pods/pod-writes.ts';
import { currentRevision, revisionsOf, truncateHistory } from '../revisions/controller-revisions.ts';
import { availableIn, type DaemonPlan, type DaemonView, isOfRevision, planPods, podsByNodeOf } from './daemon-plan.ts';
import { daemonPod, nodeFit } from './daemon-pod.ts';
import { daemonLimits, planUpdate } from './daemon-update.ts';
import { FailedPodBackoff } from './failed-pod-backoff.ts';

/** The most pods that are created or deleted in one sync. Upstream: BurstReplicas. */
const BURST_REPLICAS = 250;

const KIND = { resource: 'daemonsets', apiVersion: 'apps/v1', kind: 'DaemonSet', title: 'daemon set' } as const;

/** Keeps one pod on each node that fits. Upstream: pkg/controller/daemon/daemon_controller.go. */
export class DaemonSetController extends PodOwnerController<DaemonSet> {
  readonly #nodes: Lister<Node>;
  readonly #revisions: Lister<ControllerRevision>;
  readonly #backoff = new FailedPodBackoff();

  constructor(modules: PodOwnerModules) {
    super(modules, KIND, modules.informers.of('daemonsets'));
    const [nodes, revisions] = [modules.informers.of('nodes'), modules.informers.of('controllerrevisions')];
    this.#nodes = nodes.lister;
    this.#revisions = revisions.lister;
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
        labelsOf: (hash) => ({ ...template.metadata?.labels, [REVISION_HASH_KEY]: hash }),
      },
      all,
      template,
    );
    const hash = revision.metadata?.labels?.[REVISION_HASH_KEY] ?? '';
    const nodes = this.#nodes.list();
    const view = { set, nodes, podsByNode: podsByNodeOf(pods), hash, nowMillis: loop.nowMillis() };
    const failure = mayManage ? this.#manage(key, view) : undefined;
    const status = observedDaemonStatus(view, collisionCount);
    this.writeStatus(key, set, set.status, status);
    if (failure !== undefined) throw failure.error;
    const inUse = new Set([hash, ...pods.map(({ metadata }) => metadata?.labels?.[REVISION_HASH_KEY])]);
    const isInUse = ({ metadata }: ControllerRevision) => inUse.has(metadata?.labels?.[REVISION_HASH_KEY]);
    truncateHistory(client, all, isInUse, set.spec?.revisionHistoryLimit ?? all.length);
    const againMillis = nextAvailableMillis(pods, set.spec?.minReadySeconds ?? 0, view.nowMillis);
    if (againMillis !== undefined) this.queue.addAfter(key, againMillis - view.nowMillis);
  }

  #manage(key: string, view: DaemonView): Outcome {
    const { set, nodes, nowMillis } = view;
    const desired = nodes.filter((node) => nodeFit(set, node).shouldRun).length;
    const limits = daemonLimits(set, desired);
    const plan = planPods(view, limits.maxSurge, (pod, nodeName) => this.#isHeldBack(key, pod, nodeName, nowMillis));
    const failure = this.#carryOut(key, view, plan);
    const isRolling = (set.spec?.updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate';
    if (failure !== undefined || !isRolling || !this.mayManage(key)) return failure;
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
    if (podsToDelete.length > 0) failure ??= deletePods(writing, podsToDelete.slice(0, BURST_REPLICAS));
    return failure;
  }

  /** Whether a failed pod has to stay for a while, so that a pod that fails at once does not come back at once. */
  #isHeldBack(key: string, pod: Pod, nodeName: string, nowMillis: number): boolean {
    const leftMillis = this.#backoff.leftMillis(`${key} ${nodeName}`, nowMillis);
    if (leftMillis > 0) {
      this.queue.addAfter(key, leftMillis);
      return true;
    }
    const { namespace, name } = pod.metadata ?? {};
    const message = `Found failed daemon pod ${namespace}/${name} on node ${nodeName}, will try to kill it`;
    const [owner] = pod.metadata?.ownerReferences ?? [];
    const set = owner && this.owners.get(namespace ?? '', owner.name);
    if (set !== undefined) this.modules.recorder.event(set, 'Warning', 'FailedDaemonPod', message);
    return false;
  }
}

/** Upstream: updateDaemonSetStatus. */
function observedDaemonStatus(view: DaemonView, collisionCount: number): DaemonSetStatus {
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
    observedGeneration: view.set.metadata?.generation,
    collisionCount,
  };
}
