import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/api/job.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { FakeClock } from '../../../src/lib/clock.ts';
import { followJob } from '../../../src/sweep/kubernetes/follow-job.ts';
import type { JobApi, JobChange, JobWarning } from '../../../src/sweep/kubernetes/job-api.ts';
import { INDEX_ANNOTATION } from '../../../src/sweep/kubernetes/sweep-job.ts';

const podOf = (name: string, index: number, status: NonNullable<Pod['status']>): Pod => ({
  metadata: { name, annotations: { [INDEX_ANNOTATION]: `${index}` } },
  spec: { containers: [{ name: 'sweep', image: 'berth:1' }] },
  status,
});
const jobOf = (type: string, message = '', more: object = {}): Job =>
  ({ metadata: { name: 'j' }, status: { conditions: [{ type, status: 'True', message }], ...more } }) as Job;

/** Follows a Job of which these things are heard, one a turn. */
async function follow(changes: readonly JobChange[], given: Partial<JobApi> = {}, warnings: JobWarning[] = []) {
  const clock = new FakeClock();
  const kept: string[] = [];
  const logged: string[] = [];
  let hear: (change: JobChange) => void = () => {};
  const controller = new AbortController();
  const left = [...changes];
  const api = {
    log: async (name: string) => `log of ${name}`,
    warnings: async () => warnings,
    watch: (onChange: (change: JobChange) => void) => {
      hear = onChange;
      return () => {};
    },
    ...given,
  } as JobApi;
  const end = followJob({
    ...{ api, clock, shards: [4, 7], log: (line) => logged.push(line), signal: controller.signal },
    read: (name) => api.log(name),
    sleep: async (millis) => {
      clock.advance(millis);
      const next = left.shift();
      if (next !== undefined) hear(next);
      else if (clock.nowMillis() > 300_000) controller.abort();
    },
    keep: (shard, text) => kept.push(`${shard}: ${text}`),
    onProgress: () => {},
  });
  return { end: await end.catch((error: Error) => error.message), kept, logged, seconds: clock.nowMillis() / 1000 };
}

const pod = (given: Pod, isGone = false): JobChange => ({ what: 'pod', pod: given, isGone });
const job = (given: Job, isGone = false): JobChange => ({ what: 'job', job: given, isGone });
const done = (index: number, name = `p${index}`) => pod(podOf(name, index, { phase: 'Succeeded' }));

describe('a Job', () => {
  it('is followed until the logs of all indexes are kept, each once', async () => {
    const { end, kept, logged } = await follow([done(1), done(1, 'twin'), done(0)]);
    expect({ end, kept, logged }).toEqual({ end: 'done', kept: ['7: log of p1', '4: log of p0'], logged: [] });
  });

  it('that is complete without all logs was lost', async () => {
    const { end, kept } = await follow([done(1), job(jobOf('Complete'))]);
    expect({ end, kept }).toEqual({ end: 'lost', kept: ['7: log of p1'] });
  });

  it('reads a log again that could not be read', async () => {
    let refusals = 1;
    const log = async (name: string) => {
      if (refusals-- > 0) throw new Error('connection refused');
      return `log of ${name}`;
    };
    const { end, logged } = await follow([done(0), done(1)], { log });
    expect({ end, logged }).toEqual({ end: 'done', logged: ['what pod p0 has written: connection refused'] });
  });

  it('that was deleted is an error at once, with what went wrong before', async () => {
    const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image' };
    const status = { phase: 'Pending', containerStatuses: [{ name: 'sweep', state: { waiting } }] } as const;
    const { end, seconds, logged } = await follow([pod(podOf('p', 0, status)), job(jobOf('x'), true)]);
    const problem = 'pod p: ImagePullBackOff of image berth:1: Back-off pulling image';
    expect(logged).toEqual([problem]);
    expect(end).toBe(`the Job was deleted by somebody; last: ${problem}`);
    expect(seconds).toBe(1);
  });

  it('says at once that a quota is exceeded, once, and gives up when no pod runs for a minute', async () => {
    const refusal = (name: string) => ({
      reason: 'FailedCreate',
      message: `Error creating: pods "${name}" is forbidden: exceeded quota: small, requested: pods=1`,
    });
    const { end, logged, seconds } = await follow([], {}, [refusal('j-0-abc'), refusal('j-1-xyz')]);
    const problem = 'FailedCreate: Error creating: pods is forbidden: exceeded quota: small, requested: pods=1';
    expect(logged).toEqual([problem]);
    expect(end).toBe(`no pod has run for 60 s; last: ${problem}`);
    expect(seconds).toBe(60);
  });

  it('is not given up as long as a pod runs', async () => {
    const running = pod(podOf('p0', 0, { phase: 'Running' }));
    const { end, seconds } = await follow([running], {}, [{ reason: 'FailedCreate', message: 'exceeded quota' }]);
    expect({ end, seconds }).toEqual({ end: 'interrupted', seconds: 300.5 });
  });

  it('that failed names its shards, and how a pod ended', async () => {
    const terminated = { exitCode: 1, message: 'warning: x\nerror: w.yaml: no such file\n' };
    const status = { phase: 'Failed', containerStatuses: [{ name: 'sweep', state: { terminated } }] } as const;
    const failed = jobOf('Failed', 'Job has failed indexes', { failedIndexes: '0-1' });
    const { end } = await follow([pod(podOf('p', 0, status)), job(failed)]);
    expect(end).toBe(
      'the Job has failed (shards 4-7): Job has failed indexes; ' +
        'last: pod p ended with exit code 1: error: w.yaml: no such file',
    );
  });
});
