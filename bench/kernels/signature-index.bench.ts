import { SELECT_RESULT_BYTES } from '../../src/kernels/abi.ts';
import { type KernelTiming, perSlotOf, runTimedSuite, type SuiteOptions, type TimedCall } from './kernel-suite.ts';
import { rowsOf, SampleIndex } from './sample-index.ts';

/** A large cluster has about this number of deployments of different sizes. */
const MANY_SIGNATURES = 50;

const I16_BYTES = 2;

/** The totals of one signature on every node, and the best of them: a decision without an index. */
function scan(sample: SampleIndex): readonly [number, number] {
  const { kernels, env, out, count } = sample;
  const { block, number } = sample.totalsColumn(0);
  kernels.scanTotals(env.pointer, block.pointer, number, out, I16_BYTES, 0, count);
  return [out, count * I16_BYTES];
}

const calls: Record<string, TimedCall<SampleIndex>> = {
  scanTotals: perSlotOf(scan),
  'scanTotals, countTotals, selectBestTotal': perSlotOf((sample) => {
    const { kernels, out, order, selected, count } = sample;
    const { block, number } = sample.totalsColumn(0);
    scan(sample);
    kernels.countTotals(block.pointer, number, out, I16_BYTES, 0, count);
    kernels.selectBestTotal(out, order, 1, selected, 0, count);
    return [selected, SELECT_RESULT_BYTES];
  }),
  'buildTree, 8 signatures': perSlotOf((sample) => {
    const { block } = sample.totalsColumn(0);
    sample.kernels.buildTree(block.pointer, 1, sample.rowCount);
    return [rowsOf(block), sample.count * I16_BYTES * 8];
  }),
  'chargeNode, syncBlock: 8 signatures': {
    unit: 'row',
    unitCount: ({ touched }) => 2 * touched.length,
    call: (sample) => {
      sample.comeAndGo();
      return [rowsOf(sample.totalsColumn(0).block), sample.count * I16_BYTES * 8];
    },
  },
  'listBest, by the tree': {
    unit: 'call',
    unitCount: () => 1,
    call: (sample) => {
      const { block, number } = sample.totalsColumn(0);
      return [sample.out, sample.kernels.listBest(block.pointer, number, sample.out, sample.count) * 4];
    },
  },
};

const placePods: TimedCall<SampleIndex> = {
  unit: 'pod',
  unitCount: ({ podCount }) => podCount,
  call: (sample) => sample.placeAll(),
};

export function signatureIndexSuite(options: SuiteOptions): KernelTiming[] {
  const ofSignatures = (signatureCount: number, some: Record<string, TimedCall<SampleIndex>>): KernelTiming[] =>
    runTimedSuite('signature index', some, (kind, count) => new SampleIndex(kind, count, signatureCount), options);
  return [
    ...ofSignatures(8, calls),
    ...ofSignatures(1, { 'placePods, 1 signature': placePods }),
    ...ofSignatures(MANY_SIGNATURES, { [`placePods, ${MANY_SIGNATURES} signatures`]: placePods }),
  ];
}
