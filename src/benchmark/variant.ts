import type { EngineName, Workers } from './subject.ts';

/** The ways of computing the same decisions: the options in which schedulers that must agree may differ. */
export interface Variant {
  readonly engine: EngineName;
  readonly index: boolean;
  readonly workers: Workers;
}

/**
 * The name of a variant, the engine and its differences from the default: `simd`, `simd index off`, `scalar 2 workers`.
 */
export function variantName({ engine, index, workers }: Variant): string {
  const isIndexOff = !index && engine !== 'reference';
  return `${engine}${isIndexOff ? ' index off' : ''}${workers === 1 ? '' : ` ${workers} workers`}`;
}
