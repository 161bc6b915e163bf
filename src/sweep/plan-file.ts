import { gunzipSync, gzipSync } from 'node:zlib';
import { CodedError } from '../lib/errors.ts';
import type { SweepPlan } from './sweep-plan.ts';

const FORMAT = 'berth-sweep-plan';
const VERSION = 1;

/** A plan with the contents of all files that it needs: what another machine has to be given. */
export interface CarriedPlan {
  readonly berth: string;
  readonly plan: SweepPlan;
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

export function writePlan({ berth, plan, contents }: CarriedPlan): Uint8Array {
  const files = Object.fromEntries([...contents].map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]));
  return gzipSync(JSON.stringify({ format: FORMAT, version: VERSION, berth, plan, files }), { level: 9 });
}

/** @throws CodedError `NotAPlan` */
export function readPlan(bytes: Uint8Array, file: string): CarriedPlan {
  let value: { format?: unknown; version?: unknown; berth?: string; plan?: SweepPlan; files?: Record<string, string> };
  try {
    value = JSON.parse(gunzipSync(bytes).toString());
  } catch {
    value = {};
  }
  const { format, version, berth = '', plan, files = {} } = value ?? {};
  if (format !== FORMAT || plan === undefined) {
    throw new CodedError('NotAPlan', `${file}: was not written by berth sweep --save-plan`);
  }
  if (version !== VERSION) throw new CodedError('NotAPlan', `${file}: has version ${version}, not ${VERSION}`);
  const contents = Object.entries(files).map(([name, text]) => [name, Buffer.from(text, 'base64')] as const);
  return { berth, plan, contents: new Map(contents) };
}
