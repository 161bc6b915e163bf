import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataDirectory } from '../../../src/apiserver/durability/data-directory.ts';
import { readSnapshot, snapshotPieces } from '../../../src/apiserver/durability/snapshot-file.ts';
import { FakeClock } from '../../../src/lib/clock.ts';
import { RealEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { RandomNames } from '../../../src/store/objects/names.ts';
import { Store } from '../../../src/store/store.ts';

const timers = new RealEventLoop((error) => {
  throw error;
});
const processes = { ownId: 7, isRunning: (id: number) => id === 8 };
const MILLIS = Date.UTC(2026, 0, 1);

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'berth-data-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function newStore(): Store {
  return new Store({ clock: new FakeClock(MILLIS), names: new RandomNames(new Prng(1)) });
}

function open(): DataDirectory {
  return DataDirectory.open(directory, { timers, processes });
}

function contents(store: Store): unknown {
  const objects = new Map<string, unknown>();
  for (const { shelf, object } of store.ledger.everything()) {
    objects.set(`${shelf}/${object.metadata?.namespace}/${object.metadata?.name}`, JSON.parse(JSON.stringify(object)));
  }
  return { version: store.ledger.version, objects };
}

function restored(data: DataDirectory): Store {
  const store = newStore();
  const saved = data.saved();
  expect(saved).toBeDefined();
  if (saved !== undefined) store.ledger.restore(saved.objects, saved.version);
  return store;
}

type Write = { readonly verb: 'create' | 'label' | 'delete'; readonly name: string; readonly waits: boolean };

const writes = fc.array(
  fc.record<Write>({
    verb: fc.constantFrom('create', 'label', 'delete'),
    name: fc.constantFrom('a', 'b', 'c'),
    waits: fc.boolean(),
  }),
  { maxLength: 30 },
);

function write(store: Store, { verb, name }: Write, i: number): void {
  const exists = [...store.ledger.objects('nodes').values()].some(({ metadata }) => metadata?.name === name);
  if (verb === 'create' && !exists) store.create('nodes', { metadata: { name } });
  if (verb === 'label' && exists) {
    store.patch('nodes', '', name, { type: 'merge', body: { metadata: { labels: { i: String(i) } } } });
  }
  if (verb === 'delete' && exists) store.delete('nodes', '', name);
}

describe('DataDirectory', () => {
  it('property: a store that is restored from it is the one that wrote, whatever was gathered', async () => {
    await fc.assert(
      fc.asyncProperty(writes, async (all) => {
        rmSync(directory, { recursive: true });
        const data = open();
        const store = newStore();
        data.follow(store.ledger, () => MILLIS + 5);
        for (const [i, one] of all.entries()) {
          write(store, one, i);
          if (one.waits) await data.settled();
        }
        await data.settled();
        expect(data.settled()).toBeUndefined();
        const same = restored(data);
        expect(contents(same)).toEqual(contents(store));
        expect(data.saved()?.clockMillis).toBe(MILLIS + 5);
        await data.close();
        const pieces = Buffer.concat([...snapshotPieces(store.ledger, MILLIS)]);
        const third = newStore();
        const saved = readSnapshot(pieces, 'snapshot');
        third.ledger.restore(saved.objects, saved.version);
        expect(contents(third)).toEqual(contents(store));
      }),
      { numRuns: 15 },
    );
  });

  it('goes on with its versions, and knows nothing of what was before', async () => {
    const data = open();
    const store = newStore();
    data.follow(store.ledger, () => MILLIS);
    store.create('nodes', { metadata: { name: 'n' } });
    await data.settled();
    const next = restored(data);
    const { version } = next.ledger;
    expect(version).toBe(store.ledger.version);
    const old = next.watch('nodes', { resourceVersion: String(version - 1) });
    expect(old.next()).toMatchObject({ type: 'ERROR', error: { code: 'Expired' } });
    const watch = next.watch('nodes', { resourceVersion: String(version) });
    expect(next.create('nodes', { metadata: { name: 'm' } }).metadata?.resourceVersion).toBe(String(version + 1));
    expect(watch.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'm' } } });
    await data.close();
  });

  it('is used by one process at a time, unless that one is dead', async () => {
    writeFileSync(join(directory, 'berth.pid'), '8\n');
    expect(open).toThrow(/process 8 uses it; if that is no server, remove .*berth.pid/);
    writeFileSync(join(directory, 'berth.pid'), '9\n');
    const data = open();
    expect(readFileSync(join(directory, 'berth.pid'), 'utf8')).toBe('7\n');
    expect(data.saved()).toBeUndefined();
    await data.close();
  });

  it('is no directory: one line says so', () => {
    const path = join(directory, 'file');
    writeFileSync(path, 'x');
    expect(() => DataDirectory.open(path, { timers, processes })).toThrow(/^.*file: is a file, not a directory$/);
  });
});

describe('a snapshot', () => {
  const pieces = Buffer.concat([...snapshotPieces(newStore().ledger, MILLIS)]);

  it('is refused when it is none, or was cut off', () => {
    expect(() => readSnapshot(Buffer.from('x'), 'f')).toThrow(/^f: no snapshot: /);
    expect(() => readSnapshot(pieces.subarray(0, pieces.length - 9), 'f')).toThrow(/^f: no snapshot: /);
  });
});
