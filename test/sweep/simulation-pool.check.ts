import { afterEach, describe, expect, it } from 'vitest';
import { runSweep, WorkerDied } from '../../src/sweep/run-sweep.ts';
import { SimulationPool } from '../../src/sweep/simulation-pool.ts';
import type { SimulationSpec } from '../../src/sweep/simulation-worker.ts';
import { filesIn, Simulator } from '../../src/sweep/simulator.ts';
import { type SweepPlan, SweepRuns } from '../../src/sweep/sweep-plan.ts';
import { EXECUTOR, PLAN } from './a-plan.ts';

const RUNS = new SweepRuns(PLAN);
const SPEC: SimulationSpec = { plan: PLAN, executor: EXECUTOR, files: new Map() };
const specOf = (plan: Partial<SweepPlan>): SimulationSpec => ({ ...SPEC, plan: { ...PLAN, ...plan } });

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
  const outcome = await runSweep(0, RUNS.count, {
    simulate: async (index) => {
      const answer = pool.run(RUNS.at(index));
      onRun(index);
      return JSON.stringify((await answer).result);
    },
    append: async (written) => {
      lines.push(...written);
    },
    windowRuns: 8,
    signal: new AbortController().signal,
  });
  return { ...outcome, text: lines.join('\n') };
}

async function expectedText(): Promise<string> {
  const simulator = new Simulator(PLAN, filesIn(new Map()), EXECUTOR);
  const lines: string[] = [];
  for (let index = 0; index < RUNS.count; index++) lines.push(JSON.stringify(await simulator.run(RUNS.at(index))));
  return lines.join('\n');
}

describe('SimulationPool', () => {
  it('comes to the results of one thread', async () => {
    expect(await sweep(poolOf(SPEC, 2))).toEqual({
      ...{ written: 12, repeated: 0, isInterrupted: false },
      text: await expectedText(),
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
    expect(text).toBe(await expectedText());
  });

  it('distinguishes a run that fails from a worker that dies', async () => {
    const failing = poolOf(specOf({ parameters: { kind: ['nothing'] } }), 1);
    const failed = failing.run({ ...RUNS.at(2), settings: { kind: 'nothing' } });
    await expect(failed).rejects.toMatchObject({ code: 'SimulationFailed' });
    await expect(failed).rejects.toThrow(/^run 3 \(seed 3\): /);
    const pool = poolOf(SPEC, 1);
    const run = pool.run(RUNS.at(0));
    run.catch(() => {});
    await pool.threads[0]?.terminate();
    await expect(run).rejects.toBeInstanceOf(WorkerDied);
  });

  it('does not wait for ever when no worker can be started', async () => {
    const broken = { ...SPEC, plan: null as unknown as SweepPlan };
    await expect(sweep(poolOf(broken, 1))).rejects.toThrow(/^no worker can be started: \w/);
  });
});
