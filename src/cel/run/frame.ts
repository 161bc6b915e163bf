import type { CelError, Outcome } from '../values/value.ts';

/** Ends an evaluation whose cost exceeds the limit. */
export class CostLimitExceeded extends Error {}

/** A binding that is computed when it is first read. */
export class LazyLocal {
  readonly compute: () => Outcome;

  constructor(compute: () => Outcome) {
    this.compute = compute;
  }
}

/** One evaluation: the variables, the locals of macros by their slots, and the cost so far. */
export class Frame {
  readonly variables: ReadonlyMap<string, Outcome>;
  readonly locals: (Outcome | LazyLocal)[] = [];
  readonly #limit: number;
  cost = 0;

  constructor(variables: ReadonlyMap<string, Outcome>, limit: number) {
    this.variables = variables;
    this.#limit = limit;
  }

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#limit) throw new CostLimitExceeded();
  }

  local(slot: number): Outcome {
    const local = this.locals[slot];
    if (!(local instanceof LazyLocal)) return local as Outcome;
    const value = local.compute();
    this.locals[slot] = value;
    return value;
  }
}

/** A planned part of an expression. */
export interface Step {
  run(frame: Frame): Outcome;
  /** The value, if it is the same in every evaluation; such a step costs nothing. */
  readonly constant?: Exclude<Outcome, CelError>;
}
