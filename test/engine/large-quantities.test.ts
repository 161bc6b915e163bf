import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EngineName, Scheduler } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

/** Amounts where doubles begin to fail, and amounts that they cannot hold; below 82 PiB, where int64 overflows. */
const capacity = fc.oneof(
  fc.bigInt({ min: 90_071_992_547_400n, max: 90_071_992_547_420n }),
  fc.bigInt({ min: 2n ** 47n, max: 2n ** 53n - 1n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 9n }),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 56n }),
);

/** Amounts around which a percentage changes: a quotient that is off by one shows here and hardly elsewhere. */
const nearWholePercent = fc.record({
  percent: fc.bigInt({ min: 0n, max: 100n }),
  offset: fc.bigInt({ min: -1n, max: 1n }),
});

describe.each<EngineName>(['simd', 'scalar', 'reference'])('amounts near and beyond 2^53, engine %s', (engine) => {
  test('are compared and scored in integers', () => {
    fc.assert(
      fc.property(capacity, nearWholePercent, fc.boolean(), (bytes, { percent, offset }, onNode) => {
        const wanted = (bytes * percent) / 100n + offset;
        const request = wanted < 0n ? 0n : wanted;
        const scheduler = new Scheduler({ engine });
        // The request stands on the node already, or comes with the pod.
        const [used, asked] = onNode ? [request, 0n] : [0n, request];
        for (const name of ['n1', 'n2']) {
          scheduler.addNode(makeNode(name, { cpu: 100, memory: String(bytes) }));
          const requests = { cpu: 0, memory: String(used) };
          scheduler.addPod(makePod(`on-${name}`, { nodeName: name, requests }));
        }
        // 99 of 100 cpus: 1 point, so that odd percentages of memory show in the mean; none: 100, for even ones.
        for (const [cpu, points] of [
          [99, 1n],
          [0, 100n],
        ] as const) {
          const pod = makePod('p', { requests: { cpu, memory: String(asked) } });
          const { feasible, nodes } = scheduler.explain(pod);
          expect(feasible).toEqual(asked === 0n || asked <= bytes - used ? ['n1', 'n2'] : []);
          if (feasible.length === 0) continue;
          const free = bytes > request ? ((bytes - request) * 100n) / bytes : 0n;
          const score = nodes[0]?.scores.find(({ plugin }) => plugin === 'NodeResourcesFit');
          expect(score?.raw).toBe(Number((points + free) / 2n));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('one node that is too large for doubles comes and goes', () => {
    const scheduler = new Scheduler({ engine });
    const fits = (memory: string) => scheduler.explain(makePod('p', { requests: { memory } })).feasible;
    scheduler.addNode(makeNode('plain'));
    scheduler.addNode(makeNode('huge', { memory: '9007199254740993' }));
    expect(fits('9007199254740993')).toEqual(['huge']);
    expect(fits('9007199254740994')).toEqual([]);
    scheduler.updateNode(makeNode('huge', { memory: '9007199254740991' }));
    expect(fits('9007199254740991')).toEqual(['huge']);
    expect(fits('9007199254740992')).toEqual([]);
    scheduler.removeNode('huge');
    expect(fits('1Gi')).toEqual(['plain']);
  });
});
