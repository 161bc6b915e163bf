import { afterEach, describe, expect, it } from 'vitest';
import { runSweep, WorkerDied } from '../../src/sweep/run-sweep.ts';
import { SeedList } from '../../src/sweep/seed-list.ts';
import { SimulationPool } from '../../src/sweep/simulation-pool.ts';
import { type SimulationSpec, Simulator } from '../../src/sweep/simulator.ts';
import { runAt, type SweepParameters } from '../../src/sweep/sweep-plan.ts';

const PARAMETERS: SweepParameters = {
  ...{ kind: 'hetero', nodes: 60, pods: 150, tieBreak: 'random', percentageOfNodesToScore: null },
  seeds: SeedList.parse('1..12'),
  configs: [],
};
const SPEC: SimulationSpec = {
  ...{ kind: 'hetero', nodes: 60, pods: 150, engine: 'simd', index: true },
  ...{ tieBreak: 'random', percentageOfNodesToScore: null, configurations: [] },
};

const pools: SimulationPool[] = [];
function poolOf(spec: SimulationSpec, workers: number): SimulationPool {
  const pool = new SimulationPool(spec, workers);
  pools.push(pool);
  return pool;
}

afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.end())));

/** The whole sweep over the pool, as one text. */
async function sweep(pool: SimulationPool, onRun: (index: number) => void = () => {}) {
  const lines: string[] = [];
  const outcome = await runSweep(0, PARAMETERS.seeds.count, {
    simulate: async (index) => {
      const result = pool.run(runAt(PARAMETERS, index));
      onRun(index);
      return JSON.stringify(await result);
    },
    append: async (text) => {
      lines.push(text);
    },
    windowRuns: 8,
    signal: new AbortController().signal,
  });
  return { ...outcome, text: lines.join('') };
}

function expectedText(): string {
  const simulator = new Simulator(SPEC);
  return Array.from({ length: 12 }, (_, i) => `${JSON.stringify(simulator.run(runAt(PARAMETERS, i)))}\n`).join('');
}

describe('SimulationPool', () => {
  it('comes to the results of one thread', async () => {
    expect(await sweep(poolOf(SPEC, 2))).toEqual({
      ...{ written: 12, repeated: 0, isInterrupted: false },
      text: expectedText(),
    });
  });

  it('repeats the run of a worker that is killed, and nothing else changes', async () => {
    const pool = poolOf(SPEC, 2);
    let killed = 0;
    const { text, repeated } = await sweep(pool, (index) => {
      if (index !== 9 || killed > 0) return;
      killed = pool.threads.length;
      for (const thread of pool.threads) void thread.terminate();
    });
    expect(killed).toBe(2);
    expect(repeated).toBeGreaterThan(0);
    expect(text).toBe(expectedText());
  });

  it('distinguishes a run that fails from a worker that dies', async () => {
    const failing = poolOf({ ...SPEC, kind: 'nothing' as 'basic' }, 1);
    const failed = failing.run(runAt(PARAMETERS, 2));
    await expect(failed).rejects.toMatchObject({ code: 'SimulationFailed' });
    await expect(failed).rejects.toThrow(/^run 3 \(seed 3\): /);
    const pool = poolOf(SPEC, 1);
    const run = pool.run(runAt(PARAMETERS, 0));
    run.catch(() => {});
    await pool.threads[0]?.terminate();
    await expect(run).rejects.toBeInstanceOf(WorkerDied);
  });

  it('does not wait for ever when no worker can be started', async () => {
    const broken = { ...SPEC, configurations: ['no configuration'] };
    await expect(sweep(poolOf(broken, 1))).rejects.toThrow(/^no worker can be started: \w/);
  });
});
