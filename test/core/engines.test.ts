import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Scheduler, type TieBreak } from '../../src/index.ts';
import { podOf } from '../builders/arbitrary-cluster.ts';
import { differences } from '../parity/differences.ts';
import { arbitraryScript, play, start } from './event-script.ts';
import { RebuiltCluster, withoutOrder } from './rebuilt-cluster.ts';

/** BERTH_RUNS=5000 (with a FAST_CHECK_SEED) for a long hunt; the default keeps the suite quick. */
const numRuns = Number(process.env['BERTH_RUNS'] ?? 150);

describe('all engines, over random lives of a cluster', () => {
  test.each<TieBreak>(['first', 'random'])('answer alike after every step (ties: %s)', (tieBreak) => {
    fc.assert(
      fc.property(arbitraryScript, fc.nat(1000), (script, seed) => {
        const reference = new Scheduler({ engine: 'reference', tieBreak, seed });
        const others = (['scalar', 'simd'] as const).map((engine) => new Scheduler({ engine, tieBreak, seed }));
        for (const scheduler of [reference, ...others]) start(scheduler, script);
        script.events.forEach((event, step) => {
          const probe = podOf('probe', script.templates[step % script.templates.length] ?? {});
          const expected = [play(reference, script, event), reference.explain(probe)];
          for (const scheduler of others) {
            const label = `${scheduler.engine}, step ${step}, ${event.do}`;
            expectSame(label, expected, [play(scheduler, script, event), scheduler.explain(probe)]);
          }
        });
      }),
      { numRuns },
    );
  });

  test('end where a scheduler that is told the final state begins', () => {
    fc.assert(
      fc.property(arbitraryScript, (script) => {
        const schedulers = (['reference', 'simd'] as const).map((engine) => new Scheduler({ engine }));
        const rebuilt = new RebuiltCluster(script);
        for (const scheduler of schedulers) start(scheduler, script);
        for (const event of script.events) {
          const [answer] = schedulers.map((scheduler) => play(scheduler, script, event));
          rebuilt.follow(event, answer ?? 'done');
        }
        const fresh = rebuilt.build();
        const probes = script.templates.map((spec, i) => podOf(`probe${i}`, spec));
        for (const probe of probes) {
          const expected = withoutOrder(fresh.explain(probe));
          for (const scheduler of schedulers) {
            expectSame(
              `${scheduler.engine}, ${probe.metadata?.name}`,
              expected,
              withoutOrder(scheduler.explain(probe)),
            );
          }
        }
        const decisions = [...fresh.scheduleBatch(probes)];
        for (const scheduler of schedulers) {
          expectSame(scheduler.engine, decisions, [...scheduler.scheduleBatch(probes)]);
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
