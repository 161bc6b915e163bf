import { describe, expect, test } from 'vitest';
import type { PluginHandle, PluginRegistry, UserPlugin } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { configurationWith } from '../core/user-plugins/lab-plugin.ts';
import { SchedulerRig } from './scheduler-rig.ts';

/** A scheduler on a store with two nodes and this plugin. */
function rigWith(members: object, more: { readonly queueSort?: boolean } = {}) {
  let handle: PluginHandle | undefined;
  const plugins: PluginRegistry = {
    Mine: (_args, given) => {
      handle = given;
      return { name: 'Mine', ...members } as UserPlugin;
    },
  };
  const sorted = { queueSort: { enabled: [{ name: 'Mine' }], disabled: [{ name: '*' }] } };
  const enabled = { multiPoint: { enabled: [{ name: 'Mine' }] }, ...(more.queueSort && sorted) };
  const rig = new SchedulerRig({ plugins, configuration: configurationWith(plugins, 1, { plugins: enabled }) });
  for (const name of ['a', 'b']) rig.store.create('nodes', makeNode(name));
  rig.runMillis(100);
  const create = (name: string, priority = 0) => rig.store.create('pods', makePod(name, { spec: { priority } }));
  return { rig, create, store: () => handle?.store };
}

describe('a plugin on the store', () => {
  test('permit: the pod waits, until the plugin allows it through its handle', () => {
    const permit = () => ({ code: 'Wait', reasons: ['a moment'], timeoutMillis: 60_000 });
    const { rig, create, store } = rigWith({ permit });
    create('p');
    rig.runMillis(1000);
    expect(rig.nodeOf('p')).toBe('');
    const [waiting] = [...(store()?.waitingPods() ?? [])];
    expect(waiting?.pendingPlugins()).toEqual(['Mine']);
    waiting?.allow('Mine');
    rig.runMillis(1000);
    expect(rig.nodeOf('p')).toBe('a');
  });

  test('permit: nobody allows it in time', () => {
    const permit = () => ({ code: 'Wait', reasons: [], timeoutMillis: 2000 });
    const { rig, create } = rigWith({ permit });
    create('p');
    rig.runMillis(2500);
    expect(rig.nodeOf('p')).toBe('');
    expect(rig.events.find(({ pod }) => pod === 'p')?.note).toContain('Mine');
  });

  test('preBind may answer later; postBind is called; unreserve is not', () => {
    const reported: string[] = [];
    const { rig, create, store } = rigWith({
      reserve: (_state: unknown, _pod: unknown, node: string) => void reported.push(`reserve ${node}`),
      unreserve: () => reported.push('unreserve'),
      preBind: () => (done: (answer: null) => void) => void store()?.after(500, () => done(null)),
      postBind: (_state: unknown, { name }: { name: string }, node: string) =>
        reported.push(`bound ${name} to ${node}`),
    });
    create('p');
    rig.runMillis(400);
    expect([rig.nodeOf('p'), reported]).toEqual(['', ['reserve a']]);
    rig.runMillis(400);
    expect([rig.nodeOf('p'), reported]).toEqual(['a', ['reserve a', 'bound p to a']]);
  });

  test('who throws has failed that pod, by name, and the others go on', () => {
    const preBind = (_state: unknown, { name }: { name: string }) => {
      if (name === 'bad') throw new Error('boom');
      return null;
    };
    const { rig, create } = rigWith({ preBind });
    for (const name of ['bad', 'good']) create(name);
    rig.runMillis(500);
    expect(rig.nodeOf('bad')).toBe('');
    expect(rig.nodeOf('good')).not.toBe('');
    expect(rig.events.find(({ pod }) => pod === 'bad')).toMatchObject({
      reason: 'FailedScheduling',
      note: 'running PreBind plugin "Mine": boom',
    });
  });

  test.each([
    ['less: the queue has its order', (a: Queued, b: Queued) => a.podInfo.name < b.podInfo.name, ['a', 'b', 'c']],
    [
      'without an order: that of arrival',
      () => {
        throw new Error('no idea');
      },
      ['c', 'b', 'a'],
    ],
  ])('%s', (_, less, expected) => {
    const order: string[] = [];
    const filter = (_state: unknown, { name }: { name: string }, node: { name: string }) => {
      if (node.name === 'a') order.push(name);
      return null;
    };
    const { rig, create } = rigWith({ less, filter }, { queueSort: true });
    for (const name of ['c', 'b', 'a']) {
      create(name);
      // Another time of arrival, while the scheduler has no turn.
      rig.loop.after(0, () => {});
    }
    rig.runMillis(500);
    expect([...new Set(order)]).toEqual(expected);
  });
});

interface Queued {
  readonly podInfo: { readonly name: string };
}
