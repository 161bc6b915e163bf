import type { CycleState } from '../../src/framework/cycle-state.ts';
import type { Eventually } from '../../src/framework/plugin.ts';
import type { PluginAnswer } from '../../src/framework/plugin-status.ts';
import type { PodInfo } from '../../src/framework/pod-info.ts';
import type { PluginHandle, UserPlugin } from '../../src/framework/user-plugin.ts';
import type { Prng } from '../../src/lib/prng.ts';

/** Pods with it have something to do before they are bound. */
export const ERRAND_LABEL = 'errand';
export const ERRANDS = 'Errands';

/**
 * A scheduler plugin behind the decision: it keeps account of what is reserved, and lets pods with errands wait, fails
 * them or takes its time, until there is peace.
 */
export class ErrandPlugin implements UserPlugin {
  readonly name = ERRANDS;
  readonly stateReads = 'pod';
  /** Reserved, and neither given back nor bound, by uid. */
  readonly reserved = new Set<string>();
  readonly #handle: PluginHandle;
  readonly #prng: Prng;
  readonly #isPeace: () => boolean;

  constructor(handle: PluginHandle, prng: Prng, isPeace: () => boolean) {
    this.#handle = handle;
    this.#prng = prng;
    this.#isPeace = isPeace;
  }

  reserve(_state: CycleState, pod: PodInfo): PluginAnswer {
    this.reserved.add(pod.uid);
    return this.#verdict(pod);
  }

  unreserve(_state: CycleState, pod: PodInfo): void {
    this.reserved.delete(pod.uid);
  }

  permit(_state: CycleState, pod: PodInfo): PluginAnswer {
    if (!this.#isTroubled(pod) || this.#prng.below(2) === 0) return this.#verdict(pod);
    this.#handle.store?.after(1 + this.#prng.below(4000), () => this.#decide(pod.uid));
    return { code: 'Wait', reasons: [], timeoutMillis: 1 + this.#prng.below(3000) };
  }

  preBind(_state: CycleState, pod: PodInfo): Eventually<PluginAnswer> {
    const { store } = this.#handle;
    if (store === null || !this.#isTroubled(pod) || this.#prng.below(2) === 0) return this.#verdict(pod);
    const answer = this.#verdict(pod);
    return (done) => void store.after(1 + this.#prng.below(2000), () => done(answer));
  }

  postBind(_state: CycleState, pod: PodInfo): void {
    this.reserved.delete(pod.uid);
  }

  #isTroubled({ pod }: PodInfo): boolean {
    return pod.metadata?.labels?.[ERRAND_LABEL] !== undefined && !this.#isPeace();
  }

  #decide(uid: string): void {
    const waiting = this.#handle.store?.waitingPod(uid);
    if (this.#prng.below(3) === 0) waiting?.reject(this.name, 'not now');
    else waiting?.allow(this.name);
  }

  #verdict(pod: PodInfo): PluginAnswer {
    if (!this.#isTroubled(pod)) return null;
    const draw = this.#prng.below(20);
    if (draw === 0) return { code: 'Unschedulable', reasons: ['errands are not done'] };
    return draw === 1 ? { code: 'Error', reasons: ['errands went wrong'] } : null;
  }
}
