import type { Pod, PodStatus } from '../../api/pod.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import { timeAtMillis } from '../../api/time.ts';
import { containerRestartProblems } from '../../api/validation/container-restarts.ts';
import type { ReportError } from '../../client/report-error.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { forAll } from '../../lib/for-all.ts';
import { SmallMap } from '../../lib/small-map.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { StatusOutcome, StoreClient } from '../../store/objects/store-client.ts';
import { isOwnedByKubelet } from './conditions.ts';
import { endedStatus } from './ended-status.ts';
import { mergedStatus } from './pod-status.ts';

export interface StatusManagerModules {
  readonly client: Pick<StoreClient, 'get' | 'updateStatus' | 'delete'>;
  readonly loop: EventLoop;
  readonly reportError: ReportError;
  /** Whether containers of the pod may be running; such a pod is not reported as ended. */
  readonly mayRun: (uid: string) => boolean;
  /** Requests one of the regular rounds, because a status is still to be written. */
  readonly requestRound: () => void;
}

/**
 * How long it takes until the API knows that the kubelet has rejected a pod. Everything else that an agent reports
 * follows on something that takes time. A rejection does not: without a time of its own, a controller that replaces
 * the pod, a scheduler that binds the next one and an agent that rejects it again would go round in a circle while no
 * time passes. In a cluster, one turn of this circle takes requests to the API and a pass of the kubelet's sync loop.
 */
const REJECTION_MILLIS = 50;

const NONE: readonly KnownStatus[] = [];

/** What is known of a pod. It is changed in place, since it is replaced with every report otherwise. */
interface KnownStatus {
  pod: Pod;
  status: PodStatus;
  /** Whether nothing of the pod is left on the node, so that it may be deleted for good. */
  isFinished: boolean;
  /** The status that the API returned for the last report. */
  reported: PodStatus | undefined;
  /** Whether it is among those that are written in the next task. */
  isUnwritten: boolean;
}

/**
 * Reports the status of the kubelet's pods to the API.
 *
 * ```
 *   setPodStatus ─▶ changed? ─▶ written in the next task ── fails ─▶ again in the next round, every 10 s
 *   rejectPod    ─▶ always   ─▶ written after REJECTION_MILLIS
 *   terminatePod ─▶ always   ─▶ written; a pod that is being deleted is then deleted with grace 0
 *   reconcile    ─▶ the API shows something else? ─▶ in the next round
 * ```
 *
 * Upstream: pkg/kubelet/status/status_manager.go.
 */
export class StatusManager {
  readonly #modules: StatusManagerModules;
  readonly #known = new SmallMap<string, KnownStatus>();
  #unwritten: readonly KnownStatus[] = NONE;
  readonly #forNextRound = new SmallMap<string, true>();
  /** The pods whose rejection is on its way. */
  readonly #beingRejected = new SmallMap<string, true>();
  #isScheduled = false;
  #isStopped = false;

  constructor(modules: StatusManagerModules) {
    this.#modules = modules;
  }

  /** The status that was set last; undefined if none was. */
  statusOf(uid: string): PodStatus | undefined {
    return this.#known.get(uid)?.status;
  }

  setPodStatus(pod: Pod, given: PodStatus): void {
    const uid = pod.metadata?.uid ?? '';
    const known = this.#known.get(uid);
    const before = known?.status ?? pod.status ?? {};
    // The API would refuse this status. After a crash, init containers that had ended run once more; until they have
    // ended again, the pod keeps its previous status, as upstream.
    if (containerRestartProblems(pod.spec ?? {}, given, before).length > 0) return;
    const status = this.#withStartTime(given, before);
    if (known !== undefined && semanticallyEqual(known.status, status)) {
      known.pod = pod;
      return;
    }
    this.#write(this.#set(uid, pod, status, known?.isFinished ?? false));
  }

  /** Reports that the pod is not admitted to the node, where nothing of it was ever started. */
  rejectPod(pod: Pod, given: PodStatus): void {
    const uid = pod.metadata?.uid ?? '';
    const before = pod.status ?? {};
    const isRefused = containerRestartProblems(pod.spec ?? {}, given, before).length > 0;
    const status = this.#withStartTime(endedStatus(pod, isRefused ? before : given), before);
    this.#set(uid, pod, status, true).reported = undefined;
    this.#beingRejected.set(uid, true);
    this.#modules.loop.after(REJECTION_MILLIS, () => {
      if (this.#beingRejected.delete(uid) && !this.#isStopped) this.#sync(uid);
    });
  }

  /** Writes no rejection any more: the next agent of the node decides anew. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Reports that nothing of the pod is left on the node. */
  terminatePod(pod: Pod): void {
    const uid = pod.metadata?.uid ?? '';
    const known = this.#known.get(uid);
    const before = known?.status ?? pod.status ?? {};
    const status = this.#withStartTime(endedStatus(pod, before), before);
    this.#write(this.#set(uid, pod, status, true));
  }

  /** Compares the pod in the API with the reported status, and reports it again if they differ. */
  reconcile(pod: Pod): void {
    const uid = pod.metadata?.uid ?? '';
    const known = this.#known.get(uid);
    if (known === undefined) return;
    const isToGo = known.isFinished && pod.metadata?.deletionTimestamp !== undefined;
    // Stored objects are frozen, so the same object needs no comparison.
    const showsSame = pod.status === known.reported || this.#showsSame(uid, pod.status ?? {}, known.status);
    if (isToGo || !showsSame) this.#tryNextRound(uid);
  }

  /** Drops the status of a pod that is gone. */
  forget(uid: string): void {
    const known = this.#known.get(uid);
    if (known !== undefined) known.isUnwritten = false;
    this.#known.delete(uid);
    this.#forNextRound.delete(uid);
    this.#beingRejected.delete(uid);
  }

  /** Writes the statuses that failed or differed, in one of the regular rounds. */
  round(): void {
    const uids = [...this.#forNextRound.keys()];
    this.#forNextRound.clear();
    for (const uid of uids) this.#sync(uid);
  }

  /** The first reported status sets the start time, which never changes. */
  #withStartTime(status: PodStatus, before: PodStatus): PodStatus {
    const startTime = before.startTime ?? status.startTime ?? timeAtMillis(this.#modules.loop.nowMillis());
    return startTime === status.startTime ? status : { ...status, startTime };
  }

  #set(uid: string, pod: Pod, status: PodStatus, isFinished: boolean): KnownStatus {
    const known = this.#known.get(uid);
    if (known === undefined) {
      const made: KnownStatus = { pod, status, isFinished, reported: undefined, isUnwritten: false };
      this.#known.set(uid, made);
      return made;
    }
    known.pod = pod;
    known.status = status;
    known.isFinished = isFinished;
    return known;
  }

  #write(known: KnownStatus): void {
    if (!known.isUnwritten) this.#unwritten = this.#unwritten.length === 0 ? [known] : this.#unwritten.concat(known);
    known.isUnwritten = true;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#modules.loop.soon(this.#writeAll);
  }

  readonly #writeAll = (): void => {
    this.#isScheduled = false;
    const unwritten = this.#unwritten;
    this.#unwritten = NONE;
    forAll(unwritten, (known) => {
      if (!known.isUnwritten) return;
      known.isUnwritten = false;
      this.#sync(known.pod.metadata?.uid ?? '');
    });
  };

  #tryNextRound(uid: string): void {
    this.#forNextRound.set(uid, true);
    this.#modules.requestRound();
  }

  #sync(uid: string): void {
    const known = this.#known.get(uid);
    if (known === undefined || this.#beingRejected.has(uid)) return;
    const { namespace = '', name = '' } = known.pod.metadata ?? {};
    try {
      this.#report(uid, known, namespace, name);
    } catch (error) {
      if (isApiError(error, 'NotFound')) return;
      this.#modules.reportError(error, `write status of pod ${namespace}/${name}`);
      this.#tryNextRound(uid);
    }
  }

  /** @throws ApiError */
  #report(uid: string, known: KnownStatus, namespace: string, name: string): void {
    const { client, mayRun } = this.#modules;
    const { status, isFinished } = known;
    const stored = client.get('pods', namespace, name);
    // The pod was deleted, and another pod has its name, whose own agent reports its status.
    if (stored.metadata?.uid !== uid) return;
    const merged = mergedStatus(stored.status ?? {}, status, mayRun(uid));
    // The store ignores an update that changes nothing.
    const { apiVersion, kind, metadata, spec } = stored;
    const live = client.updateStatus(
      'pods',
      { apiVersion, kind, metadata, spec, status: merged },
      outcomeOf(stored, merged),
    );
    const reported = live.status;
    // The stored copy is kept in place of an equal status, so that the next ones are compared with it by reference.
    const kept = reported !== undefined && isCopyOf(reported, merged, status) ? reported : status;
    known.status = kept;
    known.reported = reported;
    if (!isFinished || live.metadata?.deletionTimestamp === undefined) return;
    // Other owners still have to remove their finalizers; the last removal deletes the pod.
    if (live.metadata.deletionGracePeriodSeconds === 0 && live.metadata.finalizers?.length) return;
    client.delete('pods', namespace, name, { gracePeriodSeconds: 0, preconditions: { uid } });
  }

  #showsSame(uid: string, shown: PodStatus, status: PodStatus): boolean {
    const own = { ...shown, conditions: shown.conditions?.filter(isOwnedByKubelet) };
    const merged = mergedStatus(shown, status, this.#modules.mayRun(uid));
    return semanticallyEqual({ ...merged, conditions: merged.conditions?.filter(isOwnedByKubelet) }, own);
  }
}

/** A status that is frozen is in the form in which a store has it, so that the store need not copy it. */
function outcomeOf({ status: before }: Pod, after: PodStatus): StatusOutcome | undefined {
  return before !== undefined && Object.isFrozen(after) ? { before, after } : undefined;
}

/** Whether the stored status means the same as the one of the kubelet: nothing of others was merged into it. */
function isCopyOf(stored: PodStatus, merged: PodStatus, status: PodStatus): boolean {
  const { conditions, phase, qosClass, observedGeneration } = status;
  if (merged.conditions !== conditions || merged.phase !== phase) return false;
  if (merged.resourceClaimStatuses !== undefined || merged.extendedResourceClaimStatus !== undefined) return false;
  // The store keeps an earlier generation, or class, where the new status names none.
  return (
    Boolean(observedGeneration) && stored.qosClass === qosClass && stored.conditions?.length === conditions?.length
  );
}
