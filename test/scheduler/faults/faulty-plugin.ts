import type { CycleState } from '../../../src/framework/cycle-state.ts';
import type { Handle } from '../../../src/framework/handle.ts';
import type {
  Eventually,
  PermitPlugin,
  PermitWait,
  PostBindPlugin,
  PreBindPlugin,
  ReservePlugin,
} from '../../../src/framework/plugin.ts';
import type { PodInfo } from '../../../src/framework/pod-info.ts';
import { errorStatus, type Status, unschedulable } from '../../../src/framework/status.ts';
import type { Prng } from '../../../src/lib/prng.ts';

/** How many of 100 calls go wrong in which way; with 0 everywhere the plugin accepts every pod. */
export interface Mischief {
  rejects: number;
  fails: number;
  throws: number;
  talksNonsense: number;
  waits: number;
}

/** Rejects, fails, throws, waits and takes its time, for pods with the label `trouble`. */
export class FaultyPlugin implements ReservePlugin, PermitPlugin, PreBindPlugin, PostBindPlugin {
  readonly name = 'Faulty';
  readonly #handle: Handle;
  readonly #prng: Prng;
  readonly #mischief: Mischief;
  /** Reserved and not given back or bound, by uid. */
  readonly reserved = new Set<string>();
  readonly bound = new Set<string>();

  constructor(handle: Handle, prng: Prng, mischief: Mischief) {
    this.#handle = handle;
    this.#prng = prng;
    this.#mischief = mischief;
  }

  reserves(pod: PodInfo): boolean {
    return isTrouble(pod);
  }

  reserve(_state: CycleState, pod: PodInfo): Status | null {
    this.reserved.add(pod.uid);
    return this.#verdict();
  }

  unreserve(_state: CycleState, pod: PodInfo): void {
    this.reserved.delete(pod.uid);
  }

  permit(_state: CycleState, pod: PodInfo): Status | PermitWait | null {
    if (!isTrouble(pod)) return null;
    if (this.#prng.below(100) >= this.#mischief.waits) return this.#verdict();
    const timeoutMillis = 1 + this.#prng.below(3000);
    this.#handle.after(this.#prng.below(4000), () => this.#decide(pod.uid));
    return { code: 'Wait', reasons: [], plugin: this.name, timeoutMillis };
  }

  preBinds(pod: PodInfo): boolean {
    return isTrouble(pod);
  }

  preBind(): Eventually<Status | null> {
    if (this.#prng.below(100) >= this.#mischief.waits) return this.#verdict();
    const delayMillis = this.#prng.below(2000);
    const verdict = this.#prng.below(4) === 0 ? errorStatus(this.name, 'failed at last') : null;
    return (done) => void this.#handle.after(delayMillis, () => done(verdict));
  }

  postBind(_state: CycleState, pod: PodInfo): void {
    this.reserved.delete(pod.uid);
    this.bound.add(pod.uid);
  }

  #decide(uid: string): void {
    const waiting = this.#handle.waitingPod(uid);
    if (this.#prng.below(3) === 0) waiting?.reject(this.name, 'not now');
    else waiting?.allow(this.name);
  }

  #verdict(): Status | null {
    const { rejects, fails, throws, talksNonsense } = this.#mischief;
    let draw = this.#prng.below(100);
    if (draw < rejects) return unschedulable(this.name, 'no');
    draw -= rejects;
    if (draw >= 0 && draw < fails) return errorStatus(this.name, 'failed');
    draw -= fails;
    if (draw >= 0 && draw < throws) throw new Error('thrown');
    draw -= throws;
    return draw >= 0 && draw < talksNonsense ? ({ code: 'Perhaps' } as unknown as Status) : null;
  }
}

function isTrouble({ pod }: PodInfo): boolean {
  return pod.metadata?.labels?.['trouble'] !== undefined;
}
