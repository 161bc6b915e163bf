import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SchedulerOptions } from '../../src/index.ts';
import { differences } from '../parity/differences.ts';
import { arbitraryLargeScript, arbitraryScript, type Script } from './arbitrary-script.ts';
import { ClusterLife, probesOf } from './event-script.ts';
import { RebuiltCluster, withoutOrder } from './rebuilt-cluster.ts';

/** BERTH_RUNS=5000 (with a FAST_CHECK_SEED) for a long hunt; the default keeps the suite quick. */
const numRuns = Number(process.env['BERTH_RUNS'] ?? 100);

describe('all engines, over random lives of a cluster, answer alike after every step', () => {
  test.each(['first', 'random', 'upstream'] as const)('ties: %s', (tieBreak) => {
    fc.assert(
      fc.property(arbitraryScript, fc.nat(1000), (script, seed) => expectAlike(script, { tieBreak, seed })),
      { numRuns },
    );
  });

  test('when a search sees a part of the nodes', () => {
    const options = fc.record({
      tieBreak: fc.constantFrom('first', 'random', 'upstream'),
      percentageOfNodesToScore: fc.constantFrom(0, 5, 50),
    });
    fc.assert(fc.property(arbitraryLargeScript, options, expectAlike), { numRuns: Math.ceil(numRuns / 4) });
  });

  function expectAlike(script: Script, options: SchedulerOptions): void {
    const reference = new ClusterLife({ ...options, engine: 'reference' }, script);
    const others = (['scalar', 'simd'] as const).map((engine) => new ClusterLife({ ...options, engine }, script));
    const probes = probesOf(script);
    script.events.forEach((event, step) => {
      const expected = [reference.play(event), ...probes.map((probe) => reference.scheduler.explain(probe))];
      for (const life of others) {
        const got = [life.play(event), ...probes.map((probe) => life.scheduler.explain(probe))];
        expectSame(`${life.scheduler.engine}, step ${step}, ${event.do}`, expected, got);
      }
    });
  }
});

describe('every engine, over random lives of a cluster', () => {
  test('says after every step what a scheduler says that is told the present state', () => {
    fc.assert(
      fc.property(arbitraryScript, (script) => {
        const lives = (['reference', 'scalar', 'simd'] as const).map((engine) => new ClusterLife({ engine }, script));
        const rebuilt = new RebuiltCluster(script);
        const probes = probesOf(script);
        script.events.forEach((event, step) => {
          rebuilt.play(event, lives);
          const fresh = rebuilt.build('reference');
          const expected = probes.map((probe) => withoutOrder(fresh.explain(probe)));
          for (const { scheduler } of lives) {
            const got = probes.map((probe) => withoutOrder(scheduler.explain(probe)));
            expectSame(`${scheduler.engine}, step ${step}, ${event.do}`, expected, got);
          }
        });
        const decisions = [...rebuilt.build('reference').scheduleBatch(probes)];
        for (const scheduler of [rebuilt.build('scalar'), rebuilt.build('simd'), ...lives.map((l) => l.scheduler)]) {
          expectSame(`${scheduler.engine}, at the end`, decisions, [...scheduler.scheduleBatch(probes)]);
        }
      }),
      { numRuns },
    );
  });
});

/** The whole of two explanations would drown the one field in which they differ. */
function expectSame(label: string, expected: unknown, got: unknown): void {
  expect(differences('', expected, got).slice(0, 4), label).toEqual([]);
}
