import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/api/job.ts';
import { JobCounts } from '../../../src/simulation/statistics/job-counts.ts';
import { berth } from '../../cli/run-berth.ts';

function job(name: string, namespace: string, queue?: string, condition?: 'Complete' | 'Failed'): Job {
  return {
    metadata: {
      name,
      namespace,
      uid: name,
      ...(queue !== undefined && { labels: { 'kueue.x-k8s.io/queue-name': queue } }),
    },
    ...(condition !== undefined && { status: { conditions: [{ type: condition, status: 'True' }] } }),
  };
}

describe('JobCounts', () => {
  it('knows the Jobs of each queue, and how long they took', () => {
    const counts = new JobCounts();
    counts.set(job('a', 'team', 'fast'), 1000);
    counts.set(job('b', 'team', 'fast'), 2000);
    counts.set(job('c', 'team'), 2000);
    counts.set(job('a', 'team', 'fast', 'Complete'), 5000);
    counts.set(job('b', 'team', 'fast', 'Failed'), 5000);
    expect([...counts.queues]).toEqual([
      ['team/fast', { created: 2, complete: 1, failed: 1, durationsMillis: [4000, 3000] }],
      ['team', { created: 1, complete: 0, failed: 0, durationsMillis: [] }],
    ]);
    expect(counts.durationsMillis).toEqual([4000, 3000]);
  });
});

const WORK = ['fast', 'slow']
  .map(
    (queue, i) => `kind: Job
apiVersion: batch/v1
metadata: {name: ${queue}, labels: {kueue.x-k8s.io/queue-name: ${queue}}}
spec:
  template:
    metadata: {annotations: {berth.dev/run-duration: ${10 * (i + 1)}s}}
    spec: {restartPolicy: Never, containers: [{name: c, image: i}]}
---
`,
  )
  .join('');

describe('berth simulate', () => {
  it('shows percentiles by queue, where there are several', async () => {
    const argv = ['simulate', '-f', 'w.yaml', '--nodes', '2'];
    const { out } = await berth(argv, { 'w.yaml': WORK });
    expect(out).toMatch(/^time of a job in default\/fast +p50 1\d\.\d+s, .* \(of 1\)$/m);
    expect(out).toMatch(/^time of a job in default\/slow +p50 2\d\.\d+s, .* \(of 1\)$/m);
    const { jobs } = JSON.parse((await berth([...argv, '-o', 'json'], { 'w.yaml': WORK })).out);
    expect(jobs.queues).toMatchObject([
      { queue: 'default/fast', created: 1, complete: 1, failed: 0 },
      { queue: 'default/slow', created: 1, complete: 1, failed: 0 },
    ]);
  });

  it('compares queues over configurations, plans of faults and seeds in one table', async () => {
    const plan = (at: string) =>
      `apiVersion: berth.dev/v1alpha1\nkind: Faults\n` +
      `faults: [{fault: storeConflicts, share: 0.1, at: ${at}, for: 5s}]\n`;
    const config = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
    const files = { 'w.yaml': WORK, 'f1.yaml': plan('1s'), 'f2.yaml': plan('3s'), 'a.yaml': config, 'b.yaml': config };
    const argv = ['simulate', '-f', 'w.yaml', '--nodes', '2', '--seeds', '1..2', '--compare', 'a.yaml', 'b.yaml'];
    const { code, out } = await berth([...argv, '--compare-faults', 'f1.yaml', 'f2.yaml', '-o', 'json'], files);
    expect(code).toBe(0);
    const { figures } = JSON.parse(out);
    const rows = figures.filter(({ figure }: { figure: string }) => figure === 'time of a job in default/fast, p99');
    expect(rows.map(({ variant, runs }: { variant: string; runs: number }) => [variant, runs])).toEqual([
      ['a.yaml f1.yaml', 2],
      ['a.yaml f2.yaml', 2],
      ['b.yaml f1.yaml', 2],
      ['b.yaml f2.yaml', 2],
    ]);
  });
});
