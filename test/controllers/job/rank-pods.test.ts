import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Job } from '../../../src/api/job.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { planOf } from '../../../src/controllers/job/job-plan.ts';
import { goesBefore, podsToRemove } from '../../../src/controllers/job/rank-pods.ts';
import { atSecond, type JobPodOptions, makeJob, makeJobPod } from '../../builders/make-job.ts';

const plain = makeJob();
const indexed = makeJob({ completionMode: 'Indexed', completions: 3 });
const ON_NODE = { nodeName: 'n' };

function ready(since: number | undefined, restarts = 0): JobPodOptions {
  const lastTransitionTime = since === undefined ? undefined : atSecond(since);
  return {
    spec: ON_NODE,
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }],
      containerStatuses: [{ name: 'main', restartCount: restarts }],
    },
  };
}

function restarted(containers: number, sidecars: number, created = 0): JobPodOptions {
  return {
    spec: { ...ON_NODE, initContainers: [{ name: 'side', restartPolicy: 'Always' }, { name: 'init' }] },
    metadata: { creationTimestamp: atSecond(created) },
    status: {
      phase: 'Running',
      containerStatuses: [{ name: 'main', restartCount: containers }],
      initContainerStatuses: [
        { name: 'side', restartCount: sidecars },
        { name: 'init', restartCount: 99 },
      ],
    },
  };
}

/** Pods in the order in which they are deleted, the first one first. */
const RANKING: Record<string, JobPodOptions> = {
  'no node': { phase: 'Running', isReady: true },
  pending: { phase: 'Pending', spec: ON_NODE },
  unknown: { phase: 'Unknown', spec: ON_NODE },
  'not ready, restarted': restarted(2, 0),
  'not ready, sidecar restarted': restarted(1, 3),
  'not ready, younger': restarted(1, 2, 5),
  'not ready, older': restarted(1, 2, 3),
  'ready, since nobody knows when': ready(undefined),
  'ready, briefly': ready(9, 0),
  'ready, longer, restarted': ready(4, 1),
  'ready, longer': ready(4, 0),
};

const pods = Object.entries(RANKING).map(([name, options]) => makeJobPod(plain, name, options));
const names = (list: readonly Pod[]): (string | undefined)[] => list.map(({ metadata }) => metadata?.name);

test('each pod of the ranking goes before all that follow', () => {
  for (const [i, pod] of pods.entries()) {
    expect(goesBefore(pod, pod)).toBe(false);
    for (const other of pods.slice(i + 1)) {
      expect([names([pod, other]), goesBefore(pod, other), goesBefore(other, pod)]).toEqual([
        names([pod, other]),
        true,
        false,
      ]);
    }
  }
});

test('those missed least are removed, whatever the order', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(pods), fc.nat(12), (list, count) => {
      const expected = Object.keys(RANKING).filter((name) => names(list).includes(name));
      expect(names(podsToRemove(planOf(plain), list, count))).toEqual(expected.slice(0, count));
    }),
  );
});

describe('of an indexed Job', () => {
  const remove = (count: number, ...options: JobPodOptions[]): (string | undefined)[] =>
    names(podsToRemove(planOf(indexed), podsOf(indexed, options), count));
  const podsOf = (job: Job, options: JobPodOptions[]): Pod[] => options.map((pod, i) => makeJobPod(job, `p${i}`, pod));

  test('pods without a proper index go, even if nothing is too many', () => {
    expect(remove(0, { index: 0 }, {}, { index: 'x' }, { index: 3 }, { index: 7 }, { index: 2 })).toEqual([
      'p1',
      'p2',
      'p3',
      'p4',
    ]);
  });

  test('the best pod of an index stays', () => {
    const running = { phase: 'Running', spec: ON_NODE };
    expect(remove(0, { index: 1, ...running }, { index: 1 }, { index: 1, isReady: true, ...running })).toEqual([
      'p1',
      'p0',
    ]);
  });

  test('more go only when those are not enough', () => {
    const running = { phase: 'Running', spec: ON_NODE };
    const all = [{ index: 0, ...running }, { index: 1 }, { index: 2, ...running }, { index: 2, ...running }];
    expect(remove(1, ...all)).toEqual(['p2']);
    expect(remove(2, ...all)).toEqual(['p2', 'p1']);
    expect(remove(4, ...all)).toHaveLength(4);
  });
});
