import { expect, test } from 'vitest';
import { type EngineName, Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

/** More resources than a number has ternary digits for. */
const NAMES = Array.from({ length: 40 }, (_, i) => `a.com/r${String(i).padStart(2, '0')}`);

test.each<EngineName>(['reference', 'scalar', 'simd'])(
  'any number of resources is distinguished, engine %s',
  (engine) => {
    const all = Object.fromEntries(NAMES.map((name) => [name, 1]));
    const scheduler = new Scheduler({ engine });
    // All nodes lack the first resource, and each lacks another one of the last.
    const lacking = NAMES.slice(-6);
    for (const name of lacking)
      scheduler.addNode(makeNode(name.slice(6), { allocatable: { ...all, [NAMES[0] ?? '']: 0, [name]: 0 } }));
    const { nodes } = scheduler.explain(makePod('p', { requests: all }));
    expect(nodes.map(({ rejected }) => rejected?.reasons)).toEqual(
      lacking.map((name) => [`Insufficient ${NAMES[0]}`, `Insufficient ${name}`]),
    );
  },
);
