/** The SIMD build: the names and results of index.ts, four slots a step. */
export { filterFit, fitReasons } from './filter/node-resources-fit.simd';
export { interpret } from './pool/interpreter';
export { park } from './pool/park';
export { isStepDone, leadStep } from './pool/step';
export { scoreBalancedAllocation } from './score/balanced-allocation.simd';
export { scoreLeastAllocated } from './score/least-allocated.simd';
export { scoreMostAllocated } from './score/most-allocated.simd';
export { addWeighted, fill, maxFeasible, normalize, sumWeighted } from './score/normalize.simd';
export { scoreRequestedToCapacityRatio } from './score/requested-to-capacity-ratio.simd';
export { collectTies, countFeasible, selectBest } from './select/select-best.simd';
export { selectHeapRoot } from './select/heap-root';
export { collectWindow } from './select/collect-window';
export { countDomains, leastDomainCount } from './topology/domains';
export { addDomainScores, filterDomains } from './topology/domains.simd';
export { fillDoubles, normalizeRange, normalizeSpread, roundScores, scoredRange } from './topology/normalize.simd';
export {
  chargeNode,
  firstBest,
  listBest,
  placePods,
  selectBestTotal,
  syncGroup,
  touchNode,
  updateNode,
} from './class-index/place';
export { countLane, scanLane } from './class-index/scan';
export { buildTree } from './class-index/tree';
export { rootOfTies, selectInWindow } from './class-index/window';
