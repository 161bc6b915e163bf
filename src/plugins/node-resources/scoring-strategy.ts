import type { UtilizationShapePoint } from '../../config/args/utilization-shape.ts';
import { MAX_NODE_SCORE } from '../../framework/plugin.ts';
import { add, divide, type Int64, multiply, subtract } from '../../lib/int64.ts';

/** One resource of a node, with its weight. */
export interface WeighedUse {
  /** The requests on the node, the pod to schedule included. */
  readonly requested: Int64;
  readonly allocatable: Int64;
  readonly weight: number;
}

/** The score is (allocatable - requested) * 100 / allocatable, averaged by weight (upstream's least_allocated.go). */
export function leastAllocatedScore(uses: readonly WeighedUse[]): number {
  return weighedAverage(uses, ({ requested, allocatable }) =>
    requested > allocatable ? 0 : divide(multiply(subtract(allocatable, requested), MAX_NODE_SCORE), allocatable),
  );
}

/** The score is requested * 100 / allocatable, averaged by weight (upstream's most_allocated.go). */
export function mostAllocatedScore(uses: readonly WeighedUse[]): number {
  return weighedAverage(uses, ({ requested, allocatable }) =>
    // A pod without requests counts with default requests, which may exceed what is allocatable.
    divide(multiply(requested > allocatable ? allocatable : requested, MAX_NODE_SCORE), allocatable),
  );
}

/** The average leaves out resources that score 0, and is rounded, not truncated (requested_to_capacity_ratio.go). */
export function requestedToCapacityRatioScore(uses: readonly WeighedUse[], scoreOfPercent: readonly number[]): number {
  let sum = 0;
  let weightSum = 0;
  for (const { requested, allocatable, weight } of uses) {
    if (allocatable === 0) continue;
    const percent = requested > allocatable ? 100 : Number(divide(multiply(requested, 100), allocatable));
    const score = scoreOfPercent[Math.max(0, Math.min(100, percent))] ?? 0;
    if (score <= 0) continue;
    sum += score * weight;
    weightSum += weight;
  }
  return weightSum === 0 ? 0 : roundHalfAwayFromZero(sum / weightSum);
}

/** The score (0..100) for each whole percent of utilisation, on straight lines between the points of the shape. */
export function scoreOfPercentTable(shape: readonly UtilizationShapePoint[]): number[] {
  const points = shape.map(({ utilization, score }) => ({ utilization, score: score * 10 }));
  return Array.from({ length: 101 }, (_, percent) => {
    const next = points.findIndex(({ utilization }) => percent <= utilization);
    const right = points[next];
    const left = points[next - 1];
    if (right === undefined) return points.at(-1)?.score ?? 0;
    if (left === undefined) return right.score;
    const rise = (right.score - left.score) * (percent - left.utilization);
    return left.score + Math.trunc(rise / (right.utilization - left.utilization));
  });
}

/** The average leaves out resources that the node does not have, and their weights. */
function weighedAverage(uses: readonly WeighedUse[], scoreOf: (use: WeighedUse) => Int64): number {
  let sum: Int64 = 0;
  let weightSum = 0;
  for (const use of uses) {
    if (use.allocatable === 0) continue;
    sum = add(sum, multiply(scoreOf(use), use.weight));
    weightSum += use.weight;
  }
  return weightSum === 0 ? 0 : Number(divide(sum, weightSum));
}

function roundHalfAwayFromZero(value: number): number {
  return value < 0 ? -Math.round(-value) : Math.round(value);
}
