import { describe, expect, it } from 'vitest';
import { runs } from '../builders/runs.ts';
import { checkRest, checkRooms } from './faults/check-world.ts';
import { FaultWorld } from './faults/fault-world.ts';

const SEEDS = runs(100);
const FIRST_SEED = Number(process.env['BERTH_FIRST_SEED'] ?? 1);

describe('a scheduler whose world falls apart', () => {
  it(`loses nothing, and ends right when there is peace: seeds ${FIRST_SEED} to ${FIRST_SEED + SEEDS - 1}`, () => {
    const deletedFrom = new Set<string>();
    let refusals = 0;
    let asked = 0;
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      try {
        const world = new FaultWorld(seed);
        world.run(() => checkRooms(world));
        checkRest(world);
        for (const place of world.deletedFrom) deletedFrom.add(place);
        refusals += world.api.refusals;
        asked += world.extender.asked;
      } catch (error) {
        throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
      }
    }
    // The faults must have happened: otherwise the test would show nothing.
    const everywhere = ['active', 'assumed', 'backoff', 'bound', 'errorBackoff', 'gated', 'unschedulable', 'waiting'];
    expect([...deletedFrom].sort()).toEqual(expect.arrayContaining(everywhere));
    expect(refusals).toBeGreaterThan(SEEDS);
    expect(asked).toBeGreaterThan(SEEDS);
  }, 120_000);
});
