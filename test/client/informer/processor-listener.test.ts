import { beforeEach, describe, expect, it } from 'vitest';
import type { EventHandler } from '../../../src/client/informer/event-handler.ts';
import { type Notification, ProcessorListener } from '../../../src/client/informer/processor-listener.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';

let loop: VirtualEventLoop;
let reported: string[];
let reports: string[];
/** Objects that the handler cannot take. */
let poisoned: Set<string>;

beforeEach(() => {
  loop = new VirtualEventLoop(0);
  reported = [];
  reports = [];
  poisoned = new Set();
});

const handler: EventHandler<string> = {
  onAdd: (object) => take('add', object),
  onUpdate: (_, after) => take('update', after),
  onDelete: (object) => take('delete', object),
};

/** Objects are texts such as `a1`; the first letter is the key. */
function take(what: string, object: string): void {
  if (poisoned.has(object)) throw new Error(`cannot take ${object}`);
  reported.push(`${loop.nowMillis()} ${what} ${object}`);
}

function newListener(initial: readonly Notification<string>[] = []): ProcessorListener<string> {
  const reportError = (error: unknown, activity: string): unknown => reports.push(`${activity}: ${error}`);
  return new ProcessorListener('test', handler, initial, { loop, reportError, keyOf: (object) => object.slice(0, 1) });
}

function add(object: string): Notification<string> {
  return { type: 'add', object, isInInitialList: false };
}

function update(before: string, after: string): Notification<string> {
  return { type: 'update', before, after };
}

function remove(object: string): Notification<string> {
  return { type: 'delete', object, isFinalStateUnknown: false };
}

describe('ProcessorListener', () => {
  it('delivers at once', () => {
    const listener = newListener();
    for (const call of [add('a1'), update('a1', 'a2'), remove('a2')]) listener.notify(call);
    expect(reported).toEqual(['0 add a1', '0 update a2', '0 delete a2']);
    expect(listener.hasDeliveredInitial).toBe(true);
  });

  it('delivers what is there first', () => {
    const listener = newListener([add('a1'), add('b1')]);
    listener.notify(update('a1', 'a2'));
    expect([reported, listener.hasDeliveredInitial]).toEqual([[], false]);
    loop.runUntilIdle();
    expect([reported, listener.hasDeliveredInitial]).toEqual([['0 add a1', '0 add b1', '0 update a2'], true]);
  });

  it('keeps the order of one object while a call of it fails, and lets the others pass', () => {
    const listener = newListener();
    poisoned.add('a1');
    for (const call of [add('a1'), add('b1'), update('a1', 'a2'), remove('a2')]) listener.notify(call);
    loop.after(250, () => poisoned.clear());
    loop.runUntilIdle();
    expect(reported).toEqual(['0 add b1', '300 add a1', '300 update a2', '300 delete a2']);
    expect(reports).toEqual(['test: add a: Error: cannot take a1', 'test: add a: Error: cannot take a1']);
    listener.notify(add('a3'));
    expect(reported.at(-1)).toBe('300 add a3');
  });

  it('waits longer each time, at most half a minute, and starts over after a success', () => {
    const listener = newListener();
    for (const object of ['a1', 'a2']) poisoned.add(object);
    const tries: number[] = [];
    const [first, second] = [add('a1'), update('a1', 'a2')];
    listener.notify(first);
    listener.notify(second);
    while (reports.length < 13) {
      const before = reports.length;
      loop.step();
      if (reports.length > before) tries.push(loop.nowMillis());
      if (reports.length === 12) poisoned.delete('a1');
    }
    const waits = tries.map((time, index) => time - (tries[index - 1] ?? 0));
    expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000]);
    const start = loop.nowMillis();
    poisoned.clear();
    loop.runUntilIdle();
    expect([reported.length, loop.nowMillis() - start]).toEqual([2, 100]);
  });

  it('counts an object of the initial list that cannot be taken as delivered', () => {
    const listener = newListener([add('a1'), add('b1')]);
    poisoned.add('a1');
    loop.runUntil(1);
    expect([listener.hasDeliveredInitial, reported]).toEqual([true, ['0 add b1']]);
    poisoned.clear();
    loop.runUntilIdle();
    expect(reported).toEqual(['0 add b1', '100 add a1']);
  });

  it('delivers nothing after it was stopped', () => {
    const listener = newListener([add('a1')]);
    poisoned.add('a1');
    loop.step();
    listener.notify(update('a1', 'a2'));
    listener.stop();
    listener.notify(add('b1'));
    poisoned.clear();
    loop.runUntilIdle();
    expect(reported).toEqual([]);
  });
});
