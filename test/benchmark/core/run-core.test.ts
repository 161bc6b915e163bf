import { describe, expect, it } from 'vitest';
import { checkAgreement } from '../../../src/benchmark/agreement.ts';
import { planCore } from '../../../src/benchmark/core/core-plan.ts';
import { type CoreContext, runCore } from '../../../src/benchmark/core/run-core.ts';
import type { SchedulerOptions, Subject } from '../../../src/benchmark/subject.ts';
import { BENCH_KINDS } from '../../../src/benchmark/suite.ts';
import { benchSubject } from '../../../src/cli/commands/bench-subject.ts';
import { FakeClock } from '../../../src/lib/clock.ts';

/** Takes so long for a node and for a pod. */
function slowSubject(clock: FakeClock, nodeMillis: number, podMillis: number): Subject {
  return {
    setObject: () => {},
    addNode: () => clock.advance(nodeMillis),
    addPod: () => {},
    removePod: () => {},
    schedule: () => {
      clock.advance(podMillis);
      return { status: 'scheduled', node: 'n', score: 1, feasibleNodes: 1, ties: 1 };
    },
    scheduleBatch: (pods) => {
      clock.advance(podMillis * pods.length);
      const at = () => ({ status: 'scheduled', node: 'n', score: 1, feasibleNodes: 1, ties: 1 }) as const;
      return { length: pods.length, scheduledCount: pods.length, nodeName: () => 'n', at };
    },
    sharedMemoryBytes: 0,
  };
}

function context(
  clock: FakeClock,
  createSubject: CoreContext['createSubject'],
  more: Partial<CoreContext> = {},
): CoreContext {
  const memory = { usedBytes: () => 0, heapLimitBytes: 2 ** 32 };
  return { createSubject, clock, memory, warmUpRounds: 0, budgetSeconds: 1000, options: {}, seed: 1, ...more };
}

const BASIC = { kind: 'basic', nodes: [40], workers: 1 } as const;

describe('runCore', () => {
  it('places as many pods as take a second, the slower engine fewer', async () => {
    const clock = new FakeClock();
    const create = ({ engine }: SchedulerOptions) => slowSubject(clock, 0.01, engine === 'reference' ? 20 : 0.25);
    const names: string[] = [];
    const { runs, skipped } = await runCore(
      planCore(BASIC),
      context(clock, create, { onCase: (name) => names.push(name) }),
    );
    expect(skipped).toEqual([]);
    expect(names.at(-1)).toBe('basic, 40 nodes, reference');
    const measured = runs.map(({ result }) => [result.engine, result.index, result.pods, result.secondsOfRuns.length]);
    expect(measured).toEqual([
      ['simd', true, 500, 5],
      ['simd', false, 500, 5],
      ['scalar', true, 500, 5],
      ['scalar', false, 500, 5],
      ['reference', false, 10, 5],
    ]);
    expect(checkAgreement(runs)).toMatchObject([{ isAgreed: true }]);
  });

  it('leaves out what the budget has no room for, and says why', async () => {
    const clock = new FakeClock();
    // A load takes 1 s, so each case is repeated three times at most, weighed, and rehearsed.
    const create = () => slowSubject(clock, 25, 1);
    const { runs, skipped } = await runCore(planCore(BASIC), context(clock, create, { budgetSeconds: 17 }));
    expect(runs.map(({ result }) => result.secondsOfRuns.length)).toEqual([3, 3]);
    expect(skipped.slice(0, 2)).toEqual([
      {
        cluster: 'basic, 40 nodes',
        variant: 'scalar',
        reason: expect.stringMatching(/^would take about 6 s, and \d s of the budget are left$/),
      },
      { cluster: 'basic, 40 nodes', variant: 'scalar index off', reason: expect.stringMatching(/^would take/) },
    ]);
    expect(runs.length + skipped.length).toBe(5);
  });

  it('stops in the middle of a case that turns out too slow', async () => {
    const clock = new FakeClock();
    const create = () => slowSubject(clock, 250, 1);
    const { runs, skipped } = await runCore(planCore(BASIC), context(clock, create, { budgetSeconds: 12 }));
    expect(runs).toEqual([]);
    expect(skipped[0]?.reason).toMatch(/^would take about 11 s, and \d s of the budget are left$/);
    clock.advance(1);
    const late = await runCore(
      planCore(BASIC),
      context(clock, () => slowSubject(clock, 1000, 1), { budgetSeconds: 20 }),
    );
    expect(late.skipped.at(-1)?.reason).toBe('the budget is used up');
  });

  it('leaves out what the heap has no room for', async () => {
    const clock = new FakeClock();
    const memory = { usedBytes: () => 0, heapLimitBytes: 2 ** 30 };
    const { skipped } = await runCore(
      planCore({ kind: 'preemption', nodes: [1_000_000], engine: 'reference' }),
      context(clock, () => slowSubject(clock, 0, 0), { memory }),
    );
    expect(skipped).toEqual([
      {
        cluster: 'preemption, 1000000 nodes',
        variant: 'reference',
        reason: 'needs about 8.4 GiB of heap, of which there are 1.0 (node --max-old-space-size)',
      },
    ]);
  });

  it('measures the kernel alone where a kernel case is given', async () => {
    const kernelCase = () => ({ nodes: 5000, podsPerSecond: 7 });
    const { kernel } = await runCore(
      [],
      context(new FakeClock(), () => slowSubject(new FakeClock(), 0, 0), { kernelCase }),
    );
    expect(kernel).toEqual({ nodes: 5000, podsPerSecond: 7 });
  });

  it.each(BENCH_KINDS)('all variants place %s alike', async (kind) => {
    const options = { pods: 40, repeat: 1 };
    const { runs, skipped } = await runCore(
      planCore({ kind, nodes: [12] }),
      context(new FakeClock(), benchSubject, { ...options, budgetSeconds: 1e9 }),
    );
    expect(skipped).toEqual([]);
    expect(runs.map(({ result }) => result.pods)).toEqual(new Array<number>(9).fill(40));
    expect(runs.every(({ result }) => result.scheduled > 0)).toBe(true);
    const [agreement, ...others] = checkAgreement(runs);
    expect(others).toEqual([]);
    expect(agreement?.text).toMatch(new RegExp(`^${kind}, 12 nodes, 40 pods: simd, .* made the same decisions$`));
  });
});
