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
  /** Is told of every fault that begins and ends: `nodeCrash of node-00003 begins`. */
  readonly note: (text: string) => void;
}

/** Lets things go wrong when it is time. */
export class FaultInjector {
  readonly #modules: FaultInjectorModules;
  readonly #nodes: NodeFaults;
  readonly #startMillis: number;
  readonly #counts = new Map<string, number>();
  /** Plans that are not exhausted, and faults that will end. */
  #openCount = 0;

  constructor(modules: FaultInjectorModules) {
    this.#modules = modules;
    this.#nodes = new NodeFaults(modules.targets.nodes);
    this.#startMillis = modules.loop.nowMillis();
  }

  /** Nothing more begins or ends. */
  get isDone(): boolean {
    return this.#openCount === 0;
  }

  /** How often each kind has befallen something. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  /** Each plan draws from a generator of its own: one more changes nothing of the others. */
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

/** At least a millisecond lies between two. */
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
