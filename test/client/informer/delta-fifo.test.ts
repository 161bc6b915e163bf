import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeltaFifo, type Deltas } from '../../../src/client/informer/delta-fifo.ts';
import { Indexer } from '../../../src/client/informer/indexer.ts';

interface Thing {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
}

function thing(name: string, version = 1): Thing {
  return { metadata: { name, resourceVersion: String(version) } };
}

function newFifo(...known: Thing[]): { fifo: DeltaFifo<Thing>; cache: Indexer<Thing> } {
  const cache = new Indexer<Thing>();
  for (const object of known) cache.set(object);
  return { fifo: new DeltaFifo(cache), cache };
}

/** `a: Added 1, Deleted 2?`; the question mark for an unknown final state. */
function text({ deltas }: Deltas<Thing>): string {
  const key = deltas[0]?.object.metadata.name;
  const changes = deltas.map(
    ({ type, object, isFinalStateUnknown }) =>
      `${type} ${object.metadata.resourceVersion}${isFinalStateUnknown ? '?' : ''}`,
  );
  return `${key}: ${changes.join(', ')}`;
}

function popAll(fifo: DeltaFifo<Thing>): string[] {
  const popped: string[] = [];
  for (let deltas = fifo.pop(); deltas !== undefined; deltas = fifo.pop()) popped.push(text(deltas));
  return popped;
}

describe('DeltaFifo', () => {
  it('keeps all that happened to an object together, in the place of its first change', () => {
    const { fifo } = newFifo();
    fifo.change('Added', thing('a', 1));
    fifo.change('Added', thing('b', 2));
    fifo.change('Updated', thing('a', 3));
    fifo.change('Deleted', thing('a', 4));
    fifo.change('Added', thing('a', 5));
    expect(fifo.length).toBe(2);
    expect(popAll(fifo)).toEqual(['a: Added 1, Updated 3, Deleted 4, Added 5', 'b: Added 2']);
  });

  it('does not report the delete of an object that nobody knows', () => {
    const { fifo } = newFifo(thing('known'));
    fifo.change('Deleted', thing('unknown'));
    fifo.change('Deleted', thing('known', 2));
    expect(popAll(fifo)).toEqual(['known: Deleted 2']);
  });

  it('reports two deletes in a row as one, by the one that saw the final state', () => {
    const { fifo } = newFifo(thing('a'), thing('b'), thing('c'));
    fifo.change('Deleted', thing('a', 2));
    fifo.replace([]);
    fifo.change('Deleted', thing('b', 3));
    fifo.change('Deleted', thing('c', 4));
    fifo.change('Deleted', thing('c', 5));
    expect(popAll(fifo)).toEqual(['a: Deleted 2', 'b: Deleted 3', 'c: Deleted 4']);
  });

  it('finds out from a list what was deleted, among what is pending and what is known', () => {
    const { fifo } = newFifo(thing('a', 1), thing('b', 2), thing('c', 3));
    fifo.change('Updated', thing('b', 4));
    fifo.change('Added', thing('d', 5));
    fifo.replace([thing('a', 1), thing('e', 6)]);
    expect(popAll(fifo)).toEqual([
      'b: Updated 4, Deleted 4?',
      'd: Added 5, Deleted 5?',
      'a: Replaced 1',
      'e: Replaced 6',
      'c: Deleted 3?',
    ]);
  });

  it('shows known objects again, unless there is news of them', () => {
    const { fifo } = newFifo(thing('a', 1), thing('b', 2));
    fifo.change('Updated', thing('b', 3));
    fifo.resync();
    expect(popAll(fifo)).toEqual(['b: Updated 3', 'a: Sync 1']);
  });

  it('has synced when all of the first list is popped', () => {
    const { fifo } = newFifo();
    expect(fifo.hasSynced).toBe(false);
    fifo.replace([thing('a'), thing('b')]);
    fifo.change('Added', thing('c'));
    const seen = [0, 1, 2].map(() => [fifo.hasSynced, fifo.pop()?.isInInitialList, fifo.hasSynced]);
    expect(seen).toEqual([
      [false, true, false],
      [false, true, true],
      [true, false, true],
    ]);
    fifo.replace([thing('d')]);
    expect(fifo.hasSynced).toBe(true);

    const { fifo: empty } = newFifo();
    empty.replace([]);
    expect(empty.hasSynced).toBe(true);
  });

  it('brings a cache to the state of its source, popped whenever it may be', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('set' as const, 'delete' as const), name }) },
      { weight: 2, arbitrary: fc.constant({ do: 'pop' as const, name: '' }) },
      { weight: 1, arbitrary: fc.constant({ do: 'list' as const, name: '' }) },
      { weight: 1, arbitrary: fc.constant({ do: 'resync' as const, name: '' }) },
      // Changes that the watch does not show; the next list does.
      { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('missedSet' as const, 'missedDelete' as const), name }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { fifo, cache } = newFifo();
        const source = new Map<string, Thing>();
        const pop = (): boolean => {
          const popped = fifo.pop();
          for (const { type, object } of popped?.deltas ?? []) {
            if (type === 'Deleted') cache.delete(object.metadata.name);
            else cache.set(object);
          }
          return popped !== undefined;
        };
        let version = 0;
        for (const { do: what, name } of [...steps, { do: 'list' as const, name: '' }]) {
          version++;
          const before = source.get(name);
          if (what === 'set' || what === 'missedSet') source.set(name, thing(name, version));
          if (what === 'set' && before === undefined) fifo.change('Added', thing(name, version));
          if (what === 'set' && before !== undefined) fifo.change('Updated', thing(name, version));
          if (what === 'delete' || what === 'missedDelete') source.delete(name);
          if (what === 'delete' && before !== undefined) fifo.change('Deleted', thing(name, version));
          if (what === 'list') fifo.replace([...source.values()]);
          if (what === 'resync') fifo.resync();
          if (what === 'pop') pop();
        }
        while (pop());
        expect(new Map(cache.entries())).toEqual(source);
        expect(fifo.hasSynced).toBe(true);
      }),
    );
  });
});
