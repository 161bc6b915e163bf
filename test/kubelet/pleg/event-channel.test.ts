import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventChannel } from '../../../src/kubelet/pleg/event-channel.ts';

const event = (podUid: string) => ({ podUid, type: 'PodSync' }) as const;

describe('EventChannel', () => {
  test('is a bounded queue: what does not fit is counted and lost', () => {
    const action = fc.oneof(fc.constant('send' as const), fc.nat(4));
    fc.assert(
      fc.property(fc.nat(5), fc.array(action, { maxLength: 40 }), (capacity, actions) => {
        const channel = new EventChannel(capacity);
        const model: string[] = [];
        let discarded = 0;
        for (const [i, step] of actions.entries()) {
          if (step !== 'send') {
            expect(channel.take(step).map(({ podUid }) => podUid)).toEqual(model.splice(0, step));
            continue;
          }
          if (model.length < capacity) model.push(`p${i}`);
          else discarded++;
          channel.send(event(`p${i}`));
          expect([channel.length, channel.discarded]).toEqual([model.length, discarded]);
        }
        expect(channel.peek().map(({ podUid }) => podUid)).toEqual(model);
        expect(channel.take()).toHaveLength(model.length);
        expect(channel.length).toBe(0);
      }),
    );
  });

  test('wakes its reader when something comes into the empty channel', () => {
    let wakes = 0;
    const channel = new EventChannel(2, () => wakes++);
    for (const uid of ['a', 'b', 'c']) channel.send(event(uid));
    expect(wakes).toBe(1);
    channel.take(1);
    channel.send(event('d'));
    expect(wakes).toBe(1);
    channel.take();
    channel.send(event('e'));
    expect(wakes).toBe(2);
  });
});
