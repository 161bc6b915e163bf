import { expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { removedFinalizer } from '../../../src/controllers/job/claim-pods.ts';
import { makeJobPod, submittedJob } from '../../builders/make-job.ts';
import { Mirror, uidOf } from '../mirror.ts';
import type { Request } from '../recording-client.ts';
import { JobAccounting } from './job-accounting.ts';

/** A Job with a pod, both written by the test, and what the judge finds. */
function watched() {
  const { store } = new Cluster({});
  const violations: string[] = [];
  let cached: Pod | undefined;
  const accounting = new JobAccounting(
    new Mirror(store),
    () => cached,
    (invariant, detail) => violations.push(`${invariant}: ${detail}`),
  );
  const job = store.create('jobs', submittedJob({ completions: 9 }));
  const spec = { containers: [{ name: 'main', image: 'app:1' }] };
  const created = store.create('pods', makeJobPod(job, 'a', { spec }));
  const pod = store.updateStatus('pods', { ...created, status: { phase: 'Failed' } });
  cached = pod;
  const uid = uidOf(pod);
  let failed = 0;
  return {
    violations,
    uid,
    /** The controller lists the pod, and counts it. */
    count: (): void => {
      for (const uncounted of [[uid], []]) {
        if (uncounted.length === 0) failed++;
        const status = { failed, uncountedTerminatedPods: { failed: uncounted } };
        store.updateStatus('jobs', { ...store.get('jobs', 'default', 'job'), status });
      }
    },
    /** The controller asks for the removal of the finalizer. */
    release: (outcome: Request['outcome']): void => {
      const what = { verb: 'patch', resource: 'pods', namespace: 'default', name: 'a' } as const;
      accounting.requested({ ...what, pod: undefined, outcome, body: removedFinalizer });
    },
    show: (change: (pod: Pod) => Pod | undefined): void => {
      cached = change(pod);
    },
  };
}

test('a pod that is gone counts again, once, when the cache shows the finalizer that could not be removed', () => {
  const { count, release, violations, uid } = watched();
  count();
  release('missing');
  count();
  release('missing');
  count();
  expect(violations).toEqual([]);
  count();
  expect(violations[0]).toBe(`Job counts = real pods: Job job counts ${uid} again`);
});

test.each(['done', 'lost', 'refused'] as const)('a pod whose release was %s counts once', (outcome) => {
  const { count, release, violations, uid } = watched();
  count();
  expect(violations).toEqual([]);
  release(outcome);
  count();
  expect(violations[0]).toBe(`Job counts = real pods: Job job counts ${uid} again`);
});

test('a pod that the cache shows as gone or without finalizer counts once', () => {
  for (const change of [() => undefined, (pod: Pod) => ({ ...pod, metadata: { ...pod.metadata, finalizers: [] } })]) {
    const { count, release, show, violations, uid } = watched();
    count();
    show(change);
    release('missing');
    count();
    expect(violations[0]).toBe(`Job counts = real pods: Job job counts ${uid} again`);
  }
});

test('a pod that was not counted before its release counts once', () => {
  const { count, release, violations } = watched();
  release('missing');
  count();
  expect(violations).toEqual([]);
  count();
  expect(violations).not.toEqual([]);
});
