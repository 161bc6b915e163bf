/** How many times as long a test tries as in `npm test`. */
export const DEPTH = Number(process.env['BERTH_DEPTH'] ?? 1);

/**
 * How many inputs a property is tried on: `usual` of them in `npm test`, and `BERTH_DEPTH` times as many where that is
 * set, as `npm run test:long` does for what finds most. With a FAST_CHECK_SEED of one's own it is a long hunt.
 */
export function runs(usual: number): number {
  return Math.ceil(usual * DEPTH);
}
