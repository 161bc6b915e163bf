import type { EngineName, Workers } from './subject.ts';

/** How the same decisions are computed: what may differ between schedulers that must agree. */
export interface Variant {
  readonly engine: EngineName;
  readonly index: boolean;
  readonly workers: Workers;
}

/** `simd`, `simd index off`, `scalar 2 workers`: the engine, and what is unlike the default. */
export function variantName({ engine, index, workers }: Variant): string {
  const isIndexOff = !index && engine !== 'reference';
  return `${engine}${isIndexOff ? ' index off' : ''}${workers === 1 ? '' : ` ${workers} workers`}`;
}
