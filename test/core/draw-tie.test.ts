import { describe, expect, test } from 'vitest';
import { schedulePod } from '../../src/core/decision/schedule-pod.ts';
import { Profiles } from '../../src/core/profiles.ts';
import { withoutExtenderCalls } from '../../src/framework/extender-calls.ts';
import type { DrawTie } from '../../src/framework/tie-break.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

/** The nodes are not in the order of their names; the small one scores less. */
const NODES = [makeNode('c'), makeNode('small', { cpu: 1 }), makeNode('a'), makeNode('b')];

describe.each(['reference', 'scalar', 'simd'] as const)('who draws among ties, engine %s', (engine) => {
  function profilesWith(draw: DrawTie): Profiles {
    const profiles = new Profiles({ engine, tieBreak: 'random' }, { draw });
    for (const node of NODES) profiles.cluster.addNode(node);
    return profiles;
  }

  const received: string[][] = [];
  const drawLast: DrawTie = (ties, nameOf) => {
    received.push(Array.from({ length: ties }, (_, rank) => nameOf?.(rank) ?? ''));
    return ties - 1;
  };

  test('receives their names, in the order in which they were learned of, and is obeyed', () => {
    const profiles = profilesWith(drawLast);
    const pod = makePod('p', { requests: { cpu: '100m' } });
    const template = profiles.templates.of(pod);
    received.length = 0;
    const profile = template.profile ?? expect.fail();
    const { result } = withoutExtenderCalls(schedulePod(profile, profiles.cluster.pods.toSchedule(pod)));
    expect(result).toMatchObject({ status: 'scheduled', node: 'b', ties: 3 });
    expect(received).toEqual([['c', 'a', 'b']]);
  });

  test('so does who takes the short way', () => {
    const profiles = profilesWith(drawLast);
    const pod = makePod('p', { requests: { cpu: '100m' } });
    const template = profiles.templates.of(pod);
    received.length = 0;
    const info = profiles.cluster.pods.toSchedule(pod);
    profiles.cluster.pods.startAttempt(info);
    const result = profiles.placeByIndex.place(info, template);
    if (engine === 'reference') expect(result).toBeNull();
    else expect([result, received]).toMatchObject([{ node: 'b', ties: 3 }, [['c', 'a', 'b']]]);
  });
});

test('one of the first few is drawn, the same by every engine and on every way', () => {
  const drawn = (['reference', 'scalar', 'simd'] as const).flatMap((engine) =>
    [true, false].map((index) => {
      const profiles = new Profiles({ engine, index, tieBreak: 'random', seed: 7 }, { drawnTies: 3 });
      for (let i = 0; i < 40; i++) profiles.cluster.addNode(makeNode(`n${39 - i}`));
      const nodes = Array.from({ length: 60 }, (_, i) => {
        const pod = makePod(`p${i}`);
        const template = profiles.templates.of(pod);
        const { placeByIndex, cluster } = profiles;
        const info = cluster.pods.toSchedule(pod);
        cluster.pods.startAttempt(info);
        const short = placeByIndex.placeNode(info, template);
        if (short !== null) {
          cluster.pods.assume(info, short.node, short.chargedBy);
          return short.node.name;
        }
        const profile = template.profile ?? expect.fail();
        const { node } = withoutExtenderCalls(schedulePod(profile, info));
        cluster.pods.assume(info, node ?? expect.fail());
        return node?.name;
      });
      return nodes;
    }),
  );
  for (const nodes of drawn) expect(nodes).toEqual(drawn[0]);
  // The pods request nothing: at first all nodes tie, then those of the forty that are as empty as before.
  const early = ['n39', 'n38', 'n37', 'n36', 'n35'];
  expect(drawn[0]?.slice(0, 3).every((name) => early.includes(name ?? ''))).toBe(true);
  expect(new Set(drawn[0]).size).toBeGreaterThan(3);
});
