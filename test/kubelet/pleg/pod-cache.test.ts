import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { PodCache } from '../../../src/kubelet/pleg/pod-cache.ts';
import { RuntimeError, type RuntimePodStatus } from '../../../src/kubelet/pleg/runtime.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';

const status = (uid: string, name: string): RuntimePodStatus => ({
  uid,
  name,
  ips: [],
  containerStatuses: [],
  sandboxStatuses: [],
});

let loop: VirtualEventLoop;
let cache: PodCache;

beforeEach(() => {
  loop = new VirtualEventLoop(0);
  cache = new PodCache((task) => loop.soon(task));
});

/** The names of the statuses with which the waiter is answered. */
function wait(uid: string, minMillis: number): string[] {
  const answers: string[] = [];
  cache.getNewerThan(uid, minMillis, (answer) => answers.push(answer.error?.message ?? answer.status?.name ?? ''));
  return answers;
}

describe('PodCache', () => {
  test('has an empty status for every pod', () => {
    expect(cache.get('a')).toEqual({ status: status('a', '') });
  });

  test('says that an answer is outdated when the status was fetched again, even if it is the same one', () => {
    const [same, outdated] = [status('a', 'one'), [] as boolean[]];
    const onAnswer = (_: unknown, isOutdated: boolean): void => void outdated.push(isOutdated);
    cache.set('a', { status: same }, 5);
    cache.getNewerThan('a', 4, onAnswer);
    cache.setObservedTime('a', 6);
    loop.runUntilIdle();
    cache.getNewerThan('a', 4, onAnswer);
    cache.set('a', { status: same }, 7);
    loop.runUntilIdle();
    expect(outdated).toEqual([false, true]);
  });

  test('answers a waiter once, after the call, with what it knew when it was released', () => {
    const answers = wait('a', 5);
    cache.set('a', { status: status('a', 'one') }, 5);
    expect(answers).toEqual([]);
    cache.set('a', { status: status('a', 'two') }, 6);
    loop.runUntilIdle();
    expect(answers).toEqual(['one']);
  });

  test('says whether an answer is outdated when it arrives', () => {
    const outdated: boolean[] = [];
    const ask = (): void => cache.getNewerThan('a', 1, (_, isOutdated) => outdated.push(isOutdated));
    ask();
    cache.set('a', { status: status('a', 'one') }, 5);
    cache.setObservedTime('a', 6);
    loop.runUntilIdle();
    ask();
    cache.set('a', { status: status('a', 'two') }, 7);
    loop.runUntilIdle();
    ask();
    cache.delete('a');
    loop.runUntilIdle();
    expect(outdated).toEqual([false, true, true]);
  });

  test('whoever is answered may ask again', () => {
    const answers: string[] = [];
    cache.getNewerThan('a', 1, ({ status: first }) => {
      answers.push(first?.name ?? '');
      cache.getNewerThan('a', 2, ({ status: second }) => answers.push(second?.name ?? ''));
    });
    cache.set('a', { status: status('a', 'one') }, 1);
    loop.runUntilIdle();
    expect(answers).toEqual(['one']);
    cache.updateTime(2);
    loop.runUntilIdle();
    expect(answers).toEqual(['one', 'one']);
  });

  test('an error is an answer, too', () => {
    const answers = wait('a', 1);
    cache.set('a', { error: new RuntimeError('inspect failed') }, 1);
    loop.runUntilIdle();
    expect(answers).toEqual(['inspect failed']);
    expect(cache.get('a').status).toBeUndefined();
  });

  test('a deletion releases nobody, the global time everybody who waits for no later one', () => {
    cache.set('a', { status: status('a', 'one') }, 1);
    const [early, late] = [wait('a', 5), wait('a', 6)];
    cache.delete('a');
    loop.runUntilIdle();
    expect(early).toEqual([]);
    cache.updateTime(5);
    loop.runUntilIdle();
    expect([early, late]).toEqual([[''], []]);
  });

  test('answers at once for what is strictly newer, releases at what is not older', () => {
    const time = fc.nat(5);
    const change = fc.tuple(fc.constantFrom('set', 'observe', 'global'), time);
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), time, change, ([...changes], minMillis, [last, lastMillis]) => {
        loop = new VirtualEventLoop(0);
        cache = new PodCache((task) => loop.soon(task));
        const apply = (kind: string, millis: number): void => {
          if (kind === 'set') cache.set('a', { status: status('a', 'known') }, millis);
          else if (kind === 'observe') cache.setObservedTime('a', millis);
          else cache.updateTime(millis);
        };
        for (const [kind, millis] of changes) apply(kind, millis);
        const entry = cache.entries().get('a');
        const times = [cache.globalMillis, entry?.modifiedMillis, entry?.observedMillis];
        const isNewer = times.some((millis) => millis !== undefined && millis > minMillis);
        const answers = wait('a', minMillis);
        loop.runUntilIdle();
        expect(answers.length).toBe(isNewer ? 1 : 0);
        apply(last, lastMillis);
        loop.runUntilIdle();
        expect(answers.length).toBe(isNewer || lastMillis >= minMillis ? 1 : 0);
      }),
    );
  });
});
