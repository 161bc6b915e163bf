import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EventHandler } from '../../../src/client/informer/event-handler.ts';
import { SharedInformer } from '../../../src/client/informer/shared-informer.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { ApiError } from '../../../src/store/objects/api-error.ts';
import { FakeSource, type Thing } from './fake-source.ts';
import { HistoryHandler } from './history-handler.ts';

let loop: VirtualEventLoop;
let source: FakeSource;
let informer: SharedInformer<Thing>;
let reports: string[];

function reset(): void {
  loop = new VirtualEventLoop(0);
  source = new FakeSource();
  reports = [];
  const reportError = (error: unknown, activity: string): unknown => reports.push(`${activity}: ${error}`);
  informer = new SharedInformer(source, { loop, prng: new Prng(1), reportError });
}

beforeEach(reset);

/** The notifications of a handler, with versions: `add a1 (initial)`, `update a1 a2`, `delete a3 (unknown)`. */
function recording(): { reported: string[]; handler: EventHandler<Thing> } {
  const reported: string[] = [];
  const text = ({ metadata }: Thing): string => `${metadata.name}${metadata.resourceVersion}`;
  const handler: EventHandler<Thing> = {
    onAdd: (thing, isInInitialList) => reported.push(`add ${text(thing)}${isInInitialList ? ' (initial)' : ''}`),
    onUpdate: (before, after) => reported.push(`update ${text(before)} ${text(after)}`),
    onDelete: (thing, isUnknown) => reported.push(`delete ${text(thing)}${isUnknown ? ' (unknown)' : ''}`),
  };
  return { reported, handler };
}

const BROKEN = new ApiError('InternalError', 'boom');

describe('SharedInformer', () => {
  it('reports the first list as such, then what changes, in the order of the changes', () => {
    const { reported, handler } = recording();
    source.set('a');
    source.set('b');
    const registration = informer.addHandler(handler);
    informer.start();
    expect([informer.hasSynced(), registration.hasSynced()]).toEqual([false, false]);
    loop.runUntilIdle();
    expect([informer.hasSynced(), registration.hasSynced()]).toEqual([true, true]);
    source.set('b');
    source.set('c');
    source.set('b');
    source.remove('a');
    loop.runUntilIdle();
    expect(reported).toEqual([
      ...['add a1 (initial)', 'add b2 (initial)'],
      ...['update b2 b3', 'add c4', 'update b3 b5', 'delete a6'],
    ]);
    expect(informer.lastSyncResourceVersion).toBe('6');
  });

  it('has the change in its cache when it reports it, and nothing newer', () => {
    informer.addIndex('word', ({ metadata }) => Object.values(metadata.labels ?? {}));
    const seen: (string | undefined)[] = [];
    informer.addHandler({
      onAdd: ({ metadata }) => seen.push(informer.lister.get('default', metadata.name)?.metadata.resourceVersion),
      onUpdate: () => seen.push(`${informer.lister.byIndex('word', 'y').length}`),
      onDelete: ({ metadata }) => seen.push(informer.lister.get('default', metadata.name)?.metadata.resourceVersion),
    });
    informer.start();
    loop.runUntilIdle();
    source.set('a', { x: 'x' });
    source.set('a', { x: 'y' });
    source.set('a', { x: 'z' });
    source.remove('a');
    loop.runUntilIdle();
    expect(seen).toEqual(['1', '1', '0', undefined]);
  });

  it('notifies a handler that comes late of what is there, in a later task, before what changes then', () => {
    source.set('a');
    informer.start();
    loop.runUntilIdle();
    const { reported, handler } = recording();
    source.set('b');
    const registration = informer.addHandler(handler);
    expect([reported, registration.hasSynced()]).toEqual([[], false]);
    loop.runUntilIdle();
    expect([reported, registration.hasSynced()]).toEqual([['add a1 (initial)', 'add b2'], true]);
  });

  it('lets a handler add another one in the middle of a change', () => {
    const { reported, handler } = recording();
    informer.addHandler({ ...handler, onAdd: () => informer.addHandler(handler) });
    informer.start();
    loop.runUntilIdle();
    source.set('a');
    loop.runUntilIdle();
    expect(reported).toEqual(['add a1 (initial)']);
  });

  it('can be stopped, and started again, by a handler', () => {
    const restart = (): void => {
      informer.stop();
      informer.start();
    };
    const { reported, handler } = recording();
    let left = 3;
    informer.addHandler(handler);
    informer.addHandler({ ...handler, onAdd: () => left-- > 0 && restart() });
    source.set('a');
    source.set('b');
    informer.start();
    loop.runUntilIdle();
    source.set('c');
    loop.runUntilIdle();
    expect(reported).toEqual(['add a1 (initial)', 'add b2 (initial)', 'add c3']);
    expect(source.watchCount).toBe(1);
  });

  it('notifies a handler that was removed of nothing more', () => {
    source.set('a');
    informer.start();
    loop.runUntilIdle();
    const [early, failing] = [recording(), recording()];
    const registration = informer.addHandler(early.handler, { resyncPeriodMillis: 10 });
    const throwing = informer.addHandler({
      ...failing.handler,
      onAdd: () => {
        failing.reported.push('tried');
        throw new Error('no');
      },
    });
    informer.removeHandler(registration);
    loop.step();
    loop.step();
    informer.removeHandler(throwing);
    source.set('b');
    loop.runUntilIdle();
    expect([early.reported, failing.reported]).toEqual([[], ['tried']]);
  });

  it('finds out after a gap what was added, changed, deleted and replaced, and reports only that', () => {
    const { reported, handler } = recording();
    for (const name of ['same', 'changed', 'deleted', 'replaced']) source.set(name);
    informer.addHandler(handler);
    informer.start();
    loop.runUntilIdle();
    reported.length = 0;
    source.set('changed');
    source.remove('deleted');
    source.remove('replaced');
    source.set('replaced');
    source.set('added');
    source.forgetHistory();
    loop.runUntilIdle();
    expect(reported).toEqual([
      ...['update changed2 changed5', 'delete replaced4 (unknown)', 'add replaced8', 'add added9'],
      'delete deleted3 (unknown)',
    ]);
  });

  it('shows everything again to those who want that, as often as each wants', () => {
    const [often, seldom, never] = [recording(), recording(), recording()];
    source.set('a');
    informer.addHandler(often.handler, { resyncPeriodMillis: 1000 });
    informer.addHandler(seldom.handler, { resyncPeriodMillis: 2500 });
    informer.addHandler(never.handler);
    informer.start();
    loop.runUntil(5500);
    const [add, again] = ['add a1 (initial)', 'update a1 a1'];
    expect(often.reported).toEqual([add, ...Array(5).fill(again)]);
    expect(seldom.reported).toEqual([add, again, again]);
    expect(never.reported).toEqual([add]);
    informer.stop();
    loop.runUntilIdle();
    expect(often.reported.length).toBe(6);
  });

  it('reports what changed while it was stopped', () => {
    const { reported, handler } = recording();
    source.set('a');
    source.set('b');
    informer.addHandler(handler);
    informer.start();
    loop.runUntilIdle();
    informer.stop();
    source.set('a');
    source.remove('b');
    loop.runUntilIdle();
    expect(reported.length).toBe(2);
    informer.start();
    loop.runUntilIdle();
    expect(reported.slice(2)).toEqual(['update a1 a3', 'delete b2 (unknown)']);
  });

  it('ends with the source’s state and a history for each handler, whatever goes wrong', () => {
    const script = fc.array(step, { maxLength: 80, size: 'max' });
    fc.assert(
      fc.property(script, fc.nat(), fc.integer({ min: 1, max: 4 }), (steps, seed, oneIn) => {
        reset();
        const luck = new Prng(seed);
        const fails = (): boolean => oneIn > 1 && luck.below(oneIn) === 0;
        const handlers = [new HistoryHandler<Thing>(), new HistoryHandler<Thing>({ fails })];
        const registrations = handlers.map((handler) => informer.addHandler(handler));
        informer.addHandler(new HistoryHandler<Thing>({ fails: () => true }));
        informer.start();
        for (const step of steps) {
          ACTIONS[step.do](step);
          if (step.do !== 'addHandler') continue;
          const handler = new HistoryHandler<Thing>({ fails });
          handlers.push(handler);
          registrations.push(informer.addHandler(handler, { resyncPeriodMillis: 60_000 }));
        }
        source.listErrors.length = 0;
        source.watchErrors.length = 0;
        loop.runUntil(loop.nowMillis() + 3600 * 1000);
        const expected = inOrder(source.objects);
        expect(inOrder(informer.lister.list())).toEqual(expected);
        for (const handler of handlers) {
          expect(handler.contradictions).toEqual([]);
          expect(handler.objects).toEqual(expected);
        }
        expect(registrations.every((registration) => registration.hasSynced())).toBe(true);
        expect(source.watchCount).toBe(1);
        informer.stop();
      }),
    );
  });
});

interface Step {
  readonly do: keyof typeof ACTIONS;
  readonly name: string;
  readonly count: number;
}

const ACTIONS = {
  set: ({ name }: Step) => source.set(name),
  remove: ({ name }: Step) => source.remove(name),
  recreate: ({ name }: Step) => {
    source.remove(name);
    source.set(name);
  },
  tasks: ({ count }: Step) => {
    for (let i = 0; i < count; i++) loop.step();
  },
  pass: ({ count }: Step) => loop.runUntil(loop.nowMillis() + count * 1000),
  forget: () => source.forgetHistory(),
  break: () => source.breakWatches(BROKEN),
  bookmark: () => source.sendBookmarks(),
  failList: () => source.listErrors.push(BROKEN),
  failWatch: () => source.watchErrors.push(BROKEN),
  restart: () => {
    informer.stop();
    informer.start();
  },
  addHandler: () => {},
};

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<Step['do']>('set', 'remove', 'tasks') },
    { weight: 3, arbitrary: fc.constantFrom<Step['do']>('recreate', 'forget', 'pass') },
    { weight: 2, arbitrary: fc.constantFrom<Step['do']>(...(Object.keys(ACTIONS) as Step['do'][])) },
  ),
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  count: fc.integer({ min: 1, max: 5 }),
});

function inOrder(things: readonly Thing[]): Thing[] {
  return things.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}
