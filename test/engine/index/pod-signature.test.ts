import { describe, expect, test } from 'vitest';
import { releaseSignature, runPreScore } from '../../../src/engine/index/pod-signature.ts';
import type { ResourceEntries } from '../../../src/engine/index/resource-entries.ts';
import type { AllocationForm, ResourceFilterForm, ResourceSpec } from '../../../src/framework/column-forms.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import type { PreScorePlugin, ScorePlugin } from '../../../src/framework/plugin.ts';
import { errorStatus, skip } from '../../../src/framework/status.ts';
import { InterPodAffinity } from '../../../src/plugins/inter-pod-affinity/plugin.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeCluster, makePodInfo } from '../../builders/make-cluster.ts';
import { makePod } from '../../builders/make-pod.ts';

const GPU = 'example.com/gpu';
const pod = makePodInfo(makePod('p', { requests: { cpu: 1, [GPU]: 2 } }));
const named = (...names: string[]): ResourceSpec[] => names.map((name, i) => ({ name, weight: i + 1 }));
const scoring = (...names: string[]): AllocationForm => {
  return { kind: 'allocation', strategy: 'LeastAllocated', resources: named(...names), scoreOfPercent: [] };
};
const filtering: ResourceFilterForm = {
  filteredResources: () => ['cpu', GPU],
  rejection: () => errorStatus('Unused', 'nobody asks'),
};
const amounts = ({ entries }: ResourceEntries) => entries.map(({ podRequest, weight }) => [podRequest, weight]);

describe('the entries of a signature', () => {
  test('for the filter are the number of pods, and what the plugin compares', () => {
    const { entries, columns } = new EngineColumns();
    expect(entries.filterResources(pod, filtering)).toEqual(['pods', 'cpu', GPU]);
    const filtered = entries.filter(pod, entries.filterResources(pod, filtering));
    expect(amounts(filtered).map(([request]) => request)).toEqual([1, 1000, 2]);
    expect(filtered.entries.map(({ requested }) => requested)).toEqual(
      ['pods', 'cpu', GPU].map((name) => columns.resource(name).requested),
    );
  });

  test('are none where no plugin brings such work', () => {
    const { entries } = new EngineColumns();
    expect(entries.filterResources(pod, undefined)).toEqual([]);
    const all = [entries.filter(pod, []), entries.fitScore(pod, undefined), entries.balanced(pod, undefined)];
    expect(all.map(({ count }) => count)).toEqual([0, 0, 0]);
  });

  test('for scores by what is allocated take cpu and memory as never 0', () => {
    const { entries, columns } = new EngineColumns();
    const scored = entries.fitScore(pod, scoring('cpu', 'memory', GPU));
    expect(amounts(scored)).toEqual([
      [1000, 1],
      [200 * 2 ** 20, 2],
      [2, 3],
    ]);
    const { nonZeroMilliCPU, nonZeroMemoryBytes } = columns.fixed;
    expect(scored.entries.map(({ requested }) => requested)).toEqual([
      nonZeroMilliCPU,
      nonZeroMemoryBytes,
      columns.resource(GPU).requested,
    ]);
  });

  test('for balance are what the pod asks for', () => {
    const { entries, columns } = new EngineColumns();
    const balanced = entries.balanced(pod, { kind: 'balance', resources: named('cpu', 'memory') });
    expect(amounts(balanced)).toEqual([
      [1000, 1],
      [0, 2],
    ]);
    expect(balanced.entries[0]?.requested).toBe(columns.resource('cpu').requested);
  });

  test('leave out extended resources that the pod does not ask for, and pods as a resource', () => {
    const { entries } = new EngineColumns();
    const names = ['pods', 'example.com/other', 'ephemeral-storage', GPU];
    expect(amounts(entries.fitScore(pod, scoring(...names)))).toEqual([
      [0, 3],
      [2, 4],
    ]);
  });
});

describe('PreScore, once for a signature', () => {
  const score = (name: string): ScorePlugin => ({ name, scoreReads: 'node', score: () => 0 });
  const run = (...plugins: readonly (ScorePlugin & Partial<PreScorePlugin>)[]) => {
    const { framework } = new EngineColumns({ plugins });
    const { failure, scores } = runPreScore(framework, new CycleState(), pod, []);
    return { failure, names: scores.map(({ plugin }) => plugin.name) };
  };

  test('says who scores the pod', () => {
    const skipped = { ...score('Skipped'), dependsOn: () => null, preScore: () => skip('Skipped') };
    expect(run(score('A'), skipped, score('B'))).toEqual({ failure: null, names: ['A', 'B'] });
  });

  test('is not run by a plugin for which a plan speaks, which scores all the same', () => {
    const affinity = new InterPodAffinity(makeCluster([]));
    const asked: unknown[] = [];
    affinity.preScore = (...args) => {
      asked.push(args);
      return skip(affinity.name);
    };
    expect(run(score('A'), affinity)).toEqual({ failure: null, names: ['A', affinity.name] });
    expect(asked).toEqual([]);
  });

  test('when it fails nobody scores', () => {
    const failing = { ...score('Bad'), dependsOn: () => null, preScore: () => errorStatus('Bad', 'no') };
    expect(run(score('A'), failing)).toEqual({
      failure: errorStatus('Bad', 'running PreScore plugin "Bad": no'),
      names: [],
    });
  });
});

test('a released signature gives its entries back and says so; its verdicts stay', () => {
  const world = new EngineColumns();
  world.signatureOf(makePod('p'));
  const signature = world.signatureOf(makePod('p'));
  const before = world.memory.allocatedBytes;
  expect(signature.isReleased).toBe(false);
  releaseSignature(signature);
  expect(signature.isReleased).toBe(true);
  const { filterEntries, fitScoreEntries, balancedEntries } = signature;
  // Each allocation takes whole lines of 64 bytes.
  const bytes = [filterEntries, fitScoreEntries, balancedEntries].map(({ count }) => Math.ceil((count * 24) / 64) * 64);
  expect(before - world.memory.allocatedBytes).toBe(bytes.reduce((sum, each) => sum + each));
  signature.verdicts.sync();
});
