import { type EngineName, Scheduler } from '../../src/index.ts';
import { type Difference, differences } from './differences.ts';
import { addObjects, configurationOf, type RecordedCase } from './read-cases.ts';

/** A whole run of the real scheduler with one worker: every pod must go where it went. */
export function checkLive(recorded: RecordedCase, engine: EngineName): Difference[] {
  const { objects, pods = [], placements = [] } = recorded;
  using scheduler = new Scheduler({ engine, tieBreak: 'upstream', ...configurationOf(recorded) });
  addObjects(scheduler, objects);
  for (const [i, pod] of pods.entries()) {
    const result = scheduler.schedule(pod);
    const node = result.status === 'scheduled' ? result.node : JSON.stringify(result);
    if (node !== placements[i]) return [{ field: `placements[${i}]`, expected: placements[i], got: node }];
  }
  return differences('placements.length', placements.length, pods.length);
}
