import { beforeEach, describe, expect, it } from 'vitest';
import { type CorrelatedEvent, EventCorrelator } from '../../../src/client/events/event-correlator.ts';
import { FakeClock } from '../../../src/lib/clock.ts';

const MINUTE_MILLIS = 60_000;
const COMBINED = '(combined from similar events): ';

let clock: FakeClock;
let correlator: EventCorrelator;

beforeEach(() => {
  clock = new FakeClock();
  correlator = new EventCorrelator(clock);
});

function happen(message: string, subjectKey = 'a', reason = 'Created'): CorrelatedEvent | undefined {
  return correlator.correlate({ subjectKey, type: 'Normal', reason, message });
}

function happenTimes(count: number): (string | undefined)[] {
  return Array.from({ length: count }, (_, index) => happen(`pod ${index}`)?.message);
}

describe('EventCorrelator', () => {
  it('counts what is the same in object, type, reason and message', () => {
    const first = happen('pod 1');
    clock.advance(5);
    const again = happen('pod 1');
    expect([first?.count, again?.count, again?.series === first?.series]).toEqual([1, 2, true]);
    expect(again?.series.firstMillis).toBe(0);
    const others = [
      happen('pod 2'),
      happen('pod 1', 'b'),
      happen('pod 1', 'a', 'Deleted'),
      correlator.correlate({ subjectKey: 'a', type: 'Warning', reason: 'Created', message: 'pod 1' }),
    ];
    expect(others.map((event) => event?.count)).toEqual([1, 1, 1, 1]);
  });

  it('combines from the tenth different message on', () => {
    const messages = happenTimes(12);
    expect(messages.slice(0, 9)).toEqual(Array.from({ length: 9 }, (_, index) => `pod ${index}`));
    expect(messages.slice(9)).toEqual([`${COMBINED}pod 9`, `${COMBINED}pod 10`, `${COMBINED}pod 11`]);
    const combined = happen('pod 12');
    expect([combined?.count, combined?.series.firstMillis]).toEqual([4, 0]);
  });

  it('goes on combining while there are never ten quiet minutes', () => {
    happenTimes(10);
    for (const message of ['w', 'x']) {
      clock.advance(10 * MINUTE_MILLIS);
      expect(happen(message)?.message).toBe(`${COMBINED}${message}`);
    }
    clock.advance(10 * MINUTE_MILLIS + 1);
    expect(happen('y')?.message).toBe('y');
  });

  it('does not combine the same message, however often it comes', () => {
    for (let i = 0; i < 20; i++) expect(happen('pod 1')?.message).toBe('pod 1');
  });

  it('lets each object have 25 at once and then one in five minutes, and counts those that are dropped', () => {
    for (let i = 0; i < 25; i++) expect(happen('pod 1')).toBeDefined();
    expect([happen('pod 1'), happen('pod 2', 'a', 'Deleted')]).toEqual([undefined, undefined]);
    expect(happen('pod 1', 'b')).toBeDefined();
    clock.advance(5 * MINUTE_MILLIS - 1);
    expect(happen('pod 1')).toBeUndefined();
    clock.advance(1);
    expect([happen('pod 1')?.count, happen('pod 1')]).toEqual([28, undefined]);
  });
});
