import type { Pod, PodSpec } from '../api/pod.ts';
import { isFinalPhase } from '../api/pod-conditions.ts';
import { podRequests } from '../api/pod-requests.ts';
import { memoized } from '../lib/memoized.ts';
import { type AmountsByName, amountsOf, type UsageMeter } from './usage-meter.ts';

export const PHASES = ['Pending', 'Running', 'Succeeded', 'Failed'] as const;
export type Phase = (typeof PHASES)[number];

interface KnownPod {
  phase: Phase;
  nodeName: string;
  readonly createdMillis: number;
  isEvicted: boolean;
  /** Whether the pod will end by itself, or because it is being deleted. */
  isEnding: boolean;
}

/** How often each of these happened to a pod since the beginning. */
export interface PodTotals {
  created: number;
  scheduled: number;
  /** Pods that ended by themselves, like those that failed. */
  succeeded: number;
  failed: number;
  /**
   * Pods with the condition `DisruptionTarget`: evicted by preemption, by a taint, through the eviction API or with
   * their node.
   */
  evicted: number;
  deleted: number;
}

/** Counts all pods of a cluster: their phases, and how long they waited for a node. */
export class PodCounts {
  readonly #meter: UsageMeter;
  readonly #pods = new Map<string, KnownPod>();
  /** How many pods are in each phase now. */
  readonly phases: Record<Phase, number> = { Pending: 0, Running: 0, Succeeded: 0, Failed: 0 };
  readonly totals: PodTotals = { created: 0, scheduled: 0, succeeded: 0, failed: 0, evicted: 0, deleted: 0 };
  /** The times from creation to binding, in the order of binding. */
  readonly latenciesMillis: number[] = [];
  /** How many pods are on a node and will end. */
  endingCount = 0;
  /** How many pods have no node yet. */
  waitingCount = 0;

  constructor(meter: UsageMeter) {
    this.#meter = meter;
  }

  /** Counts the pod. Returns whether a counted value has changed. */
  set(pod: Pod, nowMillis: number): boolean {
    const uid = pod.metadata?.uid ?? '';
    let known = this.#pods.get(uid);
    const isNew = known === undefined;
    if (known === undefined) {
      known = { phase: 'Pending', nodeName: '', createdMillis: nowMillis, isEvicted: false, isEnding: false };
      this.#pods.set(uid, known);
      this.totals.created++;
      this.phases.Pending++;
      this.waitingCount++;
    }
    const isBound = this.#setNode(known, pod, isNew, nowMillis);
    const hasMoved = this.#setPhase(known, pod, nowMillis);
    this.#setEnding(known, isOnNode(known) && isGoingToEnd(pod));
    this.#setEvicted(known, pod);
    return isNew || isBound || hasMoved;
  }

  delete(pod: Pod, nowMillis: number): void {
    const uid = pod.metadata?.uid ?? '';
    const known = this.#pods.get(uid);
    if (known === undefined) return;
    // The deleted pod shows its last status, which may contain an eviction.
    this.#setEvicted(known, pod);
    if (isOnNode(known)) this.#meter.request(requestsOf(pod), -1, nowMillis);
    this.#setEnding(known, false);
    if (known.nodeName === '') this.waitingCount--;
    this.phases[known.phase]--;
    this.totals.deleted++;
    this.#pods.delete(uid);
  }

  #setNode(known: KnownPod, pod: Pod, isNew: boolean, nowMillis: number): boolean {
    const nodeName = pod.spec?.nodeName ?? '';
    if (nodeName === known.nodeName) return false;
    known.nodeName = nodeName;
    this.waitingCount--;
    // A pod that was created with a node was not scheduled.
    if (!isNew) {
      this.totals.scheduled++;
      this.latenciesMillis.push(nowMillis - known.createdMillis);
    }
    this.#meter.request(requestsOf(pod), 1, nowMillis);
    return true;
  }

  #setPhase(known: KnownPod, pod: Pod, nowMillis: number): boolean {
    const phase = phaseOf(pod);
    if (phase === known.phase) return false;
    const wasOnNode = isOnNode(known);
    this.phases[known.phase]--;
    this.phases[phase]++;
    known.phase = phase;
    // A pod that ends because it is being deleted counts neither as succeeded nor as failed.
    const isByItself = pod.metadata?.deletionTimestamp === undefined;
    if (phase === 'Succeeded' && isByItself) this.totals.succeeded++;
    if (phase === 'Failed' && isByItself) this.totals.failed++;
    if (wasOnNode && !isOnNode(known)) this.#meter.request(requestsOf(pod), -1, nowMillis);
    return true;
  }

  #setEnding(known: KnownPod, isEnding: boolean): void {
    if (known.isEnding === isEnding) return;
    known.isEnding = isEnding;
    this.endingCount += isEnding ? 1 : -1;
  }

  #setEvicted(known: KnownPod, { status }: Pod): void {
    if (known.isEvicted) return;
    known.isEvicted =
      status?.conditions?.some(({ type, status: value }) => type === 'DisruptionTarget' && value === 'True') ?? false;
    if (known.isEvicted) this.totals.evicted++;
  }
}

const NO_SPEC: PodSpec = {};

/** Requests by spec, since pods of one template share their spec. */
const requestsOfSpec = memoized((spec: PodSpec) => amountsOf(podRequests({ spec })));

function requestsOf({ spec = NO_SPEC }: Pod): AmountsByName {
  return requestsOfSpec(spec);
}

function phaseOf({ status }: Pod): Phase {
  const phase = status?.phase as Phase;
  return PHASES.includes(phase) ? phase : 'Pending';
}

function isOnNode({ nodeName, phase }: KnownPod): boolean {
  return nodeName !== '' && !isFinalPhase(phase);
}

function isGoingToEnd({ metadata, spec }: Pod): boolean {
  if (metadata?.deletionTimestamp !== undefined || spec?.activeDeadlineSeconds !== undefined) return true;
  return spec?.restartPolicy === 'Never' || spec?.restartPolicy === 'OnFailure';
}
