import type { EventLoop } from '../../lib/event-loop.ts';
import { keyedPrng } from '../../lib/keyed-prng.ts';
import type { Prng } from '../../lib/prng.ts';
import type { PlannedFault } from './fault-file.ts';
import { FAULT_KINDS } from './fault-kinds.ts';
import type { FaultTargets } from './fault-targets.ts';
import { NodeFaults } from './node-faults.ts';

export interface FaultInjectorModules {
  readonly targets: FaultTargets;
  readonly loop: EventLoop;
  /** Receives a line for every fault that begins or ends: `nodeCrash of node-00003 begins`. */
  readonly note: (text: string) => void;
}

/** Injects the planned faults at their times. */
export class FaultInjector {
  readonly #modules: FaultInjectorModules;
  readonly #nodes: NodeFaults;
  readonly #startMillis: number;
  readonly #counts = new Map<string, number>();
  readonly #missed = new Map<string, number>();
  /** The number of plans that are not exhausted, and of active faults that will end. */
  #openCount = 0;

  constructor(modules: FaultInjectorModules) {
    this.#modules = modules;
    this.#nodes = new NodeFaults(modules.targets.nodes);
    this.#startMillis = modules.loop.nowMillis();
  }

  /** Whether no fault will begin or end any more. */
  get isDone(): boolean {
    return this.#openCount === 0;
  }

  /** How often each kind of fault had a target. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  /** How often each kind of fault had no target. */
  get missed(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#missed);
  }

  /**
   * Starts all plans. Each draws from a generator of its own, so that an additional plan does not change the others.
   */
  start(faults: readonly PlannedFault[], seed: number): void {
    for (const [i, fault] of faults.entries()) {
      const moments = momentsOf(fault, keyedPrng(seed, `faults/${i}/times`));
      this.#openCount++;
      this.#waitFor(fault, moments, keyedPrng(seed, `faults/${i}`));
    }
  }

  #waitFor(fault: PlannedFault, moments: Iterator<number>, prng: Prng): void {
    const next = moments.next();
    if (next.done) {
      this.#openCount--;
      return;
    }
    const { loop } = this.#modules;
    loop.after(this.#startMillis + next.value - loop.nowMillis(), () => {
      this.#begin(fault, prng);
      this.#waitFor(fault, moments, prng);
    });
  }

  #begin({ kind, settings, length }: PlannedFault, prng: Prng): void {
    const { targets, loop, note } = this.#modules;
    const active = FAULT_KINDS[kind]?.begin(settings, { targets, nodes: this.#nodes, prng });
    if (active === undefined) {
      this.#missed.set(kind, (this.#missed.get(kind) ?? 0) + 1);
      note(`${kind} finds nothing`);
      return;
    }
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    const what = active.where === '' ? kind : `${kind} ${active.where}`;
    const { end } = active;
    if (end === undefined) {
      note(what);
      return;
    }
    note(`${what} begins`);
    const millis = length?.drawMillis(prng) ?? Number.POSITIVE_INFINITY;
    if (millis === Number.POSITIVE_INFINITY) return;
    this.#openCount++;
    loop.after(millis, () => {
      this.#openCount--;
      note(`${what} ends`);
      end();
    });
  }
}

/** The times at which the fault begins, at least a millisecond apart. */
function* momentsOf({ times }: PlannedFault, prng: Prng): Generator<number> {
  if ('atMillis' in times) {
    yield* times.atMillis.toSorted((a, b) => a - b);
    return;
  }
  const { gap, fromMillis, untilMillis, count } = times;
  let millis = fromMillis;
  for (let i = 0; i < count; i++) {
    millis += Math.max(1, gap.drawMillis(prng));
    if (millis > untilMillis || millis === Number.POSITIVE_INFINITY) return;
    yield millis;
  }
}
