import { describe, expect, it } from 'vitest';
import {
  ActionType,
  clusterEvent,
  EVENT_ASSIGNED_POD_DELETE,
  type QueueingHint,
} from '../../../src/framework/events.ts';
import type { QueuedPodInfo } from '../../../src/scheduler/queue/queued-pod-info.ts';
import { labelGate, makeQueue, NODE_ADD, pendingPod } from '../../builders/make-queue.ts';

const QUEUE: QueueingHint = 'Queue';
const SKIP: QueueingHint = 'QueueSkip';

describe('SchedulingQueue', () => {
  it('pops by priority, then by time', () => {
    const { queue, loop, popAll } = makeQueue();
    queue.add(pendingPod('a'));
    loop.runUntil(1);
    for (const pod of [pendingPod('b'), pendingPod('c', 10)]) queue.add(pod);
    expect(popAll()).toEqual(['c', 'a', 'b']);
  });

  it('sends a pod that was tried behind those who came before its failure', () => {
    const { queue, loop, popAll, failNext } = makeQueue();
    queue.add(pendingPod('retried'));
    queue.add(pendingPod('waiting'));
    loop.runUntil(5);
    failNext('Fit');
    queue.activate([pendingPod('retried')]);
    expect(popAll()).toEqual(['waiting', 'retried']);
  });

  it('gives out a held pod only out of turn, whatever happens, until it is not held any more', () => {
    const held = new Set(['p']);
    const { queue, loop, popAll, placeOf } = makeQueue({ isHeld: (uid) => held.has(uid) });
    queue.add(pendingPod('p'));
    queue.add(pendingPod('other'));
    expect(popAll()).toEqual(['other']);
    expect(queue.popOutOfTurn('p')).toBeNull();
    held.clear();
    const popped = queue.popOutOfTurn('p') as QueuedPodInfo;
    held.add('p');
    popped.unschedulablePlugins = new Set(['Fit']);
    queue.addUnschedulableIfNotPresent(popped);
    queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, QUEUE);
    queue.activate([pendingPod('p')]);
    loop.runUntil(600_000);
    expect(popAll()).toEqual([]);
    held.clear();
    queue.activate([pendingPod('p')]);
    expect(placeOf('p')).toBe('active');
  });

  it('keeps a rejected pod until an event helps it: to back-off first, then to active', () => {
    const { queue, loop, failNext, placeOf } = makeQueue();
    queue.add(pendingPod('p'));
    failNext('Fit');
    queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, SKIP);
    expect(placeOf('p')).toBe('unschedulable');
    queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, QUEUE);
    expect(placeOf('p')).toBe('backoff');
    loop.runUntil(2000);
    expect(placeOf('p')).toBe('active');
  });

  it('moves a pod whose back-off is over straight to active', () => {
    const { queue, loop, failNext, placeOf } = makeQueue();
    queue.add(pendingPod('p'));
    failNext('Fit');
    loop.runUntil(60_000);
    queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, QUEUE);
    expect(placeOf('p')).toBe('active');
  });

  it('pops from back-off when nothing is active, but not pods that met an error', () => {
    const { queue, failNext, popAll, placeOf } = makeQueue();
    queue.add(pendingPod('rejected', 1));
    queue.add(pendingPod('failed'));
    failNext('Fit');
    failNext();
    queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, QUEUE);
    expect([placeOf('rejected'), placeOf('failed')]).toEqual(['backoff', 'errorBackoff']);
    expect(popAll()).toEqual(['rejected']);
  });

  it('skips the back-off for a plugin that waited', () => {
    const { queue, placeOf } = makeQueue();
    queue.add(pendingPod('p'));
    const queued = queue.pop() as QueuedPodInfo;
    queued.unschedulablePlugins = new Set(['Fit']);
    queued.pendingPlugins = new Set(['Fit']);
    queue.addUnschedulableIfNotPresent(queued);
    queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, QUEUE);
    expect(placeOf('p')).toBe('active');
  });

  it('judges a pod that comes back by what happened while it was in flight', () => {
    const { queue, failNext, placeOf } = makeQueue();
    queue.add(pendingPod('a', 1));
    queue.add(pendingPod('b'));
    const a = queue.pop() as QueuedPodInfo;
    queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, QUEUE);
    failNext('Fit');
    expect(placeOf('b')).toBe('unschedulable');
    a.unschedulablePlugins = new Set(['Fit']);
    queue.addUnschedulableIfNotPresent(a);
    expect(placeOf('a')).toBe('backoff');
    expect(queue.inFlightEvents()).toEqual([]);
  });

  it('remembers an activation of a pod in flight, for that pod only', () => {
    const { queue, placeOf } = makeQueue();
    const pods = ['a', 'b'].map((name) => {
      queue.add(pendingPod(name));
      return queue.pop() as QueuedPodInfo;
    });
    queue.activate([pendingPod('a')]);
    for (const pod of pods) {
      pod.unschedulablePlugins = new Set(['Fit']);
      queue.addUnschedulableIfNotPresent(pod);
    }
    expect([placeOf('a'), placeOf('b')]).toEqual(['backoff', 'unschedulable']);
  });

  it('ignores events for which no plugin has registered', () => {
    const { queue } = makeQueue();
    queue.add(pendingPod('p'));
    queue.pop();
    queue.moveAllToActiveOrBackoffQueue(clusterEvent('Node', ActionType.Delete), undefined, QUEUE);
    expect(queue.inFlightEvents()).toEqual([]);
    expect([queue.hints.isOfInterest(NODE_ADD), queue.hints.isOfInterest(EVENT_ASSIGNED_POD_DELETE)]).toEqual([
      true,
      false,
    ]);
  });

  it('asks only the pods that an event can concern', () => {
    const { queue, failNext, placeOf } = makeQueue();
    for (const name of ['a', 'b']) queue.add(pendingPod(name));
    for (const _ of ['a', 'b']) failNext('Fit');
    queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, QUEUE, (pod) => pod.name === 'b');
    expect([placeOf('a'), placeOf('b')]).toEqual(['unschedulable', 'backoff']);
  });

  it('tries a pod after more than five minutes, whatever happened', () => {
    const { queue, loop, failNext, placeOf } = makeQueue();
    loop.runUntil(1);
    queue.add(pendingPod('p'));
    failNext('Fit');
    loop.runUntil(329_999);
    expect(placeOf('p')).toBe('unschedulable');
    loop.runUntil(330_000);
    expect(placeOf('p')).toBe('active');
  });

  it('counts what became of the attempts', () => {
    const { queue, failNext } = makeQueue();
    queue.add(pendingPod('p'));
    const queued = failNext('Fit');
    for (const rejectors of [[], [], ['Fit']]) {
      queue.activate([pendingPod('p')]);
      failNext(...rejectors);
      const { attempts, unschedulableCount, consecutiveErrorsCount } = queued;
      if (rejectors.length > 0) expect([attempts, unschedulableCount, consecutiveErrorsCount]).toEqual([4, 2, 0]);
    }
  });

  it('takes no pod back that waits already', () => {
    const { queue, placeOf } = makeQueue();
    queue.add(pendingPod('p'));
    const tried = queue.pop() as QueuedPodInfo;
    queue.add(pendingPod('p'));
    expect(queue.addUnschedulableIfNotPresent(tried)).toBe(false);
    expect(placeOf('p')).toBe('active');
    expect(queue.isInFlight('p')).toBe(false);
  });

  it('throws a pod away that is popped while it is in flight', () => {
    const { queue, popAll } = makeQueue();
    queue.add(pendingPod('p'));
    queue.pop();
    queue.add(pendingPod('p'));
    queue.add(pendingPod('q'));
    expect(popAll()).toEqual(['q']);
  });

  it('says when there is something to pop', () => {
    const rig = makeQueue({ gates: [labelGate('hold')] });
    rig.queue.add(pendingPod('gated', 0, { metadata: { labels: { hold: '' } } }));
    expect(rig.wasReady).toBe(false);
    rig.queue.add(pendingPod('p'));
    expect(rig.wasReady).toBe(true);
  });

  it('starts no timer before it runs, and none after it is closed', () => {
    const { queue, loop, failNext, placeOf } = makeQueue();
    queue.close();
    queue.add(pendingPod('p'));
    failNext();
    loop.runUntil(60_000);
    expect(placeOf('p')).toBe('errorBackoff');
    queue.run();
    loop.runUntil(61_000);
    expect(placeOf('p')).toBe('active');
  });
});

describe('SchedulingQueue: updates', () => {
  it('lets a pod help itself', () => {
    const { queue, failNext, placeOf } = makeQueue({ plugins: [LISTENS_TO_LABELS] });
    queue.add(pendingPod('p'));
    failNext('Labels');
    queue.update(pendingPod('p'), pendingPod('p', 0, { metadata: { annotations: { a: 'b' } } }));
    expect(placeOf('p')).toBe('unschedulable');
    queue.update(pendingPod('p'), pendingPod('p', 0, { metadata: { labels: { a: 'b' } } }));
    expect(placeOf('p')).toBe('backoff');
  });

  it('keeps an update of a pod in flight for its return', () => {
    const { queue, placeOf } = makeQueue({ plugins: [LISTENS_TO_LABELS] });
    queue.add(pendingPod('p'));
    const queued = queue.pop() as QueuedPodInfo;
    queue.update(pendingPod('p'), pendingPod('p', 0, { metadata: { labels: { a: 'b' } } }));
    expect(placeOf('p')).toBe('inFlight');
    queued.unschedulablePlugins = new Set(['Labels']);
    queue.addUnschedulableIfNotPresent(queued);
    expect(placeOf('p')).toBe('backoff');
  });

  it('takes the newer object wherever the pod waits, and adds a pod that it does not know', () => {
    const { queue, failNext } = makeQueue();
    const changed = (name: string) => pendingPod(name, 7);
    for (const name of ['failed', 'active']) queue.add(pendingPod(name));
    failNext();
    for (const name of ['active', 'failed', 'new']) queue.update(pendingPod(name), changed(name));
    expect([...queue.pendingPods()].map(({ podInfo }) => [podInfo.name, podInfo.priority]).sort()).toEqual([
      ['active', 7],
      ['failed', 7],
      ['new', 7],
    ]);
  });

  it('forgets a deleted pod wherever it waits; one in flight is done when it comes back', () => {
    const { queue, failNext, placeOf, popAll } = makeQueue();
    for (const name of ['unschedulable', 'failed', 'active', 'tried']) {
      queue.add(pendingPod(name));
      if (name === 'unschedulable') failNext('Fit');
      if (name === 'failed') failNext();
    }
    queue.pop();
    for (const name of ['unschedulable', 'failed', 'active', 'tried', 'nobody']) queue.delete(pendingPod(name));
    expect([...queue.pendingPods()]).toEqual([]);
    expect(popAll()).toEqual([]);
    expect(placeOf('active')).toBe('inFlight');
    queue.done('active');
    expect(placeOf('active')).toBe('none');
  });
});

describe('SchedulingQueue: gates', () => {
  const held = (name: string) => pendingPod(name, 0, { metadata: { labels: { hold: '' } } });

  it('keeps a pod out that a PreEnqueue plugin does not let in, until an event of that plugin', () => {
    const { queue, loop, placeOf } = makeQueue({ gates: [labelGate('hold')], plugins: [LISTENS_TO_LABELS] });
    queue.add(held('p'));
    expect([placeOf('p'), queue.queuedPod('p')?.gatingPlugin]).toEqual(['gated', 'hold']);
    loop.runUntil(3_600_000);
    queue.activate([held('p')]);
    queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, QUEUE);
    expect(placeOf('p')).toBe('gated');
    queue.update(held('p'), pendingPod('p'));
    expect(placeOf('p')).toBe('gated');
    queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, QUEUE);
    expect(placeOf('p')).toBe('active');
  });

  it('asks on the way to back-off, and not again when the pod leaves it', () => {
    const { queue, loop, failNext, placeOf } = makeQueue({ gates: [labelGate('hold')] });
    queue.add(pendingPod('p'));
    failNext('Fit');
    queue.update(pendingPod('p'), held('p'));
    queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, QUEUE);
    expect(placeOf('p')).toBe('gated');
    queue.add(pendingPod('q'));
    failNext();
    queue.update(pendingPod('q'), held('q'));
    loop.runUntil(5000);
    expect(placeOf('q')).toBe('active');
  });

  it('asks the plugin that gates a pod before the others, and them only when it lets the pod in', () => {
    const { queue, placeOf } = makeQueue({ gates: [labelGate('first'), labelGate('second')] });
    const labelled = (...names: string[]) =>
      pendingPod('p', 0, { metadata: { labels: Object.fromEntries(names.map((name) => [name, ''])) } });
    const gated = () => [queue.queuedPod('p')?.gatingPlugin, [...(queue.queuedPod('p')?.unschedulablePlugins ?? [])]];
    queue.add(labelled('second'));
    queue.update(labelled('second'), labelled('first', 'second'));
    queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, QUEUE);
    expect(gated()).toEqual(['second', ['second']]);
    queue.update(labelled('first', 'second'), labelled('first'));
    queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, QUEUE);
    expect(gated()).toEqual(['first', ['second', 'first']]);
    queue.update(labelled('first'), labelled());
    queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, QUEUE);
    expect(placeOf('p')).toBe('active');
  });

  it('keeps a pod out of which a plugin cannot say', () => {
    const broken = {
      name: 'Broken',
      preEnqueue: () => {
        throw new Error('no idea');
      },
    };
    const { queue, placeOf } = makeQueue({ gates: [broken] });
    queue.add(pendingPod('p'));
    expect([placeOf('p'), queue.queuedPod('p')?.gatingPlugin]).toEqual(['gated', 'Broken']);
  });
});

const LISTENS_TO_LABELS = {
  name: 'Labels',
  eventsToRegister: () => [{ event: clusterEvent('Pod', ActionType.UpdatePodLabel) }],
};
