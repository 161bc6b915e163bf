/**
 * The door into WebAssembly: every export of both kernel builds, argument by argument; kernel-table.ts lists them for
 * the machine. The scalar and the SIMD module export the same names with the same meaning; only the speed differs.
 *
 * Pointers are byte offsets into the one shared memory. A range is half open, [from, to), in node slots; `from` and
 * `to` may be any integers (kernels treat what is left of a SIMD step themselves).
 *
 *   feasible   i32 per slot: -1 feasible, 0 not
 *   raw, total i32 per slot
 *   mask       u8 per slot: 1 = every filter outside the kernels accepts the node; 0 also for slots without a node
 *
 * Resource entries (an array of `RESOURCE_ENTRY_BYTES`-byte records) tell a kernel which columns to read:
 *
 *   byte  0  u32  pointer to the f64 column "allocatable"
 *   byte  4  u32  pointer to the f64 column "requested" (real or non-zero, as the plugin wants it)
 *   byte  8  f64  what the pod asks for
 *   byte 16  f64  weight (score kernels)
 */
export const RESOURCE_ENTRY_BYTES = 24;

/** `i32` results of `selectBest`, written at its `out` pointer: the best total, how many nodes have it, the winner. */
export const SELECT_RESULT_BYTES = 12;

/** Values that `fitReasons` writes, one byte per slot. */
export const FIT_OK = 0;
export const FIT_EXCEEDS_ALLOCATABLE = 2;

export interface Kernels {
  /** Mask and every resource entry: podRequest <= allocatable - requested. Returns the number of feasible slots. */
  filterFit(entries: number, entryCount: number, mask: number, feasible: number, from: number, to: number): number;

  /** For one resource, per slot, FIT_OK, 1 (not enough is free) or FIT_EXCEEDS_ALLOCATABLE (never fits). */
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
  /** Weights of the entries are ignored. Doubles in upstream's order of operations. */
  scoreBalancedAllocation(entries: number, entryCount: number, out: number, from: number, to: number): void;

  /** Largest raw value among feasible slots; 0 when there is none or all are negative. */
  maxFeasible(raw: number, feasible: number, from: number, to: number): number;
  /**
   * Default normalisation in place of a copy: out = raw * 100 / max (truncated), or 100 minus that if `reverse`.
   * With max 0: 100 everywhere if `reverse`, else raw as it is.
   */
  normalize(raw: number, max: number, reverse: number, out: number, from: number, to: number): void;
  /** total += raw * weight. */
  addWeighted(raw: number, weight: number, total: number, from: number, to: number): void;
  /** total = base + raw * weight. */
  sumWeighted(base: number, raw: number, weight: number, total: number, from: number, to: number): void;
  /** total = value, for every slot. */
  fill(total: number, value: number, from: number, to: number): void;

  /**
   * The best total among feasible slots. Writes three i32 at `out`: best total, number of slots that have it, and the
   * one of them with the smallest `order` value (i32 column; the order in which nodes were learned). Without a feasible
   * slot: 0, 0, -1.
   */
  selectBest(total: number, feasible: number, order: number, out: number, from: number, to: number): void;
  /** Slots whose total is `best` and that are feasible, ascending by slot, into i32 `out`; returns how many. */
  collectTies(total: number, feasible: number, best: number, out: number, from: number, to: number): number;

  countFeasible(feasible: number, from: number, to: number): number;

  /**
   * Sampling. Walks the `count` slots of the i32 list `order` from position `start` on, round and round, until it meets
   * one feasible slot more than `wanted`. Lists up to `wanted` feasible slots in i32 `list`, clears `feasible` (of
   * `slots` slots) of those it leaves out, returns how many are listed. Writes three i32 at `out`: the number of slots
   * dealt with, the lowest and the highest slot of the list (`slots` and -1 when it is empty).
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
  /** Like `selectBest`, over the slots of an i32 list and with the tie rule of kube-scheduler v1.36. */
  selectHeapRoot(list: number, count: number, total: number, out: number): void;

  /**
   * Topology. `domains` is an i32 column of domain numbers (-1: the node lacks the label), `counts` an i32 array by
   * domain number. A slot stays feasible while least <= count <= most; without a domain, if `absent` is -1.
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
  /** out (f64 column) += count * factor + addend for slots with a domain. */
  addDomainScores(
    domains: number,
    counts: number,
    factor: number,
    addend: number,
    out: number,
    from: number,
    to: number,
  ): void;
  /** The smallest of the first `domainCount` counters whose domain has members; 2^31 - 1 when none has. */
  leastDomainCount(counts: number, members: number, domainCount: number): number;
  /**
   * How many domains the slots with `scored` != 0 lie in; those without count as one more if `countAbsent`. `marks`:
   * i32 by domain, none of them equal to `stamp`.
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
  /** Smallest and largest f64 `raw` of slots with `scored` != 0, as two f64 at `range`; returns how many there are. */
  scoredRange(raw: number, scored: number, range: number, from: number, to: number): number;
  /** raw (f64) = nearest integer, halves away from zero. */
  roundScores(raw: number, from: number, to: number): void;
  /** out (i32) = 100 * (most + least - raw) / most; 100 when most is 0; 0 where not scored. */
  normalizeSpread(
    raw: number,
    scored: number,
    least: number,
    most: number,
    out: number,
    from: number,
    to: number,
  ): void;
  /** out (i32) = 100 * (raw - least) / (most - least); 0 when they are equal. */
  normalizeRange(raw: number, least: number, most: number, out: number, from: number, to: number): void;
  fillDoubles(out: number, value: number, from: number, to: number): void;

  /**
   * The signature index: `env` (the node environment) and `block` (a totals block) are drawn in
   * src/engine/index/layout.ts, `column` is a number of 0..7. After the host has written a node's row: derives what
   * depends on it alone, and notes the slot in the log.
   */
  touchNode(env: number, slot: number): void;
  /** A column's totals as i16, `stride` bytes apart, -1 where a pod does not fit; `out` belongs to slot 0. */
  scanTotals(env: number, block: number, column: number, out: number, stride: number, from: number, to: number): void;
  /** Feasible slots among totals; a tracked column's counters by verdict id grow by them. */
  countTotals(block: number, column: number, totals: number, stride: number, from: number, to: number): number;
  /** Feasible slots among totals, added to one i32 by verdict id at `out`; returns how many. */
  countVerdicts(
    block: number,
    column: number,
    totals: number,
    stride: number,
    out: number,
    from: number,
    to: number,
  ): number;
  /** Rows [from, to) of a level of the tree at `out`: the maxima of 16 rows each of the level `below`. */
  writeMaxima(below: number, out: number, from: number, to: number): void;
  /** The maxima above a block's first `rowCount` rows, from the level `lowest` (1: above the rows) on. */
  buildTree(block: number, lowest: number, rowCount: number): void;
  /** Follows the log; 0 when a rescan is due instead. */
  syncBlock(env: number, block: number): number;
  /**
   * Places pods, named by u32 column references (block + column), in turn: i32 slot, total and number of feasible nodes
   * of each at `out`. Returns how many; the reason to stop is in the environment.
   */
  placePods(env: number, pods: number, count: number, out: number): number;
  /** Adds what a pod with the column's signature requests to a node, and notes the slot in the log. */
  chargeNode(env: number, block: number, column: number, slot: number): void;
  /** The first slots with the column's best total, as i32 at `out`; returns how many, at most `limit`. */
  listBest(block: number, column: number, out: number, limit: number): number;
  /** The earliest of those; there must be one. */
  firstBest(env: number, block: number, column: number): number;
  /** The node in the slot has got another verdict in some column: its row anew, and the maxima above it. */
  updateNode(env: number, block: number, slot: number): void;
  /**
   * A search that sees a part of the nodes: `count` slots in snapshot order from position `start` on, until one
   * feasible node more than `wanted` is met. Their i16 totals stand in the block's rows (`stride` 16), or are computed
   * as the search comes to them and put side by side (`stride` 2, room for `slots`). Six i32 at `out`: best total,
   * ties, the earliest of them, nodes found, nodes looked at, and the tie that `selectHeapRoot` takes; the ties in
   * search order at `list`.
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
   * The slot that `selectHeapRoot` takes when a search from position `start` on sees every node. `best` is the largest
   * of the i16 totals, which stand `stride` bytes apart; some node has it.
   */
  rootOfTies(totals: number, stride: number, snapshotOrder: number, count: number, start: number, best: number): number;
  /** Like `selectBest` over i16 totals side by side; total -1 when no slot is feasible. `isOrdered`: by slot. */
  selectBestTotal(totals: number, order: number, isOrdered: number, out: number, from: number, to: number): void;

  /**
   * Programs: kernels one after the other over the same slots (program.ts draws an instruction, registers.ts the
   * results). Clears the registers and runs all instructions.
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
   * Runs the step that stands in the words at `control` (src/pool/control-words.ts), with the help of parked threads.
   * Returns 1 when the step is done; 0 when this thread found no chunk any more, had looked `spins` times, and another
   * thread still held one.
   */
  leadStep(control: number, spins: number): number;
  /** Whether, after `leadStep`, no thread holds a chunk any more. */
  isStepDone(control: number): number;
  /** Takes part in steps until the leader stops it, and sleeps when it has looked for the next one `spins` times. */
  park(control: number, thread: number, spins: number): void;
}
