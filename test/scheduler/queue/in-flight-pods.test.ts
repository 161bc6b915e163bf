import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InFlightPods } from '../../../src/scheduler/queue/in-flight-pods.ts';
import { NODE_ADD } from '../../builders/make-queue.ts';

function recorded(pods: InFlightPods, ...names: readonly string[]): void {
  for (const name of names) pods.record({ event: NODE_ADD, oldObject: undefined, newObject: name });
}

const namesOf = (events: readonly { readonly newObject: unknown }[]): unknown[] =>
  events.map(({ newObject }) => newObject);

describe('InFlightPods', () => {
  it('shows a pod what happened since it was popped', () => {
    const pods = new InFlightPods();
    pods.begin('a');
    recorded(pods, 'e1');
    pods.begin('b');
    recorded(pods, 'e2', 'e3');
    expect(namesOf(pods.eventsSince('a'))).toEqual(['e1', 'e2', 'e3']);
    expect(namesOf(pods.eventsSince('b'))).toEqual(['e2', 'e3']);
    expect(pods.eventsSince('nobody')).toEqual([]);
  });

  it('drops what the oldest pod in flight need not see', () => {
    const pods = new InFlightPods();
    pods.begin('a');
    recorded(pods, 'e1');
    pods.begin('b');
    recorded(pods, 'e2');
    pods.done('a');
    expect(namesOf(pods.events())).toEqual(['e2']);
    expect(namesOf(pods.eventsSince('b'))).toEqual(['e2']);
    pods.begin('c');
    recorded(pods, 'e3');
    pods.done('b');
    expect(namesOf(pods.eventsSince('c'))).toEqual(['e3']);
    pods.done('c');
    expect([pods.has('c'), pods.events()]).toEqual([false, []]);
  });

  it('keeps everything while the oldest pod is in flight, whoever else is done', () => {
    const pods = new InFlightPods();
    for (const uid of ['a', 'b']) pods.begin(uid);
    recorded(pods, 'e1');
    pods.done('b');
    pods.done('nobody');
    expect(namesOf(pods.eventsSince('a'))).toEqual(['e1']);
    expect(pods.has('b')).toBe(false);
  });

  it('is a list of pods by the time of their start, whatever begins and ends', () => {
    const step = fc.record({ op: fc.constantFrom('begin', 'done', 'event'), uid: fc.constantFrom('a', 'b', 'c') });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const pods = new InFlightPods();
        const starts = new Map<string, number>();
        const events: string[] = [];
        for (const [index, { op, uid }] of steps.entries()) {
          if (op === 'begin' && !starts.has(uid)) {
            pods.begin(uid);
            starts.set(uid, events.length);
          } else if (op === 'done') {
            pods.done(uid);
            starts.delete(uid);
          } else if (op === 'event') {
            recorded(pods, `e${index}`);
            if (starts.size > 0) events.push(`e${index}`);
          }
          for (const each of ['a', 'b', 'c']) {
            expect(pods.has(each)).toBe(starts.has(each));
            expect(namesOf(pods.eventsSince(each))).toEqual(events.slice(starts.get(each) ?? events.length));
          }
          expect(namesOf(pods.events())).toEqual(events.slice(Math.min(...starts.values(), events.length)));
        }
      }),
    );
  });
});
