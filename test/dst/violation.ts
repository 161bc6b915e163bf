/** Something that must always hold did not. */
export class Violation extends Error {
  readonly invariant: string;

  constructor(invariant: string, detail: string) {
    super(detail);
    this.invariant = invariant;
  }
}

/** Records what does not hold. In the middle of somebody's write nothing may be thrown: the step ends first. */
export type Violated = (invariant: string, detail: string) => void;
