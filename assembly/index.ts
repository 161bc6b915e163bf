/** Both builds, scalar and SIMD: the exports are those of the table in src/kernels/kernel-table.ts. */
export { filterFit, fitReasons } from './filter/node-resources-fit';
export { interpret } from './pool/interpreter';
export { park } from './pool/park';
export { isStepDone, leadStep } from './pool/step';
export { scoreBalancedAllocation } from './score/balanced-allocation';
export { scoreLeastAllocated } from './score/least-allocated';
export { scoreMostAllocated } from './score/most-allocated';
export { addWeighted, fill, maxFeasible, normalize, sumWeighted } from './score/normalize';
export { scoreRequestedToCapacityRatio } from './score/requested-to-capacity-ratio';
export { collectTies, countFeasible, selectBest } from './select/select-best';
export { selectHeapRoot } from './select/heap-root';
export { collectWindow } from './select/collect-window';
export { addDomainScores, countDomains, filterDomains, leastDomainCount } from './topology/domains';
export { placeByTopology } from './topology-run/place';
export { fillDoubles, normalizeRange, normalizeSpread, roundScores, scoredRange } from './topology/normalize';
export {
  chargeNode,
  deriveNodes,
  firstBest,
  listBest,
  placePods,
  selectBestTotal,
  touchNode,
} from './signature-index/place';
export { countTotals, countVerdicts, scanTotals } from './signature-index/scan';
export { placeBySearch, searchNodes } from './signature-index/search';
export { syncBlock, updateNode } from './signature-index/sync';
export { buildTree, writeMaxima } from './signature-index/tree';
export { rootOfTies, selectInWindow } from './signature-index/window';
