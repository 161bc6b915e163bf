import { readFileSync } from 'node:fs';
import { assert } from '../lib/assert.ts';
import { CodedError } from '../lib/errors.ts';
import type { Kernels } from './abi.ts';

export type KernelKind = 'simd' | 'scalar';

/** Every export of a kernel module and how many arguments it takes. @internal */
export const KERNEL_ARITY: Readonly<Record<keyof Kernels, number>> = {
  filterFit: 6,
  fitReasons: 6,
  scoreLeastAllocated: 6,
  scoreMostAllocated: 6,
  scoreRequestedToCapacityRatio: 7,
  scoreBalancedAllocation: 5,
  maxFeasible: 4,
  normalize: 6,
  addWeighted: 5,
  sumWeighted: 6,
  fill: 4,
  selectBest: 6,
  collectTies: 6,
  countFeasible: 3,
  collectWindow: 8,
  selectHeapRoot: 4,
  filterDomains: 8,
  addDomainScores: 7,
  leastDomainCount: 3,
  countDomains: 7,
  scoredRange: 5,
  roundScores: 3,
  normalizeSpread: 7,
  normalizeRange: 6,
  fillDoubles: 4,
  touchNode: 2,
  scanLane: 7,
  countLane: 6,
  buildTree: 2,
  syncGroup: 2,
  placePods: 4,
  chargeNode: 4,
  listBest: 4,
  firstBest: 3,
  updateNode: 3,
  rootOfTies: 6,
  selectBestTotal: 6,
  selectInWindow: 13,
  interpret: 6,
  leadStep: 2,
  isStepDone: 1,
  park: 3,
};

/** Modules hold no state, so one compiled module serves every memory of the process. */
const modules = new Map<KernelKind, WebAssembly.Module>();

/** Kernels that work on `memory`, which must be shared. Throws `KernelsNotBuilt` when the WASM file is not there. */
export function instantiate(kind: KernelKind, memory: WebAssembly.Memory): Kernels {
  const { exports } = new WebAssembly.Instance(compiled(kind), { env: { memory } });
  assertKernels(kind, exports);
  return exports as unknown as Kernels;
}

function compiled(kind: KernelKind): WebAssembly.Module {
  let module = modules.get(kind);
  if (module === undefined) {
    module = new WebAssembly.Module(readKernels(kind));
    modules.set(kind, module);
  }
  return module;
}

/** The bytes of a kernel module: in build/ beside src/ and dist/, so the path is the same from both. @internal */
export function readKernels(
  kind: KernelKind,
  folder = new URL('../../build/', import.meta.url),
): Uint8Array<ArrayBuffer> {
  const url = new URL(`kernels.${kind}.wasm`, folder);
  try {
    return new Uint8Array(readFileSync(url));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError('KernelsNotBuilt', `${kind} kernels cannot be read, run "npm run build": ${reason}`);
  }
}

/** A module of another version would read its arguments as something else: refuse it at once. @internal */
export function assertKernels(kind: KernelKind, exports: Readonly<Record<string, unknown>>): void {
  const wrong = Object.entries(KERNEL_ARITY).filter(([name, arity]) => {
    const kernel = exports[name];
    return typeof kernel !== 'function' || kernel.length !== arity;
  });
  assert(wrong.length === 0, `${kind} kernels lack ${wrong.map(([name, arity]) => `${name}/${arity}`).join(', ')}`);
}
