import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CronJob, CronJobSpec } from '../../../src/api/cron-job.ts';
import { hasTrueCondition, isJobFinished, type Job } from '../../../src/api/job.ts';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { PodRunner } from '../../../src/simulation/pod-runner/pod-runner.ts';
import { runs } from '../../builders/runs.ts';

const MINUTE = 60_000;

let cluster: Cluster;
let recorded: string[];

function start(fate: { readonly runMillis: number; readonly exitCode?: number }): Cluster {
  const lines: string[] = [];
  const made = new Cluster({ onLogLine: (line) => lines.push(line) });
  new PodRunner(made, { fateOf: () => fate });
  made.start();
  recorded = lines;
  return made;
}

beforeEach(() => {
  cluster = start({ runMillis: 10_000 });
});

const create = (spec: Partial<CronJobSpec> = {}, of = cluster): CronJob =>
  of.store.create('cronjobs', {
    metadata: { name: 'c', namespace: 'default' },
    spec: {
      schedule: '*/10 * * * *',
      jobTemplate: {
        metadata: { labels: { from: 'cron' } },
        spec: {
          backoffLimit: 0,
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i:1' }] } },
        },
      },
      ...spec,
    },
  });
const patch = (spec: object) => cluster.store.patch('cronjobs', 'default', 'c', { type: 'merge', body: { spec } });
const cronJob = (of = cluster) => of.store.get('cronjobs', 'default', 'c');
const jobs = (of = cluster): readonly Job[] => of.store.list('jobs').items;
const minutes = (list: readonly Job[]) =>
  list.map(({ metadata }) => (Number(metadata?.name?.slice(2)) * MINUTE - START) / MINUTE);
const reasons = (reason: string) =>
  recorded.filter((line) => line.includes(` ${reason} of CronJob`) && line.includes(' recorded ')).length;
const START = Date.UTC(2026, 0, 1);

describe('CronJobController', () => {
  it('makes a Job at each time of the schedule, and keeps three that succeeded', () => {
    const { metadata } = create();
    cluster.runFor(65 * MINUTE);
    expect(minutes(jobs())).toEqual([40, 50, 60]);
    const [job] = jobs();
    expect(job?.metadata).toMatchObject({
      labels: { from: 'cron' },
      annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T00:40:00Z' },
    });
    expect(job?.metadata?.ownerReferences).toEqual([
      {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        name: 'c',
        uid: metadata?.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    expect(cronJob().status).toEqual({
      lastScheduleTime: '2026-01-01T01:00:00Z',
      lastSuccessfulTime: jobs()[2]?.status?.completionTime,
    });
  });

  it('keeps one Job that failed', () => {
    cluster = start({ runMillis: 1000, exitCode: 1 });
    create();
    cluster.runFor(65 * MINUTE);
    expect(minutes(jobs())).toEqual([60]);
    expect(hasTrueCondition(jobs()[0] ?? {}, 'Failed')).toBe(true);
  });

  it('knows time zones', () => {
    create({ schedule: '30 5 * * *', timeZone: 'Asia/Kolkata' });
    cluster.runFor(10 * MINUTE);
    expect(jobs()).toEqual([]);
    // Half past five in Kolkata is midnight in UTC.
    cluster.runFor(24 * 60 * MINUTE);
    expect(minutes(jobs())).toEqual([24 * 60]);
    const annotations = { 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-02T05:30:00+05:30' };
    expect(jobs()[0]?.metadata?.annotations).toEqual(annotations);
  });

  it('makes nothing for a date that never comes, and says so', () => {
    create({ schedule: '59 23 31 2 *' });
    cluster.runFor(MINUTE);
    const why = 'invalid schedule: 59 23 31 2 * : time difference between two schedules is less than 1 second';
    expect(recorded.filter((line) => line.includes(why))).toHaveLength(1);
    expect(jobs()).toEqual([]);
  });

  it('makes the first Job of another schedule at its next time', () => {
    create({ schedule: '0 0 * * *' });
    cluster.runFor(33 * MINUTE);
    patch({ schedule: '*/10 * * * *' });
    cluster.runFor(6 * MINUTE);
    expect(jobs()).toEqual([]);
    cluster.runFor(2 * MINUTE);
    expect(minutes(jobs())).toEqual([40]);
  });

  it('leaves a Job of somebody else whose name it would have taken, and waits for a change', () => {
    create();
    const name = `c-${START / MINUTE + 10}`;
    const spec = cronJob().spec?.jobTemplate?.spec;
    cluster.store.create('jobs', { metadata: { name, namespace: 'default' }, ...(spec && { spec }) });
    cluster.runFor(15 * MINUTE);
    expect(minutes(jobs())).toEqual([10]);
    expect(cronJob().status?.lastScheduleTime).toBeUndefined();
    expect(reasons('FailedCreate')).toBe(0);
  });

  it('makes nothing while it is suspended, and then only the last time that it missed', () => {
    create({ suspend: true });
    cluster.runFor(35 * MINUTE);
    expect(jobs()).toEqual([]);
    patch({ suspend: false });
    cluster.runFor(MINUTE);
    expect(minutes(jobs())).toEqual([30]);
  });

  it('gives up a time that is too late', () => {
    create({ suspend: true, startingDeadlineSeconds: 120 });
    cluster.runFor(35 * MINUTE);
    patch({ suspend: false });
    cluster.runFor(MINUTE);
    expect(jobs()).toEqual([]);
    cluster.runFor(5 * MINUTE);
    expect(minutes(jobs())).toEqual([40]);
  });

  it('warns when it missed more than a hundred times', () => {
    create({ schedule: '* * * * *', suspend: true });
    cluster.runFor(120 * MINUTE);
    patch({ suspend: false });
    cluster.runFor(1000);
    expect(reasons('TooManyMissedTimes')).toBeGreaterThan(0);
    expect(minutes(jobs())).toEqual([120]);
  });

  it.each([
    ['Allow', [0, 10, 20, 30, 40, 50, 60].slice(1)],
    // The last time that was missed is made up for when the Job before has ended.
    ['Forbid', [10, 20, 40, 50]],
    ['Replace', [60]],
  ])('with %s and Jobs of fifteen minutes', (concurrencyPolicy, expected) => {
    cluster = start({ runMillis: 15 * MINUTE });
    create({ concurrencyPolicy, successfulJobsHistoryLimit: 100 });
    cluster.runFor(62 * MINUTE);
    expect(minutes(jobs())).toEqual(expected);
    expect(cronJob().status?.active?.map(({ name }) => name)).toEqual(
      jobs()
        .filter((job) => !isJobFinished(job))
        .map(({ metadata }) => metadata?.name),
    );
  });

  it('forgets a Job that somebody has deleted, and wonders about one that it did not make', () => {
    cluster = start({ runMillis: 60 * MINUTE });
    const { metadata } = create();
    cluster.runFor(12 * MINUTE);
    cluster.store.delete('jobs', 'default', jobs()[0]?.metadata?.name ?? '', { propagationPolicy: 'Background' });
    cluster.runFor(MINUTE);
    expect(cronJob().status?.active).toBeUndefined();
    expect(reasons('MissingJob')).toBe(1);
    const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'c', uid: metadata?.uid ?? '', controller: true };
    const spec = cronJob().spec?.jobTemplate?.spec;
    cluster.store.create('jobs', { metadata: { name: 'by-hand', ownerReferences: [owner] }, ...(spec && { spec }) });
    cluster.runFor(MINUTE);
    expect(reasons('UnexpectedJob')).toBeGreaterThan(0);
  });

  it('never runs two at a time with Forbid or Replace, makes each time once, and keeps to its limits', () => {
    const input = fc.record({
      every: fc.constantFrom('*/3 * * * *', '*/7 * * * *', '1,2,30 * * * *', '@every 4m'),
      concurrencyPolicy: fc.constantFrom('Allow', 'Forbid', 'Replace'),
      runMillis: fc.integer({ min: 1000, max: 12 * MINUTE }),
      ...{ exitCode: fc.constantFrom(0, 1), limit: fc.integer({ min: 0, max: 3 }) },
    });
    fc.assert(
      fc.property(input, ({ every, concurrencyPolicy, limit, ...fate }) => {
        const own = start(fate);
        const limits = { successfulJobsHistoryLimit: limit, failedJobsHistoryLimit: limit };
        create({ schedule: every, concurrencyPolicy, ...limits }, own);
        const seen = new Set<string>();
        for (let i = 0; i < 90; i++) {
          own.runFor(MINUTE);
          const live = jobs(own).filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
          const running = live.filter((job) => !isJobFinished(job));
          if (concurrencyPolicy !== 'Allow') expect(running.length).toBeLessThanOrEqual(1);
          expect(live.length - running.length).toBeLessThanOrEqual(limit);
          for (const { metadata } of live) seen.add(metadata?.name ?? '');
        }
        const made = recorded.filter((line) => line.includes('recorded Normal SuccessfulCreate of CronJob'));
        expect(new Set(made.map((line) => line.split('Created job ')[1])).size).toBe(made.length);
        if (concurrencyPolicy === 'Allow' && every === '*/3 * * * *') expect(made).toHaveLength(30);
        expect(seen.size).toBeLessThanOrEqual(made.length);
      }),
      { numRuns: runs(5) },
    );
  });
});
