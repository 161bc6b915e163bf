import { describe, expect, it } from 'vitest';
import { checkAgreement } from '../../src/benchmark/agreement.ts';
import { hashDecisions } from '../../src/benchmark/decision-hash.ts';
import { POD_LADDER } from '../../src/benchmark/pod-ladder.ts';
import type { BenchResult } from '../../src/benchmark/result.ts';
import type { CaseRun } from '../../src/benchmark/run-case.ts';
import { benchResult } from '../builders/make-bench-result.ts';

/** A run that placed these pods on these nodes. */
function run(nodeNames: readonly string[], fields: Partial<BenchResult> = {}): CaseRun {
  const { hash, prefixes } = hashDecisions(nodeNames, new Set(POD_LADDER));
  return { result: benchResult({ pods: nodeNames.length, decisionHash: hash, ...fields }), prefixes };
}

const LONG = ['a', 'b', 'c', 'a', 'b', 'c', 'a'];

describe('checkAgreement', () => {
  it('holds shorter runs against the beginning of the longest', () => {
    const runs = [
      run(LONG),
      run(LONG.slice(0, 5), { index: false }),
      run(LONG.slice(0, 2), { engine: 'reference', index: false }),
      run(LONG, { workers: 2 }),
    ];
    expect(checkAgreement(runs)).toEqual([
      {
        text: 'basic, 5 nodes, 2 to 7 pods: simd, simd index off, reference, simd 2 workers made the same decisions',
        isAgreed: true,
      },
    ]);
  });

  it('names each pair that decided differently', () => {
    const other = run(['a', 'b', 'c', 'a', 'a'], { engine: 'scalar' });
    const [disagreement, ...none] = checkAgreement([run(LONG), run(LONG.slice(0, 5), { index: false }), other]);
    const expected = run(LONG.slice(0, 5)).result.decisionHash.slice(0, 12);
    const found = other.result.decisionHash.slice(0, 12);
    expect(none).toEqual([]);
    expect(disagreement).toEqual({
      text: `basic, 5 nodes, the first 5 pods: simd (${expected}) and scalar (${found}) made DIFFERENT decisions`,
      isAgreed: false,
    });
  });

  it('keeps clusters and samplings apart, and says nothing of one variant alone', () => {
    const alone = [run(LONG), run(['x'], { nodes: 6 }), run(['y'], { kind: 'hetero' })];
    expect(checkAgreement([...alone, run(['z'], { percentageOfNodesScored: 50 })])).toEqual([]);
  });
});
