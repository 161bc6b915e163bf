import { describe, expect, test } from 'vitest';
import { Cluster } from '../../../src/cluster/cluster.ts';
import type { UserPlugin } from '../../../src/index.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { configurationWith } from '../../core/user-plugins/lab-plugin.ts';
import { START_MILLIS } from '../world.ts';
import { ForgottenPods } from './forgotten-pods.ts';

/** A plugin keeps the pod away until half a minute has passed; what is found in the two minutes from the start on. */
function violations(eventsToRegister: UserPlugin['eventsToRegister']): string[] {
  const loop = new VirtualEventLoop(START_MILLIS);
  const isClosed = (): boolean => loop.nowMillis() < START_MILLIS + 30_000;
  const Closed = (): UserPlugin => ({
    name: 'Closed',
    ...(eventsToRegister && { eventsToRegister }),
    filter: () => (isClosed() ? { code: 'Unschedulable', reasons: ['not yet'] } : null),
  });
  const plugins = { Closed };
  const scheduler = { plugins, configuration: configurationWith(plugins) };
  const cluster = new Cluster({ seed: 1, loop, scheduler });
  cluster.start();
  cluster.store.create('nodes', makeNode('a'));
  cluster.store.create('pods', makePod('p'));
  loop.after(40_000, () => void cluster.store.create('nodes', makeNode('b')));
  const found: string[] = [];
  const forgotten = new ForgottenPods(cluster, (invariant, detail) => found.push(`${invariant}: ${detail}`));
  for (let second = 1; second <= 120; second++) {
    loop.runUntil(START_MILLIS + second * 1000);
    if (!isClosed()) forgotten.check(loop.nowMillis(), cluster.store.list('pods').items.length);
  }
  cluster.stop();
  return found;
}

describe('forgotten pods', () => {
  test('a pod that no event brings back, and that fits, is one', () => {
    expect(violations(() => [])[0]).toBe(
      'a pod that fits is not left unschedulable: p, rejected by Closed, for 20000 ms',
    );
  });

  test('one that the next event brings back is none', () => {
    expect(violations(undefined)).toEqual([]);
  });
});
