import { RealClock } from '../../lib/clock.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import { whole } from '../../lib/shown-count.ts';
import type { Simulation } from '../../simulation/simulation.ts';
import { durationText } from '../output/simulation-table.ts';
import { compileSoon } from '../terminal/compile-soon.ts';
import { type ShowProgress, withProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { short } from '../text/numbers.ts';

export interface SimulationRun {
  readonly terminal: Terminal;
  /** The title of the simulation; empty if there is only one. */
  readonly title: string;
  /** Whether the rest of the simulation can show nothing new. */
  readonly isEnough: () => boolean;
}

/** The number of tasks between two readings of the clock, which take a fraction of a millisecond. */
const TASKS_PER_LOOK = 64;
/** The time between two turns of the event loop, which a person does not notice. */
const TURN_MILLIS = 50;
const PROGRESS_STEPS = 1000;

/** Runs a simulation to its end. Ctrl-C ends it early, and its result so far is reported. */
export async function runSimulation(simulation: Simulation, { terminal, title, isEnough }: SimulationRun) {
  compileSoon();
  const clock = new RealClock();
  const start = clock.nowMillis();
  let isInterrupted = false;
  const release = terminal.onInterrupt(() => {
    isInterrupted = true;
  });
  await withProgress(terminal, PROGRESS_STEPS, 'simulating', async (showProgress) => {
    simulation.start();
    while (simulation.end === undefined) {
      const turnStart = clock.nowMillis();
      while (simulation.end === undefined && !isEnough() && clock.nowMillis() - turnStart < TURN_MILLIS) {
        simulation.run(TASKS_PER_LOOK);
      }
      if (isInterrupted || isEnough()) simulation.interrupt();
      show(showProgress, simulation, clock.nowMillis() - start);
      await new Promise<void>((resolve) => nextTurn(resolve));
    }
  }).finally(release);
  const seconds = (clock.nowMillis() - start) / 1000;
  const simulatedSeconds = simulation.simulatedMillis / 1000;
  const speed = seconds > 0 ? simulatedSeconds / seconds : 0;
  const perSecond = short(seconds > 0 ? simulation.taskCount / seconds : 0);
  const what = title === '' ? '' : `${title}: `;
  terminal.log(
    `${what}simulated ${durationText(simulatedSeconds)} in ${seconds.toFixed(2)} s ` +
      `(${short(speed)} times as fast as real time, ${perSecond} events/s)`,
  );
}

function show(showProgress: ShowProgress, simulation: Simulation, realMillis: number): void {
  const { done, elapsedMillis, taskCount } = simulation;
  const leftSeconds = done > 0 ? (realMillis / 1000) * (1 / done - 1) : Number.NaN;
  const eta = Number.isFinite(leftSeconds) ? `, ETA ${Math.ceil(leftSeconds)} s` : '';
  const rate = short(realMillis > 0 ? taskCount / (realMillis / 1000) : 0);
  const pods = whole(simulation.statistics.pods.totals.created);
  const time = durationText(Math.floor(elapsedMillis / 1000));
  showProgress(done * PROGRESS_STEPS, `${time} simulated, ${pods} pods, ${rate} events/s${eta}`);
}
