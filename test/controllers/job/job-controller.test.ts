import { beforeEach, describe, expect, test } from 'vitest';
import type { Job } from '../../../src/api/job.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { Informers } from '../../../src/client/informer/informers.ts';
import { type JobController, newJobController } from '../../../src/controllers/job/job-controller.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { type JobOptions, submittedJob } from '../../builders/make-job.ts';
import { ControlPlane } from '../control-plane.ts';
import { type Fate, PodRunner } from './pod-runner.ts';

let plane: ControlPlane;
let controller: JobController;
let events: string[];

function start(fateOf: (pod: Pod) => Fate = () => ({ seconds: 5, exitCode: 0 })): void {
  plane = new ControlPlane();
  events = [];
  plane.store.create('nodes', { metadata: { name: 'n' } });
  const recorder = { event: (_: object, __: string, reason: string) => events.push(reason) };
  const { client, informers, loop, reportError } = plane;
  controller = newJobController({ client, informers, recorder, loop, reportError });
  new PodRunner(plane, fateOf);
  controller.start();
  informers.start();
}

beforeEach(() => start());

const submit = (options: JobOptions): Job => plane.store.create('jobs', submittedJob(options));
const stored = (): Job => plane.store.get('jobs', 'default', 'job');
const trueConditions = (): string[] =>
  (stored().status?.conditions ?? []).filter(({ status }) => status === 'True').map(({ type }) => type);
const podCount = (): number => plane.store.list('pods').items.length;
const untracked = (): boolean => plane.store.list('pods').items.every(({ metadata }) => !metadata?.finalizers?.length);
const indexOf = (pod: Pod): number => Number(pod.metadata?.labels?.['batch.kubernetes.io/job-completion-index']);

describe('a Job runs to its end', () => {
  test('with completions', () => {
    submit({ completions: 5, parallelism: 2 });
    plane.runSeconds(60);
    expect(stored().status).toMatchObject({ succeeded: 5, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
    expect(trueConditions()).toEqual(['SuccessCriteriaMet', 'Complete']);
    expect(podCount()).toBe(5);
    expect(untracked()).toBe(true);
    expect(plane.reported).toEqual([]);
    expect(events.filter((reason) => reason === 'SuccessfulCreate')).toHaveLength(5);
    expect(events.at(-1)).toBe('Completed');
  });

  test('with indexes', () => {
    submit({ completionMode: 'Indexed', completions: 7, parallelism: 3 });
    plane.runSeconds(60);
    expect(stored().status).toMatchObject({ succeeded: 7, completedIndexes: '0-6' });
    expect(trueConditions()).toEqual(['SuccessCriteriaMet', 'Complete']);
  });

  test('as a work queue', () => {
    submit({ parallelism: 3 });
    plane.runSeconds(60);
    expect(stored().status).toMatchObject({ succeeded: 3 });
    expect(trueConditions()).toEqual(['SuccessCriteriaMet', 'Complete']);
  });

  test('after failures, which let it wait longer each time', () => {
    let pods = 0;
    start(() => ({ seconds: 1, exitCode: ++pods < 4 ? 1 : 0 }));
    submit({});
    plane.runSeconds(60);
    expect(stored().status).toMatchObject({ failed: 3 });
    plane.runSeconds(60);
    expect(stored().status).toMatchObject({ failed: 3, succeeded: 1 });
    expect(trueConditions()).toEqual(['SuccessCriteriaMet', 'Complete']);
  });

  test('when a success policy is met: the other pods are killed, and do not count', () => {
    start((pod) => ({ seconds: indexOf(pod) === 0 ? 2 : 900, exitCode: 0 }));
    const successPolicy = { rules: [{ succeededIndexes: '0' }] };
    submit({ completionMode: 'Indexed', completions: 3, parallelism: 3, successPolicy });
    plane.runSeconds(30);
    expect(stored().status).toMatchObject({ succeeded: 1, completedIndexes: '0' });
    expect(stored().status?.failed).toBeUndefined();
    expect(trueConditions()).toEqual(['SuccessCriteriaMet', 'Complete']);
    expect(podCount()).toBe(1);
  });
});

describe('a Job fails', () => {
  const reason = () => stored().status?.conditions?.find(({ type }) => type === 'Failed')?.reason;

  test('when it fails too often', () => {
    start(() => ({ seconds: 1, exitCode: 1 }));
    submit({ backoffLimit: 2 });
    plane.runSeconds(200);
    expect(stored().status).toMatchObject({ failed: 3 });
    expect(reason()).toBe('BackoffLimitExceeded');
    expect(untracked()).toBe(true);
  });

  test('when it takes too long; its pods count as failed', () => {
    start(() => ({ seconds: 900, exitCode: 0 }));
    submit({ completions: 3, parallelism: 3, activeDeadlineSeconds: 20 });
    plane.runSeconds(19);
    expect(trueConditions()).toEqual([]);
    plane.runSeconds(5);
    expect(stored().status).toMatchObject({ failed: 3, terminating: 0 });
    expect(reason()).toBe('DeadlineExceeded');
    expect(podCount()).toBe(0);
  });

  test('when an index fails too often, after the others ended', () => {
    start((pod) => ({ seconds: 2, exitCode: indexOf(pod) === 1 ? 1 : 0 }));
    submit({ completionMode: 'Indexed', completions: 4, parallelism: 4, backoffLimitPerIndex: 1 });
    plane.runSeconds(60);
    expect(stored().status).toMatchObject({ completedIndexes: '0,2,3', failedIndexes: '1', failed: 2 });
    expect(reason()).toBe('FailedIndexes');
  });

  test('when a policy says so', () => {
    start(() => ({ seconds: 2, exitCode: 42 }));
    const rules = [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }];
    submit({ podFailurePolicy: { rules } });
    plane.runSeconds(10);
    expect(reason()).toBe('PodFailurePolicy');
  });
});

const patch = (spec: object): Job => plane.store.patch('jobs', 'default', 'job', { type: 'merge', body: { spec } });

test('a Job that is suspended has no pods, and goes on afterwards', () => {
  submit({ completions: 2, parallelism: 2 });
  plane.runSeconds(2);
  patch({ suspend: true });
  plane.runSeconds(10);
  expect(podCount()).toBe(0);
  expect(trueConditions()).toEqual(['Suspended']);
  expect(stored().status?.startTime).toBeUndefined();
  patch({ suspend: false });
  plane.runSeconds(20);
  expect(stored().status).toMatchObject({ succeeded: 2, startTime: '2026-01-01T00:00:12Z' });
  expect(trueConditions()).toEqual(['SuccessCriteriaMet', 'Complete']);
  expect(events).toContain('Resumed');
});

test('a Job is scaled while it runs', () => {
  start(() => ({ seconds: 900, exitCode: 0 }));
  submit({ completions: 100, parallelism: 2 });
  plane.runSeconds(2);
  patch({ parallelism: 6 });
  plane.runSeconds(1);
  expect(stored().status?.active).toBe(6);
  patch({ parallelism: 1 });
  plane.runSeconds(3);
  expect(stored().status?.active).toBe(1);
  expect(podCount()).toBe(1);
});

test('a Job that is deleted leaves its pods to others, without finalizer', () => {
  start(() => ({ seconds: 900, exitCode: 0 }));
  submit({ completions: 3, parallelism: 3 });
  plane.runSeconds(2);
  expect(untracked()).toBe(false);
  plane.store.delete('jobs', 'default', 'job', { propagationPolicy: 'Background' });
  plane.runSeconds(2);
  expect(podCount()).toBe(3);
  expect(untracked()).toBe(true);
});

test('what fails is reported and tried again, later each time', () => {
  plane.isRefused = ({ verb }) => verb === 'create';
  submit({});
  plane.runSeconds(16);
  expect(plane.reported.length).toBeGreaterThanOrEqual(5);
  expect(new Set(plane.reported)).toEqual(new Set(['sync job default/job: Internal error occurred: boom']));
  plane.isRefused = () => false;
  plane.runSeconds(60);
  expect(trueConditions()).toEqual(['SuccessCriteriaMet', 'Complete']);
});

test('a restarted controller counts nothing twice', () => {
  submit({ completions: 6, parallelism: 2 });
  for (let restart = 0; restart < 6; restart++) {
    plane.runSeconds(3);
    controller.stop();
    const { client, loop, reportError } = plane;
    const informers = new Informers(plane.store, { loop, prng: new Prng(restart), reportError });
    controller = newJobController({ client, informers, recorder: { event: () => {} }, loop, reportError });
    controller.start();
    informers.start();
  }
  plane.runSeconds(60);
  expect(stored().status).toMatchObject({ succeeded: 6 });
  expect(podCount()).toBe(6);
});
