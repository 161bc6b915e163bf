import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { type EngineName, Scheduler } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

const NODES = 260;

/** A pod that may go to the first so many nodes only, by name; PreFilter leaves out all others. */
function podFor(name: string, nodeCount: number, nominatedNodeName?: string): Pod {
  const required = Array.from({ length: nodeCount }, (_, i) => ({
    matchFields: [{ key: 'metadata.name', operator: 'In', values: [`n${i}`] }],
  }));
  const status = { nominatedNodeName };
  return makePod(name, { requests: { cpu: 1 }, status, ...(nodeCount > 0 && { required }) });
}

function start(engine: EngineName, everyWhichIsFull: number): Scheduler {
  const scheduler = new Scheduler({ engine, percentageOfNodesToScore: 5, tieBreak: 'upstream', validate: false });
  for (let i = 0; i < NODES; i++) {
    scheduler.addNode(makeNode(`n${i}`, { cpu: i % everyWhichIsFull === 0 ? '100m' : 3, zone: `z${i % 3}` }));
  }
  return scheduler;
}

test('a search among named nodes, more than it looks for, ends and goes on alike on all engines', () => {
  const wanted = fc.record({
    nodeCount: fc.constantFrom(0, 1, 99, 150, 230, NODES),
    nominated: fc.constantFrom(undefined, undefined, 'n0', 'n1', 'n200'),
  });
  fc.assert(
    fc.property(
      fc.array(wanted, { minLength: 2, maxLength: 6 }),
      fc.constantFrom(2, 3, 7),
      (pods, everyWhichIsFull) => {
        const [reference, ...others] = (['reference', 'scalar', 'simd'] as const).map((e) =>
          start(e, everyWhichIsFull),
        );
        for (const [i, { nodeCount, nominated }] of pods.entries()) {
          const pod = podFor(`p${i}`, nodeCount, nominated);
          const expected = [reference?.explain(pod), reference?.schedule(pod)];
          for (const scheduler of others) expect([scheduler.explain(pod), scheduler.schedule(pod)]).toEqual(expected);
        }
      },
    ),
    { numRuns: 10 },
  );
});
