/** What stands before a recorded step's parameters, and the observations to compare with. */
export interface ControlStep {
  readonly op: string;
  readonly out?: unknown;
}

/** One recorded scenario of a controller or of the kubelet; the steps are replayed in order. */
export interface ControlCase {
  readonly id: string;
  readonly family: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly steps: readonly ControlStep[];
}

/** The time at which every case begins; recorded times are seconds since. */
export const START_MILLIS = Date.UTC(2026, 0, 1);

export function secondsSinceStart(millis: number): number {
  return (millis - START_MILLIS) / 1000;
}

export function millisAt(seconds: number): number {
  return START_MILLIS + seconds * 1000;
}

export function isControlCase(recorded: object): recorded is ControlCase {
  return 'family' in recorded && 'steps' in recorded;
}
