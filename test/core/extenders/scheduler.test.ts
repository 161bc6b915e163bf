import { describe, expect, test } from 'vitest';
import type { ExtenderTransport } from '../../../src/core/extenders/transport.ts';
import type { ExtenderRequest, ExtenderResponse } from '../../../src/framework/extender-calls.ts';
import { type EngineName, Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { configured } from '../configured.ts';

/** A transport whose answers the test delivers. */
class HeldTransport implements ExtenderTransport {
  readonly open: { readonly request: ExtenderRequest; readonly done: (response: ExtenderResponse) => void }[] = [];

  send(request: ExtenderRequest, done: (response: ExtenderResponse) => void) {
    this.open.push({ request, done });
    return { cancel: () => {} };
  }

  /** The oldest request, once it is there. */
  async next() {
    while (this.open.length === 0) await Promise.resolve();
    const [first] = this.open.splice(0, 1);
    if (first === undefined) throw new Error('nothing was sent');
    return { ...first, answer: (body: unknown) => first.done({ status: 200, body: JSON.stringify(body) }) };
  }
}

const FILTER = { urlPrefix: 'http://e', filterVerb: 'filter', nodeCacheCapable: true };

function schedulerWith(...extenders: readonly object[]) {
  return schedulerOn('simd', ...extenders);
}

function schedulerOn(engine: EngineName, ...extenders: readonly object[]) {
  const transport = new HeldTransport();
  const scheduler = new Scheduler({ engine, configuration: configured({ extenders }), extenderTransport: transport });
  for (const name of ['a', 'b'])
    scheduler.addNode(makeNode(name, { allocatable: { cpu: '4', memory: '8Gi', pods: 10 } }));
  return { scheduler, transport };
}

test('an extender decides, and the pod is charged to the node', async () => {
  const { scheduler, transport } = schedulerWith(FILTER);
  const deciding = scheduler.scheduleAsync(makePod('p'));
  const { request, answer } = await transport.next();
  expect(request).toMatchObject({ extender: 0, role: 'filter', url: 'http://e/filter', timeoutMillis: 5000 });
  answer({ NodeNames: ['b'] });
  expect(await deciding).toEqual({ status: 'scheduled', node: 'b', score: null, feasibleNodes: 1, ties: 1 });
  expect(() => scheduler.addPod(makePod('p'))).toThrow('exists already');
});

test.each<EngineName>(['reference', 'simd'])(
  'a node that an extender described anew is charged: %s',
  async (engine) => {
    const { scheduler, transport } = schedulerOn(engine, { ...FILTER, nodeCacheCapable: false });
    const deciding = scheduler.scheduleAsync(makePod('p', { requests: { cpu: 3 } }));
    const { request, answer } = await transport.next();
    const items = JSON.parse(request.body).Nodes.items as { readonly metadata: { readonly name: string } }[];
    answer({ Nodes: { items: items.filter(({ metadata }) => metadata.name === 'b') } });
    expect(await deciding).toMatchObject({ status: 'scheduled', node: 'b' });
    const second = scheduler.scheduleAsync(makePod('q', { requests: { cpu: 3 } }));
    const asked = await transport.next();
    expect(JSON.parse(asked.request.body).Nodes.items).toMatchObject([{ metadata: { name: 'a' } }]);
    asked.answer({ Nodes: { items: [] } });
    expect(await second).toMatchObject({ status: 'unschedulable' });
  },
);

test('decisions are made in the order of the calls, one after the other', async () => {
  const { scheduler, transport } = schedulerWith(FILTER);
  const first = scheduler.scheduleAsync(makePod('p', { requests: { cpu: 3 } }));
  const second = scheduler.scheduleAsync(makePod('q', { requests: { cpu: 3 } }));
  const asked = await transport.next();
  await Promise.resolve();
  expect(transport.open).toEqual([]);
  asked.answer({ NodeNames: ['a'] });
  expect(await first).toMatchObject({ node: 'a' });
  const { request, answer } = await transport.next();
  expect(JSON.parse(request.body).NodeNames).toEqual(['b']);
  answer({ NodeNames: ['b'] });
  expect(await second).toMatchObject({ node: 'b' });
});

describe('what happens while an extender thinks', () => {
  test('the pod is removed', async () => {
    const { scheduler, transport } = schedulerWith(FILTER);
    const deciding = scheduler.scheduleAsync(makePod('p'));
    const { answer } = await transport.next();
    scheduler.removePod('default', 'p');
    answer({ NodeNames: ['b'] });
    await expect(deciding).rejects.toThrow('pod default/p was removed while it was scheduled');
    scheduler.addPod(makePod('p'));
  });

  test('the pod is scheduled a second time', async () => {
    const { scheduler, transport } = schedulerWith(FILTER);
    const deciding = scheduler.scheduleAsync(makePod('p'));
    const { answer } = await transport.next();
    const again = scheduler.scheduleAsync(makePod('p'));
    answer({ NodeNames: ['b'] });
    expect(await deciding).toMatchObject({ node: 'b' });
    await expect(again).rejects.toThrow('pod default/p is on node b already');
  });

  test('its node is removed, and others come', async () => {
    const { scheduler, transport } = schedulerWith(FILTER);
    const deciding = scheduler.scheduleAsync(makePod('p'));
    const { answer } = await transport.next();
    scheduler.removeNode('b');
    scheduler.addNode(makeNode('c'));
    answer({ NodeNames: ['b'] });
    expect(await deciding).toMatchObject({ status: 'scheduled', node: 'b' });
  });
});

test("a failure of one attempt is that attempt's alone", async () => {
  const { scheduler, transport } = schedulerWith(FILTER);
  const failing = scheduler.scheduleAsync(makePod('p'));
  (await transport.next()).done({ error: 'Post "http://e/filter": EOF' });
  expect(await failing).toEqual({ status: 'error', message: 'Post "http://e/filter": EOF' });
  const deciding = scheduler.scheduleAsync(makePod('p'));
  (await transport.next()).answer({ NodeNames: ['a'] });
  expect(await deciding).toMatchObject({ node: 'a' });
});

test('a pod that no extender is interested in is scheduled as ever', async () => {
  const { scheduler, transport } = schedulerWith({ ...FILTER, managedResources: [{ name: 'example.com/foo' }] });
  expect(scheduler.schedule(makePod('p'))).toMatchObject({ status: 'scheduled' });
  expect(await scheduler.scheduleAsync(makePod('q'))).toMatchObject({ status: 'scheduled' });
  expect(transport.open).toEqual([]);
});

test('prioritize: all at the same time; who fails adds nothing', async () => {
  const prioritizing = { prioritizeVerb: 'p', weight: 2, nodeCacheCapable: true };
  const { scheduler, transport } = schedulerWith(
    { urlPrefix: 'http://e', ...prioritizing },
    { urlPrefix: 'http://f', ...prioritizing },
  );
  const explaining = scheduler.explainAsync(makePod('p'));
  const first = await transport.next();
  const second = await transport.next();
  second.done({ status: 500, body: '' });
  first.answer([
    { Host: 'b', Score: 7 },
    { Host: 'elsewhere', Score: 9 },
  ]);
  const { nodes, best } = await explaining;
  expect(best).toEqual(['b']);
  expect(nodes.map(({ extenderScores }) => extenderScores)).toEqual([[], [{ extender: 'http://e', weighted: 140 }]]);
});

test('an extender binds; the caller does when none is there', async () => {
  const { scheduler, transport } = schedulerWith({ urlPrefix: 'http://e/', bindVerb: 'bind' });
  const pod = makePod('p');
  expect(scheduler.schedule(pod)).toMatchObject({ status: 'scheduled', node: 'a' });
  const binding = scheduler.bindByExtender(pod, 'a');
  const { request, answer } = await transport.next();
  expect(request).toMatchObject({ url: 'http://e/bind', role: 'bind' });
  expect(JSON.parse(request.body)).toEqual({ PodName: 'p', PodNamespace: 'default', PodUID: '', Node: 'a' });
  answer({ Error: 'node is gone' });
  expect(await binding).toEqual({ extender: 0, error: 'node is gone' });
  expect(await schedulerWith(FILTER).scheduler.bindByExtender(pod, 'a')).toBeNull();
});
