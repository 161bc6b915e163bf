import { expect, it } from 'vitest';
import { QueuePlaces } from '../../../src/scheduler/queue/queue-places.ts';
import { QueuedPodInfo } from '../../../src/scheduler/queue/queued-pod-info.ts';
import { QueueingHints } from '../../../src/scheduler/queue/queueing-hints.ts';
import { UnschedulablePods } from '../../../src/scheduler/queue/unschedulable-pods.ts';
import { pendingPodInfo } from '../../builders/make-queue.ts';

/** Every pod may leave its back-off early. */
const ANY = (): boolean => true;

function placesWith(...names: readonly string[]): { places: QueuePlaces; pods: QueuedPodInfo[] } {
  const limits = { podInitialBackoffMillis: 1000, podMaxBackoffMillis: 10_000 };
  const places = new QueuePlaces(limits, undefined, new UnschedulablePods(new QueueingHints([])));
  const pods = names.map((name, i) => new QueuedPodInfo(pendingPodInfo(name), 0, i));
  for (const pod of pods) places.put(pod, 'active');
  return { places, pods };
}

it('QueuePlaces: a pod leaves the place that it was in', () => {
  const { places, pods } = placesWith('p');
  const [pod] = pods as [QueuedPodInfo];
  pod.unschedulablePlugins = new Set(['Fit']);
  for (const place of ['unschedulable', 'unschedulable', 'backoff', 'active', 'backoff'] as const) {
    places.put(pod, place);
    expect([pod.place, places.unschedulable.size, places.backoff.length]).toEqual([
      place,
      place === 'unschedulable' ? 1 : 0,
      place === 'backoff' ? 1 : 0,
    ]);
  }
  expect(places.takeNext(ANY)).toBe(pod);
  expect([pod.place, places.takeNext(ANY), places.get('p'), [...places.all()]]).toEqual([
    null,
    undefined,
    undefined,
    [],
  ]);
});

it('QueuePlaces: a pod that is removed is nowhere', () => {
  const { places, pods } = placesWith('a', 'b');
  places.remove(pods[0] as QueuedPodInfo);
  expect([places.get('a'), places.takeNext(ANY), places.takeNext(ANY)]).toEqual([undefined, pods[1], undefined]);
});
