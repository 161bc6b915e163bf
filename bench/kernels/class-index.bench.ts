import { SELECT_RESULT_BYTES } from '../../src/kernels/abi.ts';
import { type KernelTiming, perSlotOf, runTimedSuite, type SuiteOptions, type TimedCall } from './kernel-suite.ts';
import { rowsOf, SampleIndex } from './sample-index.ts';

/** As many classes as a large cluster has deployments of different sizes. */
const MANY_CLASSES = 50;

const I16_BYTES = 2;

/** The totals of one class on every node, and the best of them: a decision without an index. */
function scan(sample: SampleIndex): readonly [number, number] {
  const { kernels, env, out, count } = sample;
  const { group, number } = sample.lane(0);
  kernels.scanTotals(env.pointer, group.pointer, number, out, I16_BYTES, 0, count);
  return [out, count * I16_BYTES];
}

const calls: Record<string, TimedCall<SampleIndex>> = {
  scanTotals: perSlotOf(scan),
  'scanTotals, countTotals, selectBestTotal': perSlotOf((sample) => {
    const { kernels, out, order, selected, count } = sample;
    const { group, number } = sample.lane(0);
    scan(sample);
    kernels.countTotals(group.pointer, number, out, I16_BYTES, 0, count);
    kernels.selectBestTotal(out, order, 1, selected, 0, count);
    return [selected, SELECT_RESULT_BYTES];
  }),
  'buildTree, 8 classes': perSlotOf((sample) => {
    const { group } = sample.lane(0);
    sample.kernels.buildTree(group.pointer, 1, sample.rowCount);
    return [rowsOf(group), sample.count * I16_BYTES * 8];
  }),
  'chargeNode, syncBlock: 8 classes': {
    unit: 'row',
    unitCount: ({ touched }) => 2 * touched.length,
    call: (sample) => {
      sample.comeAndGo();
      return [rowsOf(sample.lane(0).group), sample.count * I16_BYTES * 8];
    },
  },
  'listBest, by the tree': {
    unit: 'call',
    unitCount: () => 1,
    call: (sample) => {
      const { group, number } = sample.lane(0);
      return [sample.out, sample.kernels.listBest(group.pointer, number, sample.out, sample.count) * 4];
    },
  },
};

const placePods: TimedCall<SampleIndex> = {
  unit: 'pod',
  unitCount: ({ podCount }) => podCount,
  call: (sample) => sample.placeAll(),
};

export function classIndexSuite(options: SuiteOptions): KernelTiming[] {
  const ofClasses = (classCount: number, some: Record<string, TimedCall<SampleIndex>>): KernelTiming[] =>
    runTimedSuite('class index', some, (kind, count) => new SampleIndex(kind, count, classCount), options);
  return [
    ...ofClasses(8, calls),
    ...ofClasses(1, { 'placePods, 1 class': placePods }),
    ...ofClasses(MANY_CLASSES, { [`placePods, ${MANY_CLASSES} classes`]: placePods }),
  ];
}
