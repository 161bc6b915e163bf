/** What the kernels are asked: the one table that both builds answer, with the answers that were worked out by hand. */

/** The largest amount for which doubles give exact scores: floor(2^53 / 100). */
export const DOUBLE_LIMIT = 90_071_992_547_409;
/** The largest integer that columns hold exactly. */
export const INTEGER_LIMIT = 2 ** 53 - 1;

export interface ResourceColumns {
  readonly allocatable: readonly number[];
  readonly requested: readonly number[];
  readonly podRequest: number;
  readonly weight: number;
}

/** Slots as the resource kernels see them; every column has the mask's length. */
export interface ResourceSlots {
  readonly mask: readonly number[];
  readonly resources: readonly ResourceColumns[];
  /** 101 scores of RequestedToCapacityRatio. */
  readonly table: readonly number[];
  readonly exact: boolean;
}

export interface ResourceAnswers {
  readonly feasible: readonly number[];
  readonly feasibleCount: number;
  /** Per resource. */
  readonly reasons: readonly (readonly number[])[];
  readonly least: readonly number[];
  readonly most: readonly number[];
  readonly ratio: readonly number[];
  readonly balanced: readonly number[];
}

export interface ResourceCase {
  readonly name: string;
  readonly slots: ResourceSlots;
  readonly answers: Partial<ResourceAnswers>;
}

const identityTable = Array.from({ length: 101 }, (_, percent) => percent);
const ones = (count: number): number[] => new Array<number>(count).fill(1);
const GiB = 2 ** 30;

function resource(
  allocatable: readonly number[],
  requested: readonly number[],
  podRequest: number,
  weight = 1,
): ResourceColumns {
  return { allocatable, requested, podRequest, weight };
}

function slots(resources: readonly ResourceColumns[], options: Partial<ResourceSlots> = {}): ResourceSlots {
  const count = resources[0]?.allocatable.length ?? 0;
  return { mask: ones(count), resources, table: identityTable, exact: false, ...options };
}

export const resourceCases: readonly ResourceCase[] = [
  {
    name: 'empty, half full, full and overcommitted nodes',
    slots: slots([
      resource([4000, 4000, 4000, 4000, 4000], [0, 2000, 3000, 4000, 5000], 1000),
      resource([8 * GiB, 8 * GiB, 8 * GiB, 8 * GiB, 8 * GiB], [0, 4 * GiB, 7 * GiB, 8 * GiB, 9 * GiB], GiB),
    ]),
    answers: {
      feasible: [-1, -1, -1, 0, 0],
      feasibleCount: 3,
      reasons: [
        [0, 0, 0, 1, 1],
        [0, 0, 0, 1, 1],
      ],
      least: [81, 31, 0, 0, 0],
      most: [18, 68, 100, 100, 100],
      ratio: [19, 69, 100, 100, 100],
      balanced: [71, 71, 78, 75, 75],
    },
  },
  {
    name: 'a pod larger than the node, exactly as large, and one unit larger than what is free',
    slots: slots([resource([1000, 1000, 1000, 1000, 0], [0, 0, 1, 1000, 0], 1000)]),
    answers: { feasible: [-1, -1, 0, 0, 0], feasibleCount: 2, reasons: [[0, 0, 1, 1, 2]] },
  },
  {
    name: 'masked slots never fit, whatever byte says so',
    slots: slots([resource(ones(6), [0, 0, 0, 0, 0, 0], 1)], { mask: [0, 1, 255, 0, 128, 0] }),
    answers: { feasible: [0, -1, -1, 0, -1, 0], feasibleCount: 3 },
  },
  {
    name: 'a resource with allocatable 0 leaves the average with its weight; none left is 0, and even',
    slots: slots([
      resource([100, 0, 0, 100, 100], [30, 30, 0, 0, 0], 20, 3),
      resource([100, 100, 0, 0, 100], [10, 10, 0, 0, 0], 10, 1),
    ]),
    answers: {
      least: [57, 80, 0, 80, 82],
      most: [42, 20, 0, 20, 17],
      ratio: [43, 20, 0, 20, 18],
      balanced: [72, 75, 75, 75, 72],
    },
  },
  {
    name: 'utilisation whose shape score is 0 leaves the ratio, the rest is rounded half up',
    slots: slots([resource([100, 100, 100], [50, 51, 0], 0, 1), resource([100, 100, 100], [99, 52, 0], 0, 1)], {
      table: identityTable.map((percent) => (percent < 51 ? 0 : percent)),
    }),
    answers: { ratio: [99, 52, 0] },
  },
  {
    name: 'three fractions deviate from their mean',
    slots: slots([
      resource([10, 10, 10, 10], [0, 1, 5, 10], 1),
      resource([10, 10, 10, 10], [0, 5, 5, 0], 1),
      resource([10, 10, 10, 0], [0, 9, 5, 0], 1),
    ]),
    answers: { balanced: [75, 75, 75, 77] },
  },
  {
    name: 'nothing is asked',
    slots: slots([], { mask: [1, 0, 1, 1, 1, 0, 1] }),
    answers: {
      feasible: [-1, 0, -1, -1, -1, 0, -1],
      feasibleCount: 5,
      least: [0, 0, 0, 0, 0, 0, 0],
      most: [0, 0, 0, 0, 0, 0, 0],
      ratio: [0, 0, 0, 0, 0, 0, 0],
      balanced: [75, 75, 75, 75, 75, 75, 75],
    },
  },
  {
    name: 'the largest amounts of the double path: 1 requested of the limit is 99 % free',
    slots: slots([resource([DOUBLE_LIMIT, DOUBLE_LIMIT, DOUBLE_LIMIT, DOUBLE_LIMIT], [0, 1, DOUBLE_LIMIT - 1, 5], 0)]),
    answers: { least: [100, 99, 0, 99], most: [0, 0, 99, 0] },
  },
  {
    name: 'the largest integers on the exact path',
    slots: slots([resource([INTEGER_LIMIT, INTEGER_LIMIT, 2 ** 52, 2 ** 52], [0, 0, 2 ** 51, 2 ** 52], 1)], {
      exact: true,
    }),
    answers: { feasible: [-1, -1, -1, 0], least: [99, 99, 49, 0], most: [0, 0, 50, 100] },
  },
];

/** Columns as normalisation and selection see them. */
export interface ScoreSlots {
  readonly raw: readonly number[];
  readonly feasible: readonly boolean[];
  readonly total: readonly number[];
  /** The order in which the nodes were learned. */
  readonly order: readonly number[];
  readonly max: number;
  readonly weight: number;
  readonly best: number;
}

export interface ScoreAnswers {
  readonly maxFeasible: number;
  readonly normalized: readonly number[];
  readonly reversed: readonly number[];
  readonly weighted: readonly number[];
  /** The weighted sum, written to another column. */
  readonly summed: readonly number[];
  readonly filled: readonly number[];
  /** Best total, how many have it, the winner's slot. */
  readonly selected: readonly [number, number, number];
  readonly ties: readonly number[];
}

export interface ScoreCase {
  readonly name: string;
  readonly slots: ScoreSlots;
  readonly answers: Partial<ScoreAnswers>;
}

const yes = (count: number): boolean[] => new Array<boolean>(count).fill(true);

export const scoreCases: readonly ScoreCase[] = [
  {
    name: 'thirds are truncated, infeasible slots do not raise the maximum',
    slots: {
      raw: [1, 2, 3, 0, 9],
      feasible: [true, true, true, true, false],
      total: [10, 20, 30, 40, 50],
      order: [0, 1, 2, 3, 4],
      max: 3,
      weight: 2,
      best: 40,
    },
    answers: {
      maxFeasible: 3,
      normalized: [33, 66, 100, 0, 300],
      reversed: [67, 34, 0, 100, -200],
      weighted: [12, 24, 36, 40, 68],
      selected: [40, 1, 3],
      ties: [3],
    },
  },
  {
    name: 'maximum 0 keeps raw scores, or makes all equal in reverse',
    slots: {
      raw: [0, 0, -5, 7, 0],
      feasible: yes(5),
      total: [0, 0, 0, 0, 0],
      order: [4, 3, 2, 1, 0],
      max: 0,
      weight: 1,
      best: 0,
    },
    answers: {
      normalized: [0, 0, -5, 7, 0],
      reversed: [100, 100, 100, 100, 100],
      selected: [0, 5, 4],
      ties: [0, 1, 2, 3, 4],
    },
  },
  {
    name: 'no feasible slot',
    slots: {
      raw: [5, 6, 7, 8, 9, 10],
      feasible: [false, false, false, false, false, false],
      total: [5, 6, 7, 8, 9, 10],
      order: [0, 1, 2, 3, 4, 5],
      max: 10,
      weight: 3,
      best: 10,
    },
    answers: { maxFeasible: 0, selected: [0, 0, -1], ties: [] },
  },
  {
    name: 'all negative, the smallest integer among them',
    slots: {
      raw: [-1, -2, -3, -4, -5],
      feasible: [false, true, true, true, true],
      total: [0, -(2 ** 31), -(2 ** 31), -(2 ** 31), -(2 ** 31)],
      order: [0, 2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1],
      max: 1,
      weight: 1,
      best: -(2 ** 31),
    },
    answers: { maxFeasible: 0, selected: [-(2 ** 31), 4, 1], ties: [1, 2, 3, 4] },
  },
];
