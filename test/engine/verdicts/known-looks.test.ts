import { describe, expect, test } from 'vitest';
import { KnownLooks, NO_LOOK } from '../../../src/engine/verdicts/known-looks.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';

const POOL = { taints: true, labels: ['pool'] };
const taint = { key: 'a', effect: 'NoSchedule' };

describe('a look', () => {
  test('is equal exactly for nodes whose parts are equal', () => {
    const { attributes } = new EngineColumns().add(
      makeNode('a', { labels: { pool: 'x' } }),
      makeNode('b', { labels: { pool: 'x', other: '1' } }),
      makeNode('c', { labels: { pool: 'y' } }),
      makeNode('d', { labels: { pool: 'x' }, taints: [taint] }),
    );
    const looks = new KnownLooks(attributes, POOL);
    const [a, b, c, d] = [0, 1, 2, 3].map((slot) => looks.lookOf(slot));
    expect(b).toBe(a);
    expect(new Set([a, c, d]).size).toBe(3);
  });

  test('follows the node', () => {
    const world = new EngineColumns().add(makeNode('a', { labels: { pool: 'x' } }), makeNode('b'));
    const looks = new KnownLooks(world.attributes, POOL);
    expect(looks.lookOf(0)).not.toBe(looks.lookOf(1));
    world.cluster.updateNode(makeNode('b', { labels: { pool: 'x' } }));
    expect(looks.lookOf(0)).toBe(looks.lookOf(1));
  });

  test('is unknown if plugins see more than parts, or too many of them', () => {
    const { attributes } = new EngineColumns().add(makeNode('a'));
    expect(new KnownLooks(attributes, null).lookOf(0)).toBe(NO_LOOK);
    const labels = ['a', 'b', 'c', 'd'];
    expect(new KnownLooks(attributes, { taints: false, labels }).lookOf(0)).not.toBe(NO_LOOK);
    expect(new KnownLooks(attributes, { taints: true, labels }).lookOf(0)).toBe(NO_LOOK);
  });

  test('is unknown for a part that differs on thousands of nodes', () => {
    const world = new EngineColumns();
    for (let i = 0; i < 5000; i++) world.cluster.addNode(makeNode(`n${i}`, { labels: { pool: `${i}` } }));
    const looks = new KnownLooks(world.attributes, POOL);
    expect(looks.lookOf(1)).not.toBe(NO_LOOK);
    expect(looks.lookOf(4999)).toBe(NO_LOOK);
  });
});

test('what is known is forgotten when attributes get other numbers', () => {
  const { attributes } = new EngineColumns().add(makeNode('a', { labels: { pool: 'x' } }));
  const looks = new KnownLooks(attributes, POOL);
  const look = looks.lookOf(0);
  looks.setId(look, 7);
  expect(looks.idOf(look)).toBe(7);
  for (let i = 0; i < 600; i++) attributes.combinationsOf({ taints: false, labels: [`other ${i}`] });
  expect(looks.idOf(looks.lookOf(0))).toBe(undefined);
});
