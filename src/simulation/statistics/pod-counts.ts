import type { Pod, PodCondition, PodSpec } from '../../api/pod.ts';
import { isFinalPhase } from '../../api/pod-conditions.ts';
import { podRequests } from '../../api/pod-requests.ts';
import { someOf } from '../../lib/frozen-lists.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { memoized } from '../../lib/memoized.ts';
import { type AmountsByName, amountsOf, type UsageMeter } from './usage-meter.ts';

const PHASES: readonly CountedPhase[] = ['Pending', 'Running', 'Succeeded', 'Failed'];
/** A phase of pods that statistics count. */
export type CountedPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** The phases, and `Unreachable` for pods that would run if their node answered. */
export const STAGES: readonly Stage[] = [...PHASES, 'Unreachable'];
/** A phase of pods, or that their node does not answer. */
export type Stage = CountedPhase | 'Unreachable';

interface KnownPod {
  phase: CountedPhase;
  nodeName: string;
  readonly createdMillis: number;
  readonly amounts: AmountsByName;
  isEvicted: boolean;
  /** Whether the pod will end by itself, or because it is being deleted, if its node answers. */
  willEnd: boolean;
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
  /** Made when the first node does not answer, since only such nodes are asked for their pods. */
  #podsByNode: Map<string, Set<KnownPod>> | undefined;
  readonly #lostNodes = new Set<string>();
  /** How many pods are in each stage now. */
  readonly stages: Record<Stage, number> = { Pending: 0, Running: 0, Succeeded: 0, Failed: 0, Unreachable: 0 };
  readonly totals: PodTotals = { created: 0, scheduled: 0, succeeded: 0, failed: 0, evicted: 0, deleted: 0 };
  /** The times from creation to binding, in the order of binding. */
  readonly latenciesMillis: number[] = [];
  /** How many pods are on a node that answers, and will end. */
  endingCount = 0;
  /** How many pods have no node yet. */
  waitingCount = 0;

  constructor(meter: UsageMeter) {
    this.#meter = meter;
  }

  /**
   * Counts the pod. `previous`: as it was counted last, where that is known. Returns whether a counted value has
   * changed.
   */
  set(pod: Pod, nowMillis: number, previous?: Pod): boolean {
    // Half of the writes are about the rest of a pod, and finding one among many is what takes time here.
    if (previous !== undefined && countsAlike(previous, pod)) return false;
    const uid = pod.metadata?.uid ?? '';
    let known = this.#pods.get(uid);
    const isNew = known === undefined;
    if (known === undefined) {
      const amounts = requestsOf(pod);
      known = { phase: 'Pending', nodeName: '', createdMillis: nowMillis, amounts, isEvicted: false, willEnd: false };
      this.#pods.set(uid, known);
      this.totals.created++;
      this.#count(known, 1, nowMillis);
    }
    this.#setEvicted(known, pod);
    const nodeName = pod.spec?.nodeName ?? '';
    const phase = phaseOf(pod);
    const willEnd = isGoingToEnd(pod);
    const isBound = nodeName !== known.nodeName;
    const hasMoved = phase !== known.phase;
    if (!isBound && !hasMoved && willEnd === known.willEnd) return isNew;
    const didRequest = this.#tally(known, -1);
    if (isBound) this.#setNode(known, nodeName, isNew, nowMillis);
    if (hasMoved) this.#setPhase(known, phase, pod);
    known.willEnd = willEnd;
    const requests = this.#tally(known, 1);
    // Most changes leave what is requested of nodes as it is.
    if (requests && didRequest) this.#meter.request(known.amounts, 0, nowMillis);
    else if (requests || didRequest) this.#meter.request(known.amounts, requests ? 1 : -1, nowMillis);
    return isNew || isBound || hasMoved;
  }

  delete(pod: Pod, nowMillis: number): void {
    const uid = pod.metadata?.uid ?? '';
    const known = this.#pods.get(uid);
    if (known === undefined) return;
    // The deleted pod shows its last status, which may contain an eviction.
    this.#setEvicted(known, pod);
    this.#count(known, -1, nowMillis);
    this.#podsByNode?.get(known.nodeName)?.delete(known);
    this.totals.deleted++;
    this.#pods.delete(uid);
  }

  /** Notes whether the node answers: the pods of one that does not answer do not run. */
  setNodeLost(name: string, isLost: boolean, nowMillis: number): void {
    if (this.#lostNodes.has(name) === isLost) return;
    this.#podsByNode ??= byNode(this.#pods.values());
    const pods = this.#podsByNode.get(name) ?? [];
    for (const known of pods) this.#count(known, -1, nowMillis);
    if (isLost) this.#lostNodes.add(name);
    else this.#lostNodes.delete(name);
    for (const known of pods) this.#count(known, 1, nowMillis);
  }

  /** The times that pods without a node have waited. */
  waitingMillis(nowMillis: number): number[] {
    const waiting = [...this.#pods.values()].filter(({ nodeName, phase }) => nodeName === '' && !isFinalPhase(phase));
    return waiting.map(({ createdMillis }) => Math.max(0, nowMillis - createdMillis));
  }

  #count(known: KnownPod, sign: 1 | -1, nowMillis: number): void {
    if (this.#tally(known, sign)) this.#meter.request(known.amounts, sign, nowMillis);
  }

  /** Counts the pod in all but the meter. Returns whether it requests something of a node that answers. */
  #tally({ phase, nodeName, willEnd }: KnownPod, sign: 1 | -1): boolean {
    const isLost = this.#lostNodes.size > 0 && this.#lostNodes.has(nodeName);
    this.stages[isLost && phase === 'Running' ? 'Unreachable' : phase] += sign;
    if (isFinalPhase(phase)) return false;
    if (nodeName === '') this.waitingCount += sign;
    if (nodeName === '' || isLost) return false;
    if (willEnd) this.endingCount += sign;
    return true;
  }

  #setNode(known: KnownPod, nodeName: string, isNew: boolean, nowMillis: number): void {
    known.nodeName = nodeName;
    if (this.#podsByNode !== undefined) addTo(this.#podsByNode, known);
    // A pod that was created with a node was not scheduled.
    if (isNew) return;
    this.totals.scheduled++;
    this.latenciesMillis.push(nowMillis - known.createdMillis);
  }

  #setPhase(known: KnownPod, phase: CountedPhase, { metadata }: Pod): void {
    known.phase = phase;
    // A pod that ends because it is being deleted counts neither as succeeded nor as failed.
    const isByItself = metadata?.deletionTimestamp === undefined;
    if (phase === 'Succeeded' && isByItself) this.totals.succeeded++;
    if (phase === 'Failed' && isByItself) this.totals.failed++;
  }

  #setEvicted(known: KnownPod, { status }: Pod): void {
    if (known.isEvicted) return;
    known.isEvicted = someOf(status?.conditions, isDisruptionTarget);
    if (known.isEvicted) this.totals.evicted++;
  }
}

/** Whether two states of a pod are the same in all that is counted. */
function countsAlike(a: Pod, b: Pod): boolean {
  if (a.spec?.nodeName !== b.spec?.nodeName || phaseOf(a) !== phaseOf(b) || isGoingToEnd(a) !== isGoingToEnd(b)) {
    return false;
  }
  const conditions = b.status?.conditions;
  return conditions === a.status?.conditions || !someOf(conditions, isDisruptionTarget);
}

function byNode(pods: Iterable<KnownPod>): Map<string, Set<KnownPod>> {
  const podsByNode = new Map<string, Set<KnownPod>>();
  for (const known of pods) if (known.nodeName !== '') addTo(podsByNode, known);
  return podsByNode;
}

function addTo(podsByNode: Map<string, Set<KnownPod>>, known: KnownPod): void {
  getOrMake(podsByNode, known.nodeName, () => new Set()).add(known);
}

function isDisruptionTarget({ type, status }: PodCondition): boolean {
  return type === 'DisruptionTarget' && status === 'True';
}

const NO_SPEC: PodSpec = {};

/** Requests by spec, since pods of one template share their spec. */
const requestsOfSpec = memoized((spec: PodSpec) => amountsOf(podRequests({ spec })));

export function requestsOf({ spec = NO_SPEC }: Pod): AmountsByName {
  return requestsOfSpec(spec);
}

function phaseOf({ status }: Pod): CountedPhase {
  const phase = status?.phase as CountedPhase;
  return PHASES.includes(phase) ? phase : 'Pending';
}

const RUN_DURATION_KEY = 'berth.dev/run-duration';

/** Whether the pod ends if its node runs it: it is being deleted, or its containers end and are not restarted. */
function isGoingToEnd({ metadata, spec }: Pod): boolean {
  if (metadata?.deletionTimestamp !== undefined || spec?.activeDeadlineSeconds !== undefined) return true;
  if (spec?.restartPolicy !== 'Never' && spec?.restartPolicy !== 'OnFailure') return false;
  return metadata?.annotations?.[RUN_DURATION_KEY] !== 'forever';
}
