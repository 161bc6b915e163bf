/**
 * The exports of both kernel builds, with their arguments; kernel-table.ts has their types at run time. The scalar and
 * the SIMD module export the same functions, which differ only in speed.
 *
 * Pointers are byte offsets into the one shared memory. A range is half open, [from, to), in node slots; `from` and
 * `to` may be any integers (kernels handle the rest of a SIMD step themselves).
 *
 *   feasible   i32 per slot: -1 feasible, 0 not
 *   raw, total i32 per slot
 *   mask       u8 per slot: 1 = every filter outside the kernels accepts the node; 0 also for slots without a node
 *
 * Resource entries (an array of `RESOURCE_ENTRY_BYTES`-byte records) name the columns that a kernel reads:
 *
 *   byte  0  u32  pointer to the f64 column "allocatable"
 *   byte  4  u32  pointer to the f64 column "requested" (real or non-zero, as the plugin wants it)
 *   byte  8  f64  the pod's request
 *   byte 16  f64  weight (score kernels)
 */
export const RESOURCE_ENTRY_BYTES = 24;

/** The size of the results of `selectBest`, three i32 at `out`: the best total, its number of slots, the best slot. */
export const SELECT_RESULT_BYTES = 12;

/** The values that `fitReasons` writes, one byte per slot. */
export const FIT_OK = 0;
export const FIT_INSUFFICIENT = 1;
export const FIT_EXCEEDS_ALLOCATABLE = 2;

export interface Kernels {
  /** Feasible if in the mask, and podRequest <= allocatable - requested for every entry. Returns the feasible count. */
  filterFit(entries: number, entryCount: number, mask: number, feasible: number, from: number, to: number): number;

  /** Writes, for one resource, FIT_OK, FIT_INSUFFICIENT (now) or FIT_EXCEEDS_ALLOCATABLE (never fits) per slot. */
  fitReasons(allocatable: number, requested: number, podRequest: number, out: number, from: number, to: number): void;

  /**
   * Score kernels write one raw score (0..100) per slot, feasible or not. `exact` = 1 makes them use 64-bit integers:
   * needed when any allocatable or request in the columns exceeds 90,071,992,547,409 (up to 2^53).
   */
  scoreLeastAllocated(entries: number, entryCount: number, out: number, exact: number, from: number, to: number): void;
  scoreMostAllocated(entries: number, entryCount: number, out: number, exact: number, from: number, to: number): void;
  /** `table`: 101 i32 scores, one per whole percent of utilisation. */
  scoreRequestedToCapacityRatio(
    entries: number,
    entryCount: number,
    table: number,
    out: number,
    exact: number,
    from: number,
    to: number,
  ): void;
  /** Computes doubles in upstream's order of operations, and ignores the weights of the entries. */
  scoreBalancedAllocation(entries: number, entryCount: number, out: number, from: number, to: number): void;

  /** Returns the largest raw value among feasible slots; 0 if there is none, or all are negative. */
  maxFeasible(raw: number, feasible: number, from: number, to: number): number;
  /**
   * The default normalisation: out = raw * 100 / max (truncated), or 100 minus that if `reverse`. With max 0: 100
   * everywhere if `reverse`, else raw.
   */
  normalize(raw: number, max: number, reverse: number, out: number, from: number, to: number): void;
  /** Adds: total += raw * weight. */
  addWeighted(raw: number, weight: number, total: number, from: number, to: number): void;
  /** Sums: total = base + raw * weight. */
  sumWeighted(base: number, raw: number, weight: number, total: number, from: number, to: number): void;
  /** Sets the total of every slot to `value`. */
  fill(total: number, value: number, from: number, to: number): void;

  /**
   * Finds the best total among feasible slots. Writes three i32 at `out`: the best total, the number of slots that have
   * it, and the one of them with the smallest value in the i32 column `order`. Without a feasible slot: 0, 0, -1.
   */
  selectBest(total: number, feasible: number, order: number, out: number, from: number, to: number): void;
  /** Writes the feasible slots whose total is `best` to i32 `out`, ascending by slot. Returns their number. */
  collectTies(total: number, feasible: number, best: number, out: number, from: number, to: number): number;

  countFeasible(feasible: number, from: number, to: number): number;

  /**
   * Sampling: walks the `count` slots of the i32 list `order` once, from position `start` on and around the end, until
   * the first feasible slot after `wanted` others. Writes up to `wanted` feasible slots to i32 `list`, clears all
   * others in `feasible` (of `slots` slots), and returns the number of listed slots. Writes three i32 at `out`: the
   * number of processed slots, the lowest and the highest slot of the list (`slots` and -1 if it is empty).
   */
  collectWindow(
    order: number,
    count: number,
    start: number,
    wanted: number,
    feasible: number,
    slots: number,
    list: number,
    out: number,
  ): number;
  /** `selectBest` for the slots of an i32 list, with the tie rule of kube-scheduler v1.36. */
  selectHeapRoot(list: number, count: number, total: number, out: number): void;

  /**
   * Topology: `domains` is an i32 column of domain numbers (-1: the node lacks the label), `counts` an i32 array by
   * domain number. A slot stays feasible if least <= count <= most; a slot without a domain, if `absent` is -1.
   */
  filterDomains(
    domains: number,
    counts: number,
    least: number,
    most: number,
    absent: number,
    feasible: number,
    from: number,
    to: number,
  ): void;
  /** Adds for slots with a domain: out (f64 column) += count * factor + addend. */
  addDomainScores(
    domains: number,
    counts: number,
    factor: number,
    addend: number,
    out: number,
    from: number,
    to: number,
  ): void;
  /** Returns the smallest of the first `domainCount` counts whose domain has members; 2^31 - 1 if none has. */
  leastDomainCount(counts: number, members: number, domainCount: number): number;
  /**
   * Returns the number of domains of the slots with `scored` != 0; with `countAbsent` the slots without a domain count
   * as one more. `marks`: i32 by domain, none of them equal to `stamp`.
   */
  countDomains(
    domains: number,
    scored: number,
    marks: number,
    stamp: number,
    countAbsent: number,
    from: number,
    to: number,
  ): number;
  /** Writes the least and largest f64 `raw` of slots with `scored` != 0 to `range`. Returns their number. */
  scoredRange(raw: number, scored: number, range: number, from: number, to: number): number;
  /** Rounds raw (f64) to the nearest integer, halves away from zero. */
  roundScores(raw: number, from: number, to: number): void;
  /** Writes out (i32) = 100 * (most + least - raw) / most; 100 if most is 0; 0 for a slot that is not scored. */
  normalizeSpread(
    raw: number,
    scored: number,
    least: number,
    most: number,
    out: number,
    from: number,
    to: number,
  ): void;
  /** Writes out (i32) = 100 * (raw - least) / (most - least); 0 if least and most are equal. */
  normalizeRange(raw: number, least: number, most: number, out: number, from: number, to: number): void;
  fillDoubles(out: number, value: number, from: number, to: number): void;

  /**
   * The signature index: src/engine/index/layout.ts draws `env` (the node environment) and `block` (a totals block);
   * `column` is 0..7. Called before any block is made: computes the derived columns of the first `count` slots.
   */
  deriveNodes(env: number, count: number): void;
  /**
   * Called after the host has written a node's row: computes the derived columns of the slot, and appends the slot to
   * the log.
   */
  touchNode(env: number, slot: number): void;
  /** Writes a column's totals as i16, `stride` bytes apart; -1 if a pod does not fit. `out` belongs to slot 0. */
  scanTotals(env: number, block: number, column: number, out: number, stride: number, from: number, to: number): void;
  /** Returns the number of feasible totals; adds them to the counters by verdict id of a tracked column. */
  countTotals(block: number, column: number, totals: number, stride: number, from: number, to: number): number;
  /** Adds the feasible totals to i32 counters by verdict id at `out`. Returns their number. */
  countVerdicts(
    block: number,
    column: number,
    totals: number,
    stride: number,
    out: number,
    from: number,
    to: number,
  ): number;
  /** Writes rows [from, to) of a level of the tree at `out`: each the maxima of 16 rows of the level `below`. */
  writeMaxima(below: number, out: number, from: number, to: number): void;
  /** Writes the maxima above a block's first `rowCount` rows, from the level `lowest` (1: above the rows) on. */
  buildTree(block: number, lowest: number, rowCount: number): void;
  /** Updates the block from the log. Returns 0 if a rescan is needed instead. */
  syncBlock(env: number, block: number): number;
  /**
   * Places pods in turn, which are given as u32 column references (block + column), each with the i32 slot on which
   * alone the pod may run, or -1, and a word for `placeBySearch`. Writes the slot, the total and the number of feasible
   * nodes of each as i32 at `out`. Returns the number of placed pods; the environment holds the reason to stop.
   */
  placePods(env: number, pods: number, count: number, out: number): number;
  /**
   * `placePods` for pods with topology rules, given as i32 numbers of members of a run, whose records
   * src/engine/topology-run/run-layout.ts lists. Counts the pods, and moves their nodes to other buckets.
   */
  placeByTopology(env: number, pods: number, count: number, out: number, run: number): number;
  /** Adds the requests of a pod with the column's signature to a node, and appends the slot to the log. */
  chargeNode(env: number, block: number, column: number, slot: number): void;
  /** Writes the first `limit` slots with the column's best total as i32 at `out`. Returns their number. */
  listBest(block: number, column: number, out: number, limit: number): number;
  /** Returns the earliest slot with the column's best total; there must be one. */
  firstBest(env: number, block: number, column: number): number;
  /** Updates the row of a slot whose verdict has changed in a column, and the maxima above it. */
  updateNode(env: number, block: number, slot: number): void;
  /**
   * Searches a part of the nodes: the `count` slots in snapshot order from position `start` on, until the first
   * feasible node after `wanted` others. Their i16 totals are in the block's rows (`stride` 16), or are computed during
   * the search and written side by side (`stride` 2, room for `slots`). Writes six i32 at `out`: the best total, the
   * number of ties, the earliest tie, the number of nodes found, the number of nodes processed, and the tie that
   * `selectHeapRoot` takes. Writes the ties in search order at `list`.
   */
  selectInWindow(
    env: number,
    block: number,
    column: number,
    totals: number,
    stride: number,
    snapshotOrder: number,
    count: number,
    start: number,
    wanted: number,
    order: number,
    slots: number,
    list: number,
    out: number,
  ): void;
  /**
   * Returns the slot that `selectHeapRoot` takes if a search from position `start` on covers every node. `best` is the
   * largest of the i16 totals, which are `stride` bytes apart; at least one node has it.
   */
  rootOfTies(totals: number, stride: number, snapshotOrder: number, count: number, start: number, best: number): number;
  /**
   * Searches a part of the nodes for a pod of a column whose block is up to date, normalises the scores of the nodes
   * found, and adds those that depend on other pods. src/engine/index/node-search-record.ts describes `search`, which
   * takes the results, and src/engine/index/ordered-totals.ts `ordered`, which follows the rows of the column.
   */
  searchNodes(env: number, block: number, column: number, ordered: number, search: number): void;
  /**
   * `placePods`, with a search for each pod that begins where the one before ended. The third word of a pod points to
   * its totals in snapshot order, unless it may run on one slot only. No pod may have rules about other pods.
   */
  placeBySearch(env: number, pods: number, count: number, out: number, search: number): number;
  /**
   * `selectBest` for i16 totals side by side; total -1 if no slot is feasible. `isOrdered`: `order` ascends by slot.
   */
  selectBestTotal(totals: number, order: number, isOrdered: number, out: number, from: number, to: number): void;

  /**
   * Runs a program, which calls kernels one after the other for the same slots (program.ts draws an instruction,
   * registers.ts the results). Clears the registers first.
   */
  interpret(
    program: number,
    instructionCount: number,
    registerCount: number,
    results: number,
    from: number,
    to: number,
  ): void;

  /**
   * Runs the step in the words at `control` (src/pool/control-words.ts), with the help of parked threads. Returns 1 if
   * the step is done; 0 if no chunk is left, but another thread has still held one after `spins` checks.
   */
  leadStep(control: number, spins: number): number;
  /** Whether no thread holds a chunk any more after `leadStep`. */
  isStepDone(control: number): number;
  /** Takes part in steps until the leader stops the thread, which sleeps after `spins` checks for the next step. */
  park(control: number, thread: number, spins: number): void;
}
