import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/api/job.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { alibabaBatchWorkload } from '../../../src/simulation/workload/alibaba-batch.ts';
import type { Arrival } from '../../../src/simulation/workload/arrival.ts';

const GIB = 2 ** 30;
const TASKS = `M1,2,j_1,1,Terminated,100,160,100,0.5
R2_1,1,j_1,1,Terminated,160,190,50,0.25
task_Nzg3==,3,j_2,11,Failed,90,95,,
M1,1,j_3,1,Running,120,0,200,1
`;

function arrivalsOf(text: string): Arrival[] {
  const iterator = alibabaBatchWorkload({ name: 'tasks.csv', text }, 400 * GIB).arrivals(new Prng(1));
  const arrivals: Arrival[] = [];
  for (let next = iterator.next(); !next.done; next = iterator.next()) arrivals.push(next.value);
  return arrivals;
}

function jobsOf(text: string): Record<string, { readonly atMillis: number; readonly job: Job }> {
  return Object.fromEntries(
    arrivalsOf(text).map(({ atMillis, object }) => [object.metadata?.name ?? '', { atMillis, job: object as Job }]),
  );
}

const requestsOf = (job: Job | undefined) => job?.spec?.template?.spec?.containers?.[0]?.resources?.requests;
const annotationsOf = (job: Job | undefined) => job?.spec?.template?.metadata?.annotations;

describe('alibabaBatchWorkload', () => {
  it('makes a Job of each task, when it started', () => {
    expect(arrivalsOf(TASKS).map(({ atMillis, object }) => [atMillis, object.metadata?.name])).toEqual([
      [0, 'j-2-task-nzg3'],
      [10_000, 'j-1-m1'],
      [30_000, 'j-3-m1'],
      [70_000, 'j-1-r2-1'],
    ]);
  });

  it('has a pod for each instance, with what was planned for it, for as long as the task ran', () => {
    const { job } = jobsOf(TASKS)['j-1-m1'] ?? {};
    expect(job?.spec).toMatchObject({ completions: 2, parallelism: 2 });
    expect(requestsOf(job)).toEqual({ cpu: '1000m', memory: String(2 * GIB) });
    expect(annotationsOf(job)).toEqual({ 'berth.dev/run-duration': '60s' });
    expect(job?.metadata?.labels).toEqual({ 'alibaba.com/task-type': '1' });
  });

  it('lets a failed task fail, once', () => {
    const { job } = jobsOf(TASKS)['j-2-task-nzg3'] ?? {};
    expect(job?.spec?.backoffLimit).toBe(0);
    expect(annotationsOf(job)).toMatchObject({ 'berth.dev/exit-codes': '1' });
    expect(requestsOf(job)).toEqual({});
  });

  it('runs what has no end until the last moment of the trace', () => {
    expect(annotationsOf(jobsOf(TASKS)['j-3-m1']?.job)).toEqual({ 'berth.dev/run-duration': '70s' });
  });

  it('distinguishes names that become the same', () => {
    const names = arrivalsOf('M1,1,j_1,1,T,0,1,,\nM1,1,j-1,1,T,0,1,,\n').map(({ object }) => object.metadata?.name);
    expect(names).toEqual(['j-1-m1', 'j-1-m1-x1']);
  });

  it('passes over a header', () => {
    const header = 'task_name,instance_num,job_name,task_type,status,start_time,end_time,plan_cpu,plan_mem\n';
    expect(arrivalsOf(header + TASKS)).toHaveLength(4);
  });

  it.each([
    ['', 'tasks.csv: is empty'],
    ['M1,1,j\n', 'tasks.csv:1: 3 cells where a row has 9'],
    ['M1,x,j,1,T,0,1,1,1\n', 'tasks.csv:1: column instance_num: expected a whole number >= 0, found "x"'],
    ['M1,0,j,1,T,0,1,1,1\n', 'tasks.csv:1: column instance_num: a task has at least one instance'],
    ['M1,1,j,1,T,-5,1,1,1\n', 'tasks.csv:1: column start_time: expected seconds >= 0, found "-5"'],
    [
      'M1,1,j,1,T,0,1,1,1\nM2,1,j,1,T,0,1,1,lots\n',
      'tasks.csv:2: column plan_mem: expected a number >= 0, found "lots"',
    ],
  ])('says file, line and column of what is wrong (%#)', (text, message) => {
    expect(() => arrivalsOf(text)).toThrow(message);
  });
});
