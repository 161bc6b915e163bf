import { describe, expect, test } from 'vitest';
import { schedulePod } from '../../src/core/decision/schedule-pod.ts';
import { Profiles } from '../../src/core/profiles.ts';
import type { DrawTie } from '../../src/engine/cycle/engine.ts';
import { withoutExtenderCalls } from '../../src/framework/extender-calls.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

/** Not in the order of their names; the small one scores less. */
const NODES = [makeNode('c'), makeNode('small', { cpu: 1 }), makeNode('a'), makeNode('b')];

describe.each(['reference', 'scalar', 'simd'] as const)('who draws among ties, engine %s', (engine) => {
  function profilesWith(draw: DrawTie): Profiles {
    const profiles = new Profiles({ engine, tieBreak: 'random' }, { draw });
    for (const node of NODES) profiles.cluster.addNode(node);
    return profiles;
  }

  const heard: string[][] = [];
  const drawLast: DrawTie = (ties, nameOf) => {
    heard.push(Array.from({ length: ties }, (_, rank) => nameOf?.(rank) ?? ''));
    return ties - 1;
  };

  test('hears their names, in the order in which they were learned of, and is obeyed', () => {
    const profiles = profilesWith(drawLast);
    const pod = makePod('p', { requests: { cpu: '100m' } });
    const template = profiles.templates.of(pod);
    heard.length = 0;
    const profile = template.profile ?? expect.fail();
    const { result } = withoutExtenderCalls(schedulePod(profile, profiles.cluster.podToSchedule(pod)));
    expect(result).toMatchObject({ status: 'scheduled', node: 'b', ties: 3 });
    expect(heard).toEqual([['c', 'a', 'b']]);
  });

  test('so does who takes the short way', () => {
    const profiles = profilesWith(drawLast);
    const pod = makePod('p', { requests: { cpu: '100m' } });
    const template = profiles.templates.of(pod);
    heard.length = 0;
    const result = profiles.placeByIndex.place(profiles.cluster.expect(pod, template.requirements), template);
    if (engine === 'reference') expect(result).toBeNull();
    else expect([result, heard]).toMatchObject([{ node: 'b', ties: 3 }, [['c', 'a', 'b']]]);
  });
});
