import { describe, expect, test } from 'vitest';
import { type EngineName, Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { configured } from '../configured.ts';
import { HeldTransport } from './held-transport.ts';

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
    await expect(deciding).rejects.toMatchObject({ code: 'Conflict', message: expect.stringContaining('was removed') });
    expect(scheduler.has('Pod', 'p')).toBe(false);
  });

  test('its node is filled', async () => {
    const { scheduler, transport } = schedulerWith(FILTER);
    const deciding = scheduler.scheduleAsync(makePod('p', { requests: { cpu: 3 } }));
    const { answer } = await transport.next();
    scheduler.addPod(makePod('other', { requests: { cpu: 2 }, spec: { nodeName: 'b' } }));
    answer({ NodeNames: ['b'] });
    await expect(deciding).rejects.toMatchObject({
      code: 'Conflict',
      message: 'pod default/p: node b does not fit any more: Insufficient cpu',
    });
    expect(scheduler.node('b')?.pods.length).toBe(1);
  });

  test('another node is filled, which does not matter', async () => {
    const { scheduler, transport } = schedulerWith(FILTER);
    const deciding = scheduler.scheduleAsync(makePod('p', { requests: { cpu: 3 } }));
    const { answer } = await transport.next();
    scheduler.addPod(makePod('other', { requests: { cpu: 2 }, spec: { nodeName: 'a' } }));
    answer({ NodeNames: ['b'] });
    expect(await deciding).toMatchObject({ node: 'b' });
  });

  test.each<[string, string, string]>([
    ['is updated', 'one', 'was changed'],
    ['is another of this name', 'two', 'was replaced by another'],
  ])('the pod %s', async (_, uid, message) => {
    const { scheduler, transport } = schedulerWith(FILTER);
    const podOf = (uid: string, cpu: number) => {
      const { metadata, spec } = makePod('p', { requests: { cpu } });
      return { metadata: { ...metadata, uid }, spec };
    };
    scheduler.addPod(podOf('one', 1));
    const deciding = scheduler.scheduleAsync(podOf('one', 1));
    const { answer } = await transport.next();
    scheduler.updatePod(podOf(uid, 2));
    answer({ NodeNames: ['b'] });
    await expect(deciding).rejects.toMatchObject({ code: 'Conflict', message: expect.stringContaining(message) });
    expect(scheduler.node('b')?.pods).toEqual([]);
    expect(scheduler.pod('default', 'p')?.pod.metadata?.uid).toBe(uid);
    const again = scheduler.scheduleAsync(podOf(uid, 2));
    (await transport.next()).answer({ NodeNames: ['b'] });
    expect(await again).toMatchObject({ node: 'b' });
  });

  test.each<[string, (controller: AbortController) => object, string]>([
    ['the caller aborts', ({ signal }) => ({ signal }), 'Aborted'],
    ['the deadline passes', () => ({ deadlineMillis: 1 }), 'DeadlineExceeded'],
    ['a deadline that is no whole number passes', () => ({ deadlineMillis: 0.5 }), 'DeadlineExceeded'],
  ])('%s: what runs and what waits end at once, and leave nothing', async (_, optionsOf, code) => {
    const { scheduler, transport } = schedulerWith(FILTER);
    const controller = new AbortController();
    const running = scheduler.scheduleAsync(makePod('p'), optionsOf(controller));
    const waiting = scheduler.scheduleAsync(makePod('q'), optionsOf(controller));
    const settled = Promise.allSettled([running, waiting]);
    const { answer } = await transport.next();
    controller.abort();
    const reasons = (await settled).map((each) => each.status === 'rejected' && each.reason.code);
    expect(reasons).toEqual([code, code]);
    answer({ NodeNames: ['b'] });
    expect(scheduler.pods()).toEqual([]);
    const next = scheduler.scheduleAsync(makePod('p'));
    (await transport.next()).answer({ NodeNames: ['a'] });
    expect(await next).toMatchObject({ node: 'a' });
  });

  test('the scheduler is closed', async () => {
    const { scheduler, transport } = schedulerWith(FILTER);
    const settled = Promise.allSettled(['p', 'q'].map((name) => scheduler.scheduleAsync(makePod(name))));
    await transport.next();
    scheduler.close();
    for (const each of await settled) expect(each).toMatchObject({ status: 'rejected', reason: { code: 'Closed' } });
    expect(scheduler.pods()).toEqual([]);
  });

  test('nothing, but the options are wrong', async () => {
    const { scheduler } = schedulerWith(FILTER);
    for (const options of [null, { signal: 7 }, { deadlineMillis: -1 }, { timeout: 3 }]) {
      const deciding = scheduler.scheduleAsync(makePod('p'), options as never);
      await expect(deciding).rejects.toMatchObject({ name: 'SchedulerError', code: 'Invalid' });
    }
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
