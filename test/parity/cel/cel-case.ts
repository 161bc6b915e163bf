import type { DeviceDescription } from '../../../src/index-cel.ts';

/** A selector that was compiled and evaluated by upstream's CEL package; costs beyond 2^53 are texts. */
export interface CelCase {
  readonly kind: 'cel';
  readonly name: string;
  readonly features?: readonly string[];
  readonly expression: string;
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Absent where the file's own devices are meant. */
  readonly devices?: readonly DeviceDescription[];
  readonly compileError?: string;
  readonly compileErrorType?: string;
  readonly outputType?: string;
  readonly maxCost?: number | string;
  readonly tooComplex?: boolean;
  readonly expect?: readonly { readonly result?: boolean; readonly error?: string; readonly cost?: number }[];
}

/** The devices of a file. */
export interface CelDevices {
  readonly kind: 'cel-devices';
  readonly devices: readonly DeviceDescription[];
}

export function isCelCase(recorded: object): recorded is CelCase {
  return (recorded as { readonly kind?: string }).kind === 'cel';
}

export function isCelDevices(recorded: object): recorded is CelDevices {
  return (recorded as { readonly kind?: string }).kind === 'cel-devices';
}

/** Puts integers that JavaScript's numbers do not hold between quotes. */
export function quoteLargeIntegers(line: string): string {
  return line.replace(/([:[,])(-?\d{16,})(?=[,\]}])/g, '$1"$2"');
}
