import type { Kernels } from './abi.ts';

/** The type of an argument of a kernel: `pointer` and `i32` have 32 bits in WebAssembly, `f64` is a double. */
export type ArgumentType = 'pointer' | 'i32' | 'f64';

/** The way in which the results of an instruction are merged (registers.ts draws them). */
export type RegisterKind = 'count' | 'maximum' | 'best' | 'histogram';

export interface KernelEntry {
  /** The types of the arguments by name, in order. */
  readonly arguments: Readonly<Record<string, ArgumentType>>;
  readonly result: 'i32' | null;
  /** The number of the kernel in instructions; absent if programs cannot call it. */
  readonly opcode?: number;
  /** The kind of register of the result; absent without a result. For `best` and `histogram` it replaces `out`. */
  readonly register?: RegisterKind;
}

const SLOTS = { from: 'i32', to: 'i32' } as const;
const ENTRIES = { entries: 'pointer', entryCount: 'i32' } as const;
const COLUMN = { block: 'pointer', column: 'i32' } as const;

/**
 * The exports of the kernel modules. The arity check of load.ts and the opcodes of program.ts follow from this table,
 * and abi.ts documents the arguments. A test compares the table with abi.ts, the WebAssembly modules and the
 * AssemblyScript sources, so it finds a kernel that was not changed in all of these places.
 */
export const KERNEL_TABLE = {
  filterFit: {
    arguments: { ...ENTRIES, mask: 'pointer', feasible: 'pointer', ...SLOTS },
    result: 'i32',
    opcode: 0,
    register: 'count',
  },
  fitReasons: {
    arguments: { allocatable: 'pointer', requested: 'pointer', podRequest: 'f64', out: 'pointer', ...SLOTS },
    result: null,
  },

  scoreLeastAllocated: { arguments: { ...ENTRIES, out: 'pointer', exact: 'i32', ...SLOTS }, result: null, opcode: 2 },
  scoreMostAllocated: { arguments: { ...ENTRIES, out: 'pointer', exact: 'i32', ...SLOTS }, result: null, opcode: 3 },
  scoreRequestedToCapacityRatio: {
    arguments: { ...ENTRIES, table: 'pointer', out: 'pointer', exact: 'i32', ...SLOTS },
    result: null,
    opcode: 4,
  },
  scoreBalancedAllocation: { arguments: { ...ENTRIES, out: 'pointer', ...SLOTS }, result: null, opcode: 5 },

  maxFeasible: {
    arguments: { raw: 'pointer', feasible: 'pointer', ...SLOTS },
    result: 'i32',
    opcode: 6,
    register: 'maximum',
  },
  normalize: {
    arguments: { raw: 'pointer', max: 'i32', reverse: 'i32', out: 'pointer', ...SLOTS },
    result: null,
    opcode: 7,
  },
  addWeighted: { arguments: { raw: 'pointer', weight: 'i32', total: 'pointer', ...SLOTS }, result: null, opcode: 8 },
  sumWeighted: {
    arguments: { base: 'pointer', raw: 'pointer', weight: 'i32', total: 'pointer', ...SLOTS },
    result: null,
    opcode: 9,
  },
  fill: { arguments: { total: 'pointer', value: 'i32', ...SLOTS }, result: null, opcode: 1 },

  selectBest: {
    arguments: { total: 'pointer', feasible: 'pointer', order: 'pointer', out: 'pointer', ...SLOTS },
    result: null,
    opcode: 10,
    register: 'best',
  },
  collectTies: {
    arguments: { total: 'pointer', feasible: 'pointer', best: 'i32', out: 'pointer', ...SLOTS },
    result: 'i32',
  },
  countFeasible: { arguments: { feasible: 'pointer', ...SLOTS }, result: 'i32' },
  collectWindow: {
    arguments: {
      order: 'pointer',
      count: 'i32',
      start: 'i32',
      wanted: 'i32',
      feasible: 'pointer',
      slots: 'i32',
      list: 'pointer',
      out: 'pointer',
    },
    result: 'i32',
  },
  selectHeapRoot: { arguments: { list: 'pointer', count: 'i32', total: 'pointer', out: 'pointer' }, result: null },

  filterDomains: {
    arguments: {
      domains: 'pointer',
      counts: 'pointer',
      least: 'i32',
      most: 'i32',
      absent: 'i32',
      feasible: 'pointer',
      ...SLOTS,
    },
    result: null,
  },
  addDomainScores: {
    arguments: { domains: 'pointer', counts: 'pointer', factor: 'f64', addend: 'f64', out: 'pointer', ...SLOTS },
    result: null,
  },
  leastDomainCount: { arguments: { counts: 'pointer', members: 'pointer', domainCount: 'i32' }, result: 'i32' },
  countDomains: {
    arguments: {
      domains: 'pointer',
      scored: 'pointer',
      marks: 'pointer',
      stamp: 'i32',
      countAbsent: 'i32',
      ...SLOTS,
    },
    result: 'i32',
  },
  scoredRange: { arguments: { raw: 'pointer', scored: 'pointer', range: 'pointer', ...SLOTS }, result: 'i32' },
  roundScores: { arguments: { raw: 'pointer', ...SLOTS }, result: null },
  normalizeSpread: {
    arguments: { raw: 'pointer', scored: 'pointer', least: 'f64', most: 'f64', out: 'pointer', ...SLOTS },
    result: null,
  },
  normalizeRange: {
    arguments: { raw: 'pointer', least: 'f64', most: 'f64', out: 'pointer', ...SLOTS },
    result: null,
  },
  fillDoubles: { arguments: { out: 'pointer', value: 'f64', ...SLOTS }, result: null },

  deriveNodes: { arguments: { env: 'pointer', count: 'i32' }, result: null },
  touchNode: { arguments: { env: 'pointer', slot: 'i32' }, result: null },
  scanTotals: {
    arguments: { env: 'pointer', ...COLUMN, out: 'pointer', stride: 'i32', ...SLOTS },
    result: null,
    opcode: 11,
  },
  countTotals: {
    arguments: { ...COLUMN, totals: 'pointer', stride: 'i32', ...SLOTS },
    result: 'i32',
    opcode: 12,
    register: 'count',
  },
  countVerdicts: {
    arguments: { ...COLUMN, totals: 'pointer', stride: 'i32', out: 'pointer', ...SLOTS },
    result: 'i32',
    opcode: 14,
    register: 'histogram',
  },
  writeMaxima: { arguments: { below: 'pointer', out: 'pointer', ...SLOTS }, result: null, opcode: 15 },
  buildTree: { arguments: { block: 'pointer', lowest: 'i32', rowCount: 'i32' }, result: null },
  syncBlock: { arguments: { env: 'pointer', block: 'pointer' }, result: 'i32' },
  placePods: { arguments: { env: 'pointer', pods: 'pointer', count: 'i32', out: 'pointer' }, result: 'i32' },
  placeByTopology: {
    arguments: { env: 'pointer', pods: 'pointer', count: 'i32', out: 'pointer', run: 'pointer' },
    result: 'i32',
  },
  chargeNode: { arguments: { env: 'pointer', ...COLUMN, slot: 'i32' }, result: null },
  listBest: { arguments: { ...COLUMN, out: 'pointer', limit: 'i32' }, result: 'i32' },
  firstBest: { arguments: { env: 'pointer', ...COLUMN }, result: 'i32' },
  updateNode: { arguments: { env: 'pointer', block: 'pointer', slot: 'i32' }, result: null },
  selectInWindow: {
    arguments: {
      env: 'pointer',
      ...COLUMN,
      totals: 'pointer',
      stride: 'i32',
      snapshotOrder: 'pointer',
      count: 'i32',
      start: 'i32',
      wanted: 'i32',
      order: 'pointer',
      slots: 'i32',
      list: 'pointer',
      out: 'pointer',
    },
    result: null,
  },
  rootOfTies: {
    arguments: {
      totals: 'pointer',
      stride: 'i32',
      snapshotOrder: 'pointer',
      count: 'i32',
      start: 'i32',
      best: 'i32',
    },
    result: 'i32',
  },
  searchNodes: {
    arguments: { env: 'pointer', ...COLUMN, ordered: 'pointer', search: 'pointer' },
    result: null,
  },
  placeBySearch: {
    arguments: { env: 'pointer', pods: 'pointer', count: 'i32', out: 'pointer', search: 'pointer' },
    result: 'i32',
  },
  selectBestTotal: {
    arguments: { totals: 'pointer', order: 'pointer', isOrdered: 'i32', out: 'pointer', ...SLOTS },
    result: null,
    opcode: 13,
    register: 'best',
  },

  interpret: {
    arguments: { program: 'pointer', instructionCount: 'i32', registerCount: 'i32', results: 'pointer', ...SLOTS },
    result: null,
  },
  leadStep: { arguments: { control: 'pointer', spins: 'i32' }, result: 'i32' },
  isStepDone: { arguments: { control: 'pointer' }, result: 'i32' },
  park: { arguments: { control: 'pointer', thread: 'i32', spins: 'i32' }, result: null },
} as const satisfies { readonly [Name in keyof Kernels]: KernelEntry };

type Table = typeof KERNEL_TABLE;

/** The kernels that programs can call. */
export type InstructionName = {
  [Name in keyof Table]: Table[Name] extends { readonly opcode: number } ? Name : never;
}[keyof Table];

type Opcodes = { readonly [Name in InstructionName]: Table[Name]['opcode'] };

/** The instructions with a result in a register of this kind. */
export type QueryName<Kind extends RegisterKind> = {
  [Name in InstructionName]: Table[Name] extends { readonly register: Kind } ? Name : never;
}[InstructionName];

/** The instructions without a result. */
export type CommandName = Exclude<InstructionName, QueryName<RegisterKind>>;

/** The words of an instruction: the arguments of its kernel without the range, and without a replaced `out`. */
export type InstructionWords<Name extends InstructionName> =
  Name extends QueryName<'best' | 'histogram'>
    ? Parameters<Kernels[Name]> extends [...infer Words, number, number, number]
      ? Words
      : never
    : Parameters<Kernels[Name]> extends [...infer Words, number, number]
      ? Words
      : never;

/** The opcodes by kernel name. */
export const OPCODES = Object.fromEntries(
  Object.entries<KernelEntry>(KERNEL_TABLE).flatMap(([name, { opcode }]) =>
    opcode === undefined ? [] : [[name, opcode]],
  ),
) as Opcodes;
