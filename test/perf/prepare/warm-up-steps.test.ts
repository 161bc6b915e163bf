import { describe, expect, it } from 'vitest';
import { Params } from '../../../src/perf/config/params.ts';
import { stepsOf } from '../../../src/perf/config/steps.ts';
import { FULL, TINY, warmUpStepsOf } from '../../../src/perf/prepare/warm-up-steps.ts';

const stepsFor = (...counts: number[]) =>
  stepsOf(
    [
      { opcode: 'createNodes', count: counts[0] },
      { opcode: 'createPods', count: counts[1], steadyState: true, durationMillis: 5000 },
      { opcode: 'createAny', templatePath: 'x' },
      { opcode: 'barrier', namespaces: [], labelSelector: {}, stageRequirement: 'Scheduled' },
    ],
    new Params(new Map(), ''),
    '',
  );
const counts = (steps: ReturnType<typeof stepsFor>) => steps.map((step) => ('count' in step ? step.count : null));

describe('warmUpStepsOf', () => {
  it('keeps small workloads as they are, but for their time', () => {
    const warmUpSteps = warmUpStepsOf(stepsFor(10, 20), FULL);
    expect(counts(warmUpSteps)).toEqual([10, 20, 1, null]);
    expect(warmUpSteps[1]).toMatchObject({ durationMillis: 200 });
  });

  it('makes large ones smaller in proportion, and never empty', () => {
    expect(counts(warmUpStepsOf(stepsFor(5000, 20_000), FULL))).toEqual([500, 2000, 1, null]);
    expect(counts(warmUpStepsOf(stepsFor(5000, 20_000), TINY))).toEqual([5, 20, 1, null]);
    expect(counts(warmUpStepsOf(stepsFor(0, 20_000), FULL))).toEqual([0, 2000, 1, null]);
  });

  it('keeps groups of pods whole', () => {
    const groups = new Params(new Map([['size', 30]]), '');
    const steps = stepsOf(
      [
        { opcode: 'createPodGroups', count: 300, namespace: 'n', templatePath: 'x' },
        { opcode: 'createPods', count: 300, countMultiplierParam: '$size' },
      ],
      groups,
      '',
    );
    expect(counts(steps)).toEqual([300, 9000]);
    expect(counts(warmUpStepsOf(steps, FULL))).toEqual([67, 2010]);
    expect(counts(warmUpStepsOf(steps, TINY))).toEqual([1, 30]);
  });
});
