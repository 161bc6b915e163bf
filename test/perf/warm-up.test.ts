import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import { readPerfConfig } from '../../src/perf/config/read-perf-config.ts';
import { selectWorkloads } from '../../src/perf/config/workload-selection.ts';
import { prepareWorkload } from '../../src/perf/prepare/prepare-workload.ts';
import { templateLibrary } from '../../src/perf/prepare/template-library.ts';
import { isWarm, warmUp } from '../../src/perf/warm-up.ts';
import { textSource } from '../manifests/text-source.ts';
import { tickingClock, workloadFiles } from './workload-files.ts';

/** Rounds that cost this much, one after the other, until the workload is warm. */
function roundsOf(costs: readonly number[]): number {
  let rounds = 0;
  while (rounds < costs.length && !isWarm(costs.slice(0, rounds))) rounds++;
  return rounds;
}

describe('isWarm', () => {
  it.each([
    ['that never get cheaper', [10, 10, 10, 10], 3],
    ['that get cheaper by a tenth', [100, 90, 81, 73, 66], 3],
    ['that get cheaper by half each time', [80, 40, 20, 10, 10, 10, 10], 6],
    ['of which one was disturbed', [80, 90, 40, 39, 38, 38], 5],
    ['of which some were compiled once more', [80, 40, 39, 90, 60, 38, 37, 36], 7],
  ])('ends with rounds %s', (_, costs, rounds) => {
    expect(roundsOf(costs)).toBe(rounds);
  });

  it('goes on while rounds get cheaper', () => {
    expect(isWarm([])).toBe(false);
    expect(isWarm([1])).toBe(false);
    expect(isWarm([1, 1])).toBe(false);
    expect(isWarm([64, 32, 16, 8, 4, 2])).toBe(false);
  });
});

describe('warmUp', () => {
  /** The costs of rehearsing a small workload of ours, or none of its steps, by this clock of the processor. */
  async function costsBy(
    processor: Clock,
    { hasSteps = false, collectGarbage }: { hasSteps?: boolean; collectGarbage?: () => void } = {},
  ): Promise<readonly number[]> {
    const source = textSource(workloadFiles());
    const config = await readPerfConfig('performance-config.yaml', source);
    const [selected] = selectWorkloads(config, { pattern: /^Basic\/10Nodes$/ });
    const library = templateLibrary(config.folder, source);
    const workload = await prepareWorkload(selected!, { file: config.file, library });
    if ('reason' in workload) throw new Error(workload.reason);
    const warmUpSteps = hasSteps ? workload.warmUpSteps : [];
    return warmUp(
      { ...workload, warmUpSteps, tinySteps: [] },
      { clock: tickingClock(), seed: 1, scheduler: {}, processor, collectGarbage },
    );
  }

  /** A processor on which tiny rounds take no time, and those after them this much, one after the other. */
  function processorOf(fullRounds: readonly number[]): Clock {
    const rounds = [...new Array<number>(10).fill(0), ...fullRounds];
    let [now, looks] = [0, 0];
    // It is looked at once before the first round, then before and after each.
    return {
      nowMillis() {
        if (looks > 0 && looks % 2 === 0) now += rounds[looks / 2 - 1] ?? 0;
        looks++;
        return now;
      },
    };
  }

  it('rehearses until rounds take the same time', async () => {
    const costs = await costsBy(processorOf([900, 400, 200, 190, 180, 170]), { hasSteps: true });
    expect(costs.map((cost) => Math.round((900 * cost) / costs[0]!))).toEqual([900, 400, 200, 190, 180]);
  });

  it('collects garbage once rounds take the same time, and rehearses what that has dropped', async () => {
    let collections = 0;
    const processor = processorOf([900, 400, 400, 400, 800, 500, 390, 380, 390]);
    const collectGarbage = (): void => {
      collections++;
    };
    expect(await costsBy(processor, { collectGarbage })).toHaveLength(9);
    expect(collections).toBe(1);
  });

  it('collects no garbage when no time is left for what that drops', async () => {
    const collectGarbage = (): void => expect.unreachable('garbage was collected');
    expect(await costsBy(processorOf([4000, 1900, 900]), { collectGarbage })).toHaveLength(3);
  });

  it('ends after six seconds, or sixteen rounds', async () => {
    expect(await costsBy(processorOf([4000, 1900, 900, 400]))).toHaveLength(3);
    expect(await costsBy(processorOf(Array.from({ length: 20 }, (_, i) => 1000 * 0.5 ** i)))).toHaveLength(16);
  });
});
