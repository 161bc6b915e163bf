import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSweep, type SweepModules, WorkerDied } from '../../src/sweep/run-sweep.ts';

/** Runs that end when the test says so. */
class Runs {
  readonly started: number[] = [];
  readonly #ends = new Map<number, { resolve: (line: string) => void; reject: (error: Error) => void }>();

  simulate = (index: number): Promise<string> => {
    this.started.push(index);
    return new Promise((resolve, reject) => this.#ends.set(index, { resolve, reject }));
  };

  async end(index: number): Promise<void> {
    this.#ends.get(index)?.resolve(`line ${index}`);
    await turns();
  }

  async fail(index: number, error: Error): Promise<void> {
    this.#ends.get(index)?.reject(error);
    await turns();
  }
}

/** Long enough for what is already decided to come about. */
async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

function modules(runs: Pick<SweepModules, 'simulate'>, windowRuns = 3) {
  const written: string[] = [];
  const controller = new AbortController();
  const append = async (lines: readonly string[]) => {
    written.push(lines.map((line) => `${line}\n`).join(''));
  };
  return { written, controller, modules: { simulate: runs.simulate, append, windowRuns, signal: controller.signal } };
}

describe('runSweep', () => {
  it('writes lines in order, whichever run ends first, and goes only so far ahead', async () => {
    const runs = new Runs();
    const { written, modules: given } = modules(runs);
    const counts: number[] = [];
    const outcome = runSweep(0, 5, { ...given, onWritten: (count) => counts.push(count) });
    await runs.end(2);
    await runs.end(1);
    expect(written).toEqual([]);
    expect(runs.started).toEqual([0, 1, 2]);
    await runs.end(0);
    expect(written).toEqual(['line 0\nline 1\nline 2\n']);
    expect(runs.started).toEqual([0, 1, 2, 3, 4]);
    await runs.end(3);
    await runs.end(4);
    expect(await outcome).toEqual({ written: 5, repeated: 0, isInterrupted: false });
    expect(written.join('')).toBe('line 0\nline 1\nline 2\nline 3\nline 4\n');
    expect(counts).toEqual([3, 4, 5]);
  });

  it('goes on behind what is there', async () => {
    const { written, modules: given } = modules({ simulate: async (index) => `line ${index}` });
    expect(await runSweep(3, 5, given)).toMatchObject({ written: 5 });
    expect(written.join('')).toBe('line 3\nline 4\n');
    expect(await runSweep(5, 5, given)).toMatchObject({ written: 5, isInterrupted: false });
  });

  it('repeats a run whose worker died, up to three times', async () => {
    const attempts = new Map<number, number>();
    const dying = (deaths: number) => async (index: number) => {
      const attempt = (attempts.get(index) ?? 0) + 1;
      attempts.set(index, attempt);
      if (index === 1 && attempt <= deaths) throw new WorkerDied('killed');
      return `line ${index}`;
    };
    const twice = modules({ simulate: dying(2) });
    expect(await runSweep(0, 3, twice.modules)).toEqual({ written: 3, repeated: 2, isInterrupted: false });
    expect(twice.written.join('')).toBe('line 0\nline 1\nline 2\n');
    attempts.clear();
    const always = modules({ simulate: dying(3) });
    await expect(runSweep(0, 3, always.modules)).rejects.toThrow('run 2: its worker died 3 times: killed');
    expect(always.written.join('')).toBe('line 0\n');
  });

  it('ends with the error of a run, after writing what is in order', async () => {
    const runs = new Runs();
    const { written, modules: given } = modules(runs);
    const outcome = runSweep(0, 5, given);
    outcome.catch(() => {});
    await runs.end(0);
    await runs.fail(2, new Error('no memory'));
    await expect(outcome).rejects.toThrow('no memory');
    expect(written.join('')).toBe('line 0\n');
  });

  it('ends with the error of writing', async () => {
    const { modules: given } = modules({ simulate: async (index) => `line ${index}` });
    const full = async () => {
      throw new Error('disk full');
    };
    await expect(runSweep(0, 5, { ...given, append: full })).rejects.toThrow('disk full');
  });

  it('stops when it is interrupted, and starts nothing more', async () => {
    const runs = new Runs();
    const { written, controller, modules: given } = modules(runs);
    const outcome = runSweep(0, 9, given);
    await runs.end(0);
    controller.abort();
    expect(await outcome).toEqual({ written: 1, repeated: 0, isInterrupted: true });
    await runs.fail(1, new WorkerDied('ended'));
    expect(runs.started).toEqual([0, 1, 2, 3]);
    expect(written.join('')).toBe('line 0\n');
  });

  it('writes the same whatever the order in which runs end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 6 }), async (scheduler, windowRuns) => {
        const simulate = (index: number) => scheduler.schedule(Promise.resolve(`line ${index}`));
        const { written, modules: given } = modules({ simulate }, windowRuns);
        const outcome = runSweep(0, 9, given);
        await scheduler.waitFor(outcome);
        expect(written.join('')).toBe(Array.from({ length: 9 }, (_, i) => `line ${i}\n`).join(''));
      }),
    );
  });
});
