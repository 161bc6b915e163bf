import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SortedObjects } from '../../../src/store/ledger/sorted-objects.ts';

const names = fc.stringMatching(/^[a-c]{1,2}$/);
const steps = fc.array(
  fc.oneof(
    fc.record({ op: fc.constant('add' as const), name: names }),
    fc.record({ op: fc.constant('replace' as const), name: names }),
    fc.record({ op: fc.constant('delete' as const), name: names }),
    fc.record({ op: fc.constant('list' as const), name: names }),
  ),
  { maxLength: 60 },
);

describe('SortedObjects', () => {
  it('lists what a map holds, in order, from any name on', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const objects = new SortedObjects<number>();
        const model = new Map<string, number>();
        for (const [index, { op, name }] of script.entries()) {
          if (op === 'add') {
            expect(objects.add(name, index)).toBe(!model.has(name));
            if (!model.has(name)) model.set(name, index);
          } else if (op === 'replace') {
            if (!model.has(name)) continue;
            objects.replace(name, index);
            model.set(name, index);
          } else if (op === 'delete') expect(objects.delete(name)).toBe(model.delete(name));
          else {
            const expected = [...model.keys()].sort().filter((other) => other >= name);
            expect([...objects.sortedFrom(name)]).toEqual(expected.map((other) => model.get(other)));
          }
          expect([objects.size, objects.get(name)]).toEqual([model.size, model.get(name)]);
        }
        expect([...objects.values()]).toEqual([...model.values()]);
      }),
    );
  });

  it('lists no object that is removed meanwhile', () => {
    const objects = new SortedObjects<string>();
    for (const name of ['a', 'b', 'c', 'd']) objects.add(name, name);
    const listed: string[] = [];
    for (const object of objects.values()) {
      listed.push(object);
      if (object === 'b') for (const name of ['a', 'b', 'c']) objects.delete(name);
    }
    expect(listed).toEqual(['a', 'b', 'd']);
  });
});
