import { describe, expect, it } from 'vitest';
import type { ExtenderRequest, ExtenderResponse } from '../../../src/framework/extender-calls.ts';
import type { ExtenderTransport } from '../../../src/framework/extender-transport.ts';
import { Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { configured } from '../configured.ts';

const PRIORITIZE = { prioritizeVerb: 'prioritize', weight: 1, nodeCacheCapable: true };
const EXTENDERS = [
  { urlPrefix: 'http://e', filterVerb: 'filter', ...PRIORITIZE },
  { urlPrefix: 'http://f', ...PRIORITIZE },
];

function schedulerOver(send: (request: ExtenderRequest, done: (response: ExtenderResponse) => void) => unknown) {
  const extenderTransport = { send } as ExtenderTransport;
  const scheduler = new Scheduler({ configuration: configured({ extenders: EXTENDERS }), extenderTransport });
  for (const name of ['a', 'b'])
    scheduler.addNode(makeNode(name, { allocatable: { cpu: '4', memory: '8Gi', pods: 10 } }));
  return scheduler;
}

function answerTo({ role }: ExtenderRequest): ExtenderResponse {
  const body = role === 'filter' ? { NodeNames: ['a', 'b'] } : [{ Host: 'b', Score: 9 }];
  return { status: 200, body: JSON.stringify(body) };
}

const NOT_CANCELLED: readonly (readonly [string, unknown])[] = [
  [
    'throws',
    {
      cancel: () => {
        throw new Error('too late');
      },
    },
  ],
  ['nothing', undefined],
  ['no function', { cancel: 3 }],
  ['a promise', Promise.resolve()],
];

describe('a transport that does not keep its contract', () => {
  it('may answer more than once: the first answer counts', async () => {
    const once = schedulerOver((request, done) => queueMicrotask(() => done(answerTo(request))));
    const often = schedulerOver((request, done) =>
      queueMicrotask(() => {
        done(answerTo(request));
        done({ error: 'and again' });
        done(answerTo(request));
      }),
    );
    const atOnce = schedulerOver((request, done) => {
      done(answerTo(request));
      done({ error: 'and again' });
    });
    const decision = await once.scheduleAsync(makePod('p'));
    expect(decision).toMatchObject({ status: 'scheduled', node: 'b' });
    expect(await often.scheduleAsync(makePod('p'))).toEqual(decision);
    expect(await atOnce.scheduleAsync(makePod('p'))).toEqual(decision);
  });

  it.each([
    [new TypeError('no socket'), 'no socket'],
    ['no socket', 'no socket'],
  ])('may throw: that is an answer which did not come (%s)', async (error, message) => {
    const scheduler = schedulerOver(() => {
      throw error;
    });
    expect(await scheduler.scheduleAsync(makePod('p'))).toEqual({ status: 'error', message });
    expect(scheduler.pods()).toEqual([]);
  });

  it('may be missing: nothing has been changed then', async () => {
    const scheduler = new Scheduler({ configuration: configured({ extenders: EXTENDERS }) });
    scheduler.addNode(makeNode('a'));
    await expect(scheduler.scheduleAsync(makePod('p'))).rejects.toMatchObject({ code: 'NeedsExtender' });
    await expect(scheduler.explainAsync(makePod('p'))).rejects.toMatchObject({ code: 'NeedsExtender' });
    expect(scheduler.pods()).toEqual([]);
  });

  it.each(NOT_CANCELLED)('may give something that cannot be cancelled: %s', async (_, cancellable) => {
    const scheduler = schedulerOver(() => cancellable);
    const controller = new AbortController();
    const aborted = scheduler.scheduleAsync(makePod('p'), { signal: controller.signal });
    await Promise.resolve().then(() => controller.abort());
    await expect(aborted).rejects.toMatchObject({ code: 'Aborted' });
    const waiting = Promise.allSettled(['q', 'r'].map((name) => scheduler.scheduleAsync(makePod(name))));
    await Promise.resolve();
    scheduler.close();
    for (const each of await waiting) expect(each).toMatchObject({ status: 'rejected', reason: { code: 'Closed' } });
    expect(scheduler.pods()).toEqual([]);
  });
});
