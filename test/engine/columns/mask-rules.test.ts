import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rulesOfMasks } from '../../../src/engine/columns/mask-rules.ts';
import { acceptsSlot } from '../../../src/engine/topology/topology-rules.ts';
import { SharedVector } from '../../../src/memory/shared-vector.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';

const KEYS = ['zone', 'rack'];

test('rules accept the nodes that all masks accept', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ zone: fc.constantFrom('a', 'b', 'c'), rack: fc.constantFrom('x', 'y') }), { minLength: 1 }),
      fc.subarray(KEYS, { minLength: 1 }),
      fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      (nodes, keys, answers) => {
        const {
          memory,
          columns,
          looks: sets,
        } = new EngineColumns().add(...nodes.map((labels, i) => makeNode(`n${i}`, { labels })));
        const masks = keys.map((key, number) => {
          const looks = sets.of({ taints: false, labels: [key] });
          if (looks === null) throw new Error('few looks are followed');
          const accepted = new SharedVector(memory);
          for (let look = 0; look < looks.count; look++) accepted.values[look] = answers[number * 3 + look] ? 1 : 0;
          return { looks, mask: { column: looks.column, accepted } };
        });
        const given = rulesOfMasks(masks, columns.table);
        for (const slot of nodes.keys()) {
          const isAccepted = masks.every(({ mask }) => mask.accepted.get(mask.column.values[slot] ?? -1) === 1);
          expect(given?.rules.every((rule) => acceptsSlot(rule, slot))).toBe(isAccepted);
        }
      },
    ),
  );
});

test('there are no rules without masks, or of nodes of many kinds', () => {
  const nodes = Array.from({ length: 40 }, (_, i) => makeNode(`n${i}`, { labels: { zone: `z${i}` } }));
  const { memory, columns, looks: sets } = new EngineColumns().add(...nodes);
  const looks = sets.of({ taints: false, labels: ['zone'] });
  if (looks === null) throw new Error('these looks are followed');
  const mask = { column: looks.column, accepted: new SharedVector(memory) };
  expect(rulesOfMasks([{ looks, mask }], columns.table)).toBeNull();
  expect(rulesOfMasks([], columns.table)).toBeNull();
});
