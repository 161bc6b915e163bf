import { expect, test } from 'vitest';
import { FakeClock } from '../../src/lib/clock.ts';
import { Soak, type SoakFigures } from './run-soak.ts';

test.each([1, 2, 3])('a short life of ever new shapes and bad input, seed %i', (seed) => {
  const figures: SoakFigures[] = [];
  const soak = new Soak({
    ...{ seed, nodes: 20, interval: 300, clock: new FakeClock(), cpuMillis: () => 0 },
    goesOn: (calls) => calls < 900,
    report: (each) => figures.push(each),
  });
  const life = soak.life();
  let step = life.next();
  while (!step.done) step = life.next();
  expect(step.value).toBeNull();
  expect(figures.map(({ calls }) => calls)).toEqual([300, 600, 900]);
  expect(figures.at(-1)?.refusals).toBeGreaterThan(0);
  for (const [method, { count }] of soak.times) expect(`${method} ${count > 0}`).toBe(`${method} true`);
});
