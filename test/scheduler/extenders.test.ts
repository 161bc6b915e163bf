import { describe, expect, it } from 'vitest';
import { checkConfiguration } from '../../src/caller/load-configuration.ts';
import { API_VERSION } from '../../src/config/decode/group-version.ts';
import type { ExtenderRequest, ExtenderResponse } from '../../src/framework/extender-calls.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { SchedulerRig } from './scheduler-rig.ts';

const GPU = 'example.com/gpu';
const ANSWER_MILLIS = 200;

/** A transport that delivers the result of `answer` after a while. */
function rigWith(extender: object, answer: (request: ExtenderRequest) => ExtenderResponse): SchedulerRig {
  const extenders = [{ urlPrefix: 'http://e', nodeCacheCapable: true, managedResources: [{ name: GPU }], ...extender }];
  const loaded = checkConfiguration({ apiVersion: API_VERSION, kind: 'KubeSchedulerConfiguration', extenders });
  if (!loaded.ok) throw new Error(loaded.errors[0]?.message);
  const rig: SchedulerRig = new SchedulerRig({
    configuration: loaded.configuration,
    extenderTransport: {
      send: (request, done) => rig.loop.after(ANSWER_MILLIS, () => done(answer(request))),
    },
  });
  for (const name of ['a', 'b']) rig.store.create('nodes', makeNode(name, { allocatable: { [GPU]: '4' } }));
  rig.runMillis(10);
  return rig;
}

const only = (...nodenames: string[]): ExtenderResponse => ({ status: 200, body: JSON.stringify({ nodenames }) });
const gpuPod = (name: string) => makePod(name, { requests: { [GPU]: 1 } });

describe('extenders of a scheduler on a store', () => {
  it('are waited for, and no other attempt begins meanwhile', () => {
    const rig = rigWith({ filterVerb: 'filter' }, () => only('b'));
    rig.store.create('pods', gpuPod('p'));
    rig.store.create('pods', makePod('plain'));
    rig.runMillis(ANSWER_MILLIS / 2);
    expect([rig.nodeOf('p'), rig.nodeOf('plain')]).toEqual(['', '']);
    rig.runMillis(ANSWER_MILLIS);
    expect(rig.nodeOf('p')).toBe('b');
    expect(rig.nodeOf('plain')).not.toBe('');
    expect(rig.events.map(({ pod }) => pod)).toEqual(['p', 'plain']);
  });

  it('that reject every node leave the pod to any event', () => {
    let answer = only();
    const rig = rigWith({ filterVerb: 'filter' }, () => answer);
    rig.store.create('pods', gpuPod('p'));
    // The update of the pod's own condition is an event, too; the same condition again is none.
    rig.runMillis(3 * ANSWER_MILLIS);
    const [waiting] = [...rig.scheduler.queue.pendingPods()];
    expect([...(waiting?.unschedulablePlugins ?? [])]).toEqual(['Extender']);
    answer = only('a');
    rig.store.create('nodes', makeNode('c'));
    rig.runMillis(3000);
    expect(rig.nodeOf('p')).toBe('a');
  });

  it('that fail are an error of the pod alone', () => {
    const rig = rigWith({ filterVerb: 'filter' }, () => ({ error: 'connection refused' }));
    rig.store.create('pods', gpuPod('p'));
    rig.store.create('pods', makePod('plain'));
    rig.runMillis(ANSWER_MILLIS + 10);
    expect(rig.nodeOf('plain')).not.toBe('');
    expect(rig.pod('p').status?.conditions?.[0]).toMatchObject({ reason: 'SchedulerError' });
    expect(rig.events.find(({ pod }) => pod === 'p')?.note).toContain('connection refused');
  });

  it('bind in the binding cycle, beside which others are scheduled', () => {
    const rig = rigWith({ bindVerb: 'bind' }, ({ body }) => {
      const { PodName, Node } = JSON.parse(body) as { PodName: string; Node: string };
      rig.store.bind('default', PodName, { target: { name: Node } });
      return { status: 200, body: '{}' };
    });
    rig.store.create('pods', gpuPod('p'));
    rig.store.create('pods', makePod('plain'));
    rig.runMillis(ANSWER_MILLIS / 2);
    expect(rig.nodeOf('plain')).not.toBe('');
    expect(rig.nodeOf('p')).toBe('');
    rig.runMillis(ANSWER_MILLIS);
    expect(rig.nodeOf('p')).not.toBe('');
    expect(rig.events.map(({ pod, reason }) => `${pod} ${reason}`)).toEqual(['plain Scheduled', 'p Scheduled']);
  });

  it('that cannot bind give the room back', () => {
    const rig = rigWith({ bindVerb: 'bind' }, () => ({ status: 200, body: '{"error": "no"}' }));
    rig.store.create('pods', gpuPod('p'));
    rig.runMillis(ANSWER_MILLIS + 10);
    expect(rig.scheduler.cache.podCount).toBe(0);
    expect(rig.pod('p').status?.conditions?.[0]).toMatchObject({ reason: 'SchedulerError', message: 'no' });
  });
});
