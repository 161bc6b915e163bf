import type { Logger } from '../../lib/logger.ts';
import type { SimulationRequest } from '../../simulation/load-simulation.ts';
import { Simulation, type SimulationInput } from '../../simulation/simulation.ts';
import type { SimulationSummary } from '../../simulation/summary.ts';
import type { SeedList } from '../../sweep/seed-list.ts';
import type { VariantRuns } from '../output/simulations-comparison.ts';
import { withProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { runSimulation } from './simulate-one.ts';

export interface ManyRuns {
  readonly request: SimulationRequest;
  /** Configurations and plans of faults; each of the ones is run with each of the others. Undefined: none. */
  readonly configs: readonly (string | undefined)[];
  readonly faults: readonly (string | undefined)[];
  readonly seeds: SeedList;
  readonly load: (request: SimulationRequest) => Promise<SimulationInput>;
}

interface ManyResults {
  readonly runs: readonly VariantRuns[];
  /** Whether some runs are missing. */
  readonly isInterrupted: boolean;
}

/** Runs every variant with every seed, seed by seed, so that Ctrl-C leaves as many runs of each. */
export async function simulateMany(plan: ManyRuns, terminal: Terminal, logger: Logger): Promise<ManyResults> {
  const variants = plan.configs.flatMap((config) => plan.faults.map((faults) => ({ config, faults })));
  const runs = variants.map(({ config, faults }) => ({
    title: [...(plan.configs.length > 1 ? [config] : []), ...(plan.faults.length > 1 ? [faults] : [])].join(' ') || '-',
    summaries: [] as SimulationSummary[],
  }));
  let isInterrupted = false;
  const silent = { ...terminal, log: () => {}, drawsProgress: false };
  const total = plan.seeds.count * variants.length;
  await withProgress(terminal, total, 'simulating', async (show) => {
    for (let i = 0; i < plan.seeds.count; i++) {
      for (const [k, variant] of variants.entries()) {
        const input = await plan.load({ ...plan.request, ...variant, seed: plan.seeds.at(i) });
        const simulation = new Simulation(input, undefined, logger);
        await runSimulation(simulation, { terminal: silent, title: '', isEnough: () => false });
        isInterrupted = simulation.end === 'interrupted';
        if (isInterrupted) return;
        runs[k]?.summaries.push(simulation.summary());
        show(i * variants.length + k + 1, `seed ${plan.seeds.at(i)}`);
      }
    }
  });
  const count = runs.reduce((sum, { summaries }) => sum + summaries.length, 0);
  terminal.log(`${count} of ${total} simulations: ${variants.length} variants, ${plan.seeds.count} seeds`);
  return { runs, isInterrupted };
}
