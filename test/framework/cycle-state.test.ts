import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CycleState, stateKey } from '../../src/framework/cycle-state.ts';

const KEYS = ['a', 'b', 'c'].map((name) => stateKey<number>(name));
const NAMES = ['A', 'B', 'C'];

const step = fc.record({
  kind: fc.constantFrom('write', 'skip', 'unskip', 'clone'),
  state: fc.nat(3),
  place: fc.nat(2),
});

test('copies hold what was written and skipped before, and what is changed later is in one of them alone', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const states = [new CycleState()];
      const expected = [{ values: new Map<number, number>(), skipped: new Set<string>() }];
      for (const [i, { kind, state, place }] of steps.entries()) {
        const which = state % states.length;
        const [cycle, known] = [states[which], expected[which]];
        const [key, name] = [KEYS[place], NAMES[place]];
        if (cycle === undefined || known === undefined || key === undefined || name === undefined) continue;
        if (kind === 'write') {
          cycle.write(key, i);
          known.values.set(place, i);
        } else if (kind === 'skip') {
          cycle.skipFilter.add(name);
          known.skipped.add(name);
        } else if (kind === 'unskip') {
          cycle.skipFilter.delete(name);
          known.skipped.delete(name);
        } else {
          states.push(cycle.clone());
          expected.push({ values: new Map(known.values), skipped: new Set(known.skipped) });
        }
      }
      for (const [i, cycle] of states.entries()) {
        expect(KEYS.map((key) => cycle.read(key))).toEqual(KEYS.map((_, place) => expected[i]?.values.get(place)));
        expect(NAMES.filter((name) => cycle.skipFilter.has(name))).toEqual(
          NAMES.filter((name) => expected[i]?.skipped.has(name)),
        );
        expect(NAMES.filter((name) => cycle.skipScore.has(name))).toEqual([]);
      }
    }),
  );
});

test('a value that can be cloned is, and others are shared', () => {
  const [shared, cloned] = [stateKey<object>('shared'), stateKey<{ readonly of: number; clone(): object }>('cloned')];
  const state = new CycleState();
  const value = {};
  state.write(shared, value);
  state.write(cloned, { of: 0, clone: () => ({ of: 1 }) });
  const copy = state.clone();
  expect(copy.read(shared)).toBe(value);
  expect([state.read(cloned)?.of, copy.read(cloned)?.of]).toEqual([0, 1]);
});
