import type { Pod } from '../../api/pod.ts';
import type { Explanation } from '../../core/decision/result.ts';
import { unscheduledReason } from '../statistics/open-pods.ts';

/** More reasons are counted together. */
const REASONS_MAX = 60;
const EXPLAINED_MAX = 24;
const NAMES_MAX = 200;
const OTHER = 'other reasons';

/** Nodes that say the same about a pod. */
export interface ObservedVerdict {
  readonly plugin: string;
  readonly reason: string;
  readonly nodes: readonly string[];
}

/** What the scheduler said about one pod at one moment. */
export interface ObservedDecision {
  readonly pod: string;
  readonly atMillis: number;
  readonly message: string;
  readonly feasible: number;
  readonly searched: number;
  readonly verdicts: readonly ObservedVerdict[];
}

/** Pods that waited for one reason. */
export interface ObservedReason {
  readonly reason: string;
  /** How many wait now, and how many waited at most at the same time. */
  count: number;
  most: number;
  /** How many pods ever waited for it. */
  total: number;
  /** Some of them. */
  readonly pods: Set<string>;
  decision: ObservedDecision | undefined;
}

/** Counts pods without a node by the reason that their condition names. */
export class PendingReasons {
  readonly reasons: ObservedReason[] = [];
  readonly #indexes = new Map<string, number>();
  /** The reason of each pod that waits, by uid. */
  readonly #ofPod = new Map<string, number>();
  readonly #onNew: (reason: ObservedReason, pod: Pod) => void;

  /** `onNew`: called with the first pod of a reason, within the write that names it. */
  constructor(onNew: (reason: ObservedReason, pod: Pod) => void) {
    this.#onNew = onNew;
  }

  /** Notes why a pod waits now, or that it does not wait any more. */
  set(pod: Pod, isWaiting: boolean): void {
    const uid = pod.metadata?.uid ?? '';
    const before = this.#ofPod.get(uid);
    const now = isWaiting ? this.#indexOf(reasonKind(unscheduledReason(pod)), pod) : undefined;
    if (now === before) return;
    if (before !== undefined) (this.reasons[before] as ObservedReason).count--;
    if (now === undefined) {
      this.#ofPod.delete(uid);
      return;
    }
    this.#ofPod.set(uid, now);
    const reason = this.reasons[now] as ObservedReason;
    reason.count++;
    reason.total++;
    reason.most = Math.max(reason.most, reason.count);
    if (reason.pods.size < NAMES_MAX) reason.pods.add(`${pod.metadata?.namespace}/${pod.metadata?.name}`);
  }

  counts(): readonly number[] {
    return this.reasons.map(({ count }) => count);
  }

  #indexOf(name: string, pod: Pod): number {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    if (this.reasons.length >= REASONS_MAX && name !== OTHER) return this.#indexOf(OTHER, pod);
    const made = { reason: name, count: 0, most: 0, total: 0, pods: new Set<string>(), decision: undefined };
    this.reasons.push(made);
    this.#indexes.set(name, this.reasons.length - 1);
    if (this.reasons.length <= EXPLAINED_MAX) this.#onNew(made, pod);
    return this.reasons.length - 1;
  }
}

/**
 * The reason without the numbers of nodes, which change all the time: `Insufficient cpu, node(s) had a taint`.
 *
 * @internal
 */
export function reasonKind(reason: string): string {
  const parts = reason.split(/, (?=\d+ )/).map((part) => part.replace(/^\d+ /, ''));
  return [...new Set(parts)].sort().join(', ');
}

/** The decision as a report shows it. */
export function observedDecision(name: string, atMillis: number, explanation: Explanation): ObservedDecision {
  const { message, nodes, feasible, preFilter, preEnqueue } = explanation;
  const verdicts = new Map<string, { plugin: string; reason: string; nodes: string[] }>();
  for (const { node, rejected } of nodes) {
    if (rejected === null) continue;
    const reason = rejected.reasons.join(', ');
    const key = `${rejected.plugin}\0${reason}`;
    const known = verdicts.get(key);
    if (known === undefined) verdicts.set(key, { plugin: rejected.plugin, reason, nodes: [node] });
    else known.nodes.push(node);
  }
  const held = preEnqueue ?? preFilter;
  return {
    ...{ pod: name, atMillis, feasible: feasible.length, searched: nodes.length },
    message: message === '' && held !== null ? `${held.plugin}: ${held.reasons.join(', ')}` : message,
    verdicts: [...verdicts.values()].sort((a, b) => b.nodes.length - a.nodes.length),
  };
}
