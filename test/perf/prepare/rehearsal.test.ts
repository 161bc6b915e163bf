import { describe, expect, it } from 'vitest';
import { Params } from '../../../src/perf/config/params.ts';
import { stepsOf } from '../../../src/perf/config/steps.ts';
import { rehearsalOf } from '../../../src/perf/prepare/rehearsal.ts';

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

describe('rehearsalOf', () => {
  it('keeps small workloads as they are, but for their time', () => {
    const rehearsal = rehearsalOf(stepsFor(10, 20));
    expect(counts(rehearsal)).toEqual([10, 20, 1, null]);
    expect(rehearsal[1]).toMatchObject({ durationMillis: 200 });
  });

  it('makes large ones smaller in proportion, and never empty', () => {
    expect(counts(rehearsalOf(stepsFor(5000, 20_000)))).toEqual([500, 2000, 1, null]);
    expect(counts(rehearsalOf(stepsFor(0, 20_000)))).toEqual([0, 2000, 1, null]);
  });
});
