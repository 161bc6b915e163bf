import fc from 'fast-check';
import { describe, test } from 'vitest';
import { runs } from '../builders/runs.ts';
import { GuardedHosts } from '../guard/guarded-kernels.ts';
import { arbitraryLargeScript, arbitraryScript } from './arbitrary-script.ts';
import { ClusterLife, probesOf } from './event-script.ts';
import { expectAlike, expectSame } from './expect-alike.ts';
import { RebuiltCluster, withoutOrder } from './rebuilt-cluster.ts';

const numRuns = runs(25);

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
    fc.assert(
      fc.property(arbitraryLargeScript, options, (script, chosen) => expectAlike(script, chosen)),
      {
        numRuns: Math.ceil(numRuns / 4),
      },
    );
  });
});

describe('every engine, over random lives of a cluster', () => {
  test('decides after every step like a scheduler that is built from the present state', () => {
    fc.assert(
      fc.property(arbitraryScript, (script) => {
        const hosts = new GuardedHosts();
        const lives = (['reference', 'scalar', 'simd'] as const).map(
          (engine) => new ClusterLife({ engine, newKernelHost: hosts.newHost }, script),
        );
        const rebuilt = new RebuiltCluster(script);
        const probes = probesOf(script);
        for (const [step, event] of script.events.entries()) {
          rebuilt.play(event, lives);
          if (rebuilt.hasSharedPort) return;
          rebuilt.renewImages(event, lives);
          const fresh = rebuilt.build('reference');
          const expected = probes.map((probe) => withoutOrder(fresh.explain(probe)));
          for (const { scheduler } of lives) {
            const got = probes.map((probe) => withoutOrder(scheduler.explain(probe)));
            expectSame(`${scheduler.engine}, step ${step}, ${event.do}`, expected, got);
          }
        }
        const decisions = [...rebuilt.build('reference').scheduleBatch(probes)];
        for (const scheduler of [rebuilt.build('scalar'), rebuilt.build('simd'), ...lives.map((l) => l.scheduler)]) {
          expectSame(`${scheduler.engine}, at the end`, decisions, [...scheduler.scheduleBatch(probes)]);
        }
        hosts.check();
      }),
      { numRuns },
    );
  });
});
