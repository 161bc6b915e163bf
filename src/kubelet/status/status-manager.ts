import type { Pod, PodStatus } from '../../api/pod.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import { timeAtMillis } from '../../api/time.ts';
import { containerRestartProblems } from '../../api/validation/container-restarts.ts';
import type { ReportError } from '../../client/report-error.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { isOwnedByKubelet } from './conditions.ts';
import { endedStatus } from './ended-status.ts';
import { mergedStatus } from './pod-status.ts';

export interface StatusManagerModules {
  readonly client: Pick<StoreClient, 'get' | 'updateStatus' | 'delete'>;
  readonly loop: EventLoop;
  readonly reportError: ReportError;
  /** Whether containers of the pod may be running: then it is not said to have ended. */
  readonly mayRun: (uid: string) => boolean;
  /** Something is left to be written at the next of the regular rounds. */
  readonly requestRound: () => void;
}

interface KnownStatus {
  readonly pod: Pod;
  readonly status: PodStatus;
  /** Nothing of the pod is left on the node: it may be deleted for good. */
  readonly isFinished: boolean;
  /** As the API had it after it was told last. */
  readonly told: PodStatus | undefined;
}

/**
 * What the kubelet says of its pods, and whether the API has been told.
 *
 * ```
 *   setPodStatus ─▶ changed? ─▶ written in the next task ── fails ─▶ again in the next round, every 10 s
 *   terminatePod ─▶ always   ─▶ written; a pod that is being deleted is then deleted with grace 0
 *   reconcile    ─▶ the API shows something else? ─▶ in the next round
 * ```
 *
 * Upstream: pkg/kubelet/status/status_manager.go.
 */
export class StatusManager {
  readonly #modules: StatusManagerModules;
  readonly #known = new Map<string, KnownStatus>();
  readonly #unwritten = new Set<string>();
  readonly #forNextRound = new Set<string>();
  #isScheduled = false;

  constructor(modules: StatusManagerModules) {
    this.#modules = modules;
  }

  /** As it was set last; undefined when it never was. */
  statusOf(uid: string): PodStatus | undefined {
    return this.#known.get(uid)?.status;
  }

  setPodStatus(pod: Pod, given: PodStatus): void {
    const uid = pod.metadata?.uid ?? '';
    const known = this.#known.get(uid);
    const before = known?.status ?? pod.status ?? {};
    // The API would refuse it. After a crash init containers run once more that had ended for good: until they have
    // done so again, the pod shows how it was before, as upstream.
    if (containerRestartProblems(pod.spec ?? {}, given, before).length > 0) return;
    const status = this.#withStartTime(given, before);
    if (known !== undefined && semanticallyEqual(known.status, status)) {
      if (known.pod !== pod) this.#known.set(uid, { ...known, pod });
      return;
    }
    this.#known.set(uid, { pod, status, isFinished: known?.isFinished ?? false, told: known?.told });
    this.#write(uid);
  }

  /** Nothing of the pod is left on the node. */
  terminatePod(pod: Pod): void {
    const uid = pod.metadata?.uid ?? '';
    const known = this.#known.get(uid);
    const before = known?.status ?? pod.status ?? {};
    const status = this.#withStartTime(endedStatus(pod, before), before);
    this.#known.set(uid, { pod, status, isFinished: true, told: known?.told });
    this.#write(uid);
  }

  /** The API shows the pod so. */
  reconcile(pod: Pod): void {
    const uid = pod.metadata?.uid ?? '';
    const known = this.#known.get(uid);
    if (known === undefined) return;
    const isToGo = known.isFinished && pod.metadata?.deletionTimestamp !== undefined;
    // Objects of the store are frozen: the same one says the same.
    const showsSame = pod.status === known.told || this.#showsSame(uid, pod.status ?? {}, known.status);
    if (isToGo || !showsSame) this.#tryNextRound(uid);
  }

  /** The pod is gone. */
  forget(uid: string): void {
    this.#known.delete(uid);
    this.#unwritten.delete(uid);
    this.#forNextRound.delete(uid);
  }

  /** One of the regular rounds. */
  round(): void {
    const uids = [...this.#forNextRound];
    this.#forNextRound.clear();
    for (const uid of uids) this.#sync(uid);
  }

  /** The kubelet's first word on a pod sets when it started; that never changes. */
  #withStartTime(status: PodStatus, before: PodStatus): PodStatus {
    const startTime = before.startTime ?? status.startTime ?? timeAtMillis(this.#modules.loop.nowMillis());
    return startTime === status.startTime ? status : { ...status, startTime };
  }

  #write(uid: string): void {
    this.#unwritten.add(uid);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#modules.loop.soon(() => {
      this.#isScheduled = false;
      for (const each of this.#unwritten) {
        this.#unwritten.delete(each);
        this.#sync(each);
      }
    });
  }

  #tryNextRound(uid: string): void {
    this.#forNextRound.add(uid);
    this.#modules.requestRound();
  }

  #sync(uid: string): void {
    const known = this.#known.get(uid);
    if (known === undefined) return;
    const { namespace = '', name = '' } = known.pod.metadata ?? {};
    try {
      this.#tell(uid, known, namespace, name);
    } catch (error) {
      if (isApiError(error, 'NotFound')) return;
      this.#modules.reportError(error, `write status of pod ${namespace}/${name}`);
      this.#tryNextRound(uid);
    }
  }

  /** @throws ApiError */
  #tell(uid: string, known: KnownStatus, namespace: string, name: string): void {
    const { client, mayRun } = this.#modules;
    const { status, isFinished } = known;
    const stored = client.get('pods', namespace, name);
    // Deleted, and another one of that name: its own agent speaks for it.
    if (stored.metadata?.uid !== uid) return;
    const merged = mergedStatus(stored.status ?? {}, status, mayRun(uid));
    // What changes nothing is no write.
    const live = client.updateStatus('pods', { ...stored, status: merged });
    this.#known.set(uid, { ...known, told: live.status });
    if (!isFinished || live.metadata?.deletionTimestamp === undefined) return;
    // Its finalizers are others' to remove: then it goes by itself.
    if (live.metadata.deletionGracePeriodSeconds === 0 && live.metadata.finalizers?.length) return;
    client.delete('pods', namespace, name, { gracePeriodSeconds: 0, preconditions: { uid } });
  }

  #showsSame(uid: string, shown: PodStatus, status: PodStatus): boolean {
    const own = { ...shown, conditions: shown.conditions?.filter(isOwnedByKubelet) };
    const merged = mergedStatus(shown, status, this.#modules.mayRun(uid));
    return semanticallyEqual({ ...merged, conditions: merged.conditions?.filter(isOwnedByKubelet) }, own);
  }
}
