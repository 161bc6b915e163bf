import type { EngineName } from '../../../src/engine/cycle/engine.ts';
import { type Difference, differences } from '../differences.ts';
import type { LogEntry, QueueCase } from './queue-case.ts';
import { QueueRig } from './queue-rig.ts';

/** Replays the steps, and stops at the first that comes out differently. */
export function checkQueue(recorded: QueueCase, engine: EngineName): Difference[] {
  const rig = new QueueRig(recorded, engine);
  const shown = (log: readonly LogEntry[]): readonly LogEntry[] => (engine === 'reference' ? log : withoutScores(log));
  for (const [i, step] of recorded.steps.entries()) {
    const { expect } = step;
    const got = rig.run(step);
    const field = `steps[${i}] ${step.op}`;
    const found = [
      ...differences(`${field}.t`, expect.t, got.t),
      ...differences(`${field}.log`, shown(expect.log), shown(got.log)),
      ...differences(`${field}.state`, expect.state, got.state),
    ];
    if (found.length > 0) return found;
  }
  return [];
}

/** Engines that place a pod by its signature look at no other node. */
function withoutScores(log: readonly LogEntry[]): readonly LogEntry[] {
  return log.filter(({ k }) => k !== 'scored');
}

/** Selects engines for a case: only the reference engine calls plugins one by one. */
export function enginesFor({ config }: QueueCase, engines: readonly EngineName[]): readonly EngineName[] {
  return config?.extensionPoints ? engines.filter((engine) => engine === 'reference') : engines;
}
