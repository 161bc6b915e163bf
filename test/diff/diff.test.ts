import { describe, expect, test } from 'vitest';
import type { RunnerFactory } from '../../src/engine/columns/column-engine-options.ts';
import { checkScript } from '../parity/script/check-script.ts';
import { PartsRunner } from '../pool/parts-runner.ts';
import { findGangDifference } from './find-gang-difference.ts';
import { findFailure, runSeed, shrunk } from './run-seed.ts';
import { drawGangScript } from './script/draw-gang-script.ts';
import { drawScript } from './script/draw-script.ts';
import { REFERENCE, type Way } from './ways.ts';

const SEEDS_AT_ONCE = 4;

describe('a random script', () => {
  test.each([201, 211, 221])(
    'is played alike in all ways, and depends on the present only: 4 seeds from %i',
    (first) => {
      for (let seed = first; seed < first + SEEDS_AT_ONCE; seed++) {
        expect(runSeed(seed).failure?.found, `seed ${seed}`).toBeUndefined();
      }
    },
  );

  test('of groups of pods comes to the same on every engine, and splits no gang', () => {
    for (const seed of [1, 2]) {
      expect(findGangDifference(drawGangScript(seed)), `seed ${seed}`).toBeUndefined();
    }
  });

  test('is the same whenever the seed is', () => {
    expect(drawScript(7)).toEqual(drawScript(7));
    expect(drawScript(7)).not.toEqual({ ...drawScript(8), name: 'diff-7', seed: 7 });
  });
});

describe('a way that is wrong', () => {
  /** Overlooks the node in the last slot. */
  const shortSighted: RunnerFactory = (modules) => {
    const runner = new PartsRunner(modules, 1);
    const run = runner.run.bind(runner);
    return Object.assign(runner, { run: ((program, slots) => run(program, slots - 1)) as typeof run });
  };
  const way: Way = { name: 'short-sighted', engine: 'simd', index: false, batches: false, createRunner: shortSighted };

  test('is found, and shown by a script that no event can be taken from', () => {
    const failure = findFailure(drawScript(3), { tieBreak: 'upstream', isAsked: false }, [way]);
    expect(failure?.found.way).toBe('short-sighted');
    if (failure === undefined) return;
    const { script, found } = shrunk(failure);
    expect(found.differences.length).toBeGreaterThan(0);
    expect(script.events.map(({ t }) => t).sort()).toEqual(['node', 'schedule']);
    // The script is one that the real scheduler's answers could stand in.
    const parsed = JSON.parse(JSON.stringify(script)) as typeof script;
    expect(checkScript(parsed, REFERENCE.engine)).toEqual([]);
  });
});
