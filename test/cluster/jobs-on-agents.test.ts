import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJobFinished, type Job, type JobSpec } from '../../src/api/job.ts';
import type { Pod } from '../../src/api/pod.ts';
import { Cluster } from '../../src/cluster/cluster.ts';
import type { NodeAgentsOptions } from '../../src/kubelet/agents/node-agents.ts';
import { makeNode } from '../builders/make-node.ts';

const DAY_MILLIS = 24 * 3_600_000;

interface JobToRun {
  readonly name: string;
  readonly spec?: JobSpec;
  readonly restartPolicy?: 'Never' | 'OnFailure';
  /** Names without `berth.dev/`. */
  readonly behaviour?: Readonly<Record<string, string>> | undefined;
}

/** Stands in for the scheduler: each pod goes to the next node. */
function bindInTurn(cluster: Cluster, nodeCount: number): void {
  let next = 0;
  const bind = ({ metadata, spec }: Pod): void => {
    const { namespace = '', name = '' } = metadata ?? {};
    if (spec?.nodeName || metadata?.deletionTimestamp !== undefined) return;
    cluster.store.bind(namespace, name, { target: { name: `n${next++ % nodeCount}` } });
  };
  cluster.informers.of('pods').addHandler({ onAdd: bind, onUpdate: () => {}, onDelete: () => {} });
}

/** A cluster in which these Jobs have come to their end. */
function runJobs(jobs: readonly JobToRun[], nodeAgents: NodeAgentsOptions = {}): Cluster {
  const nodeCount = 3;
  const cluster = new Cluster({ nodeAgents, terminatedPodThreshold: 10 });
  for (let i = 0; i < nodeCount; i++) cluster.store.create('nodes', makeNode(`n${i}`));
  bindInTurn(cluster, nodeCount);
  cluster.start();
  cluster.runFor(2000);
  for (const { name, spec = {}, restartPolicy = 'Never', behaviour = {} } of jobs) {
    const annotations = Object.fromEntries(Object.entries(behaviour).map(([key, text]) => [`berth.dev/${key}`, text]));
    const template = {
      metadata: { annotations },
      spec: { restartPolicy, containers: [{ name: 'main', image: 'app:1' }] },
    };
    cluster.store.create('jobs', { metadata: { name }, spec: { template, ...spec } });
  }
  const areAllFinished = (): boolean =>
    jobs.every(({ name }) => isJobFinished(cluster.store.get('jobs', 'default', name)));
  expect(cluster.runUntil(areAllFinished, DAY_MILLIS)).toBe(true);
  cluster.runFor(60_000);
  return cluster;
}

function ending({ status }: Job): string {
  const { type, reason } = status?.conditions?.find((each) => /^(Complete|Failed)$/.test(each.type)) ?? {};
  return `${type} ${reason}`;
}

function statusOf(cluster: Cluster, name: string): Job['status'] & { ending: string } {
  const job = cluster.store.get('jobs', 'default', name);
  return { ...job.status, ending: ending(job) };
}

describe('Jobs on node agents', () => {
  test('complete when enough pods have succeeded', () => {
    const cluster = runJobs([
      { name: 'pi', spec: { completions: 3, parallelism: 1, backoffLimit: 4 }, behaviour: { 'run-duration': '8s' } },
    ]);
    expect(statusOf(cluster, 'pi')).toMatchObject({ ending: 'Complete CompletionsReached', succeeded: 3 });
  });

  test('fail when too many pods have', () => {
    const behaviour = { 'run-duration': '1s', 'exit-codes': '1' };
    const cluster = runJobs([{ name: 'bad', spec: { backoffLimit: 2 }, behaviour }]);
    expect(statusOf(cluster, 'bad')).toMatchObject({ ending: 'Failed BackoffLimitExceeded', failed: 3 });
  });

  test('OnFailure: the agent restarts containers, and the Job counts restarts', () => {
    const [good, bad] = ['1,1,0', '1'].map((codes) => ({ 'run-duration': '1s', 'exit-codes': codes }));
    const cluster = runJobs([
      { name: 'good', restartPolicy: 'OnFailure', spec: { backoffLimit: 4 }, behaviour: good },
      { name: 'bad', restartPolicy: 'OnFailure', spec: { backoffLimit: 3 }, behaviour: bad },
    ]);
    expect(statusOf(cluster, 'good')).toMatchObject({ ending: 'Complete CompletionsReached', succeeded: 1 });
    expect(statusOf(cluster, 'good').failed ?? 0).toBe(0);
    expect(statusOf(cluster, 'bad')).toMatchObject({ ending: 'Failed BackoffLimitExceeded' });
  });

  test('indexed Jobs complete every index', () => {
    const spec = { completions: 7, parallelism: 3, completionMode: 'Indexed' };
    const cluster = runJobs([{ name: 'indexed', spec, behaviour: { 'run-duration': 'uniform(1s, 20s)' } }]);
    expect(statusOf(cluster, 'indexed')).toMatchObject({
      ending: 'Complete CompletionsReached',
      completedIndexes: '0-6',
    });
  });

  test('that take too long are ended by their deadline', () => {
    const cluster = runJobs([
      {
        name: 'slow',
        spec: { activeDeadlineSeconds: 30 },
        behaviour: { 'run-duration': 'forever', 'stop-duration': '5s' },
      },
    ]);
    expect(statusOf(cluster, 'slow')).toMatchObject({ ending: 'Failed DeadlineExceeded', failed: 1 });
    const running = cluster.store.list('pods').items.filter(({ status }) => status?.phase === 'Running');
    expect(running).toEqual([]);
  });

  test('survive a node that crashes for good', () => {
    const nodeCount = 3;
    const cluster = new Cluster({ nodeAgents: {} });
    for (let i = 0; i < nodeCount; i++) cluster.store.create('nodes', makeNode(`n${i}`));
    bindInTurn(cluster, nodeCount);
    cluster.start();
    cluster.runFor(2000);
    const template = {
      metadata: { annotations: { 'berth.dev/run-duration': '20m' } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'app:1' }] },
    };
    const spec = { completions: 3, parallelism: 3, template, backoffLimit: 6 };
    cluster.store.create('jobs', { metadata: { name: 'long' }, spec });
    cluster.runFor(60_000);
    cluster.nodeAgents?.crash('n1');
    cluster.runFor(10 * 60_000);
    cluster.store.delete('nodes', '', 'n1');
    const isFinished = (): boolean => isJobFinished(cluster.store.get('jobs', 'default', 'long'));
    // Its pods are gone only when the node is; their replacements go to nodes that are there, sooner or later.
    cluster.store.create('nodes', makeNode('n1'));
    expect(cluster.runUntil(isFinished, DAY_MILLIS)).toBe(true);
    expect(statusOf(cluster, 'long')).toMatchObject({ ending: 'Complete CompletionsReached', succeeded: 3 });
  });

  test('terminated pods above the threshold are collected', () => {
    const spec = { completions: 30, parallelism: 10 };
    const cluster = runJobs([{ name: 'many', spec, behaviour: { 'run-duration': '1s' } }]);
    expect(statusOf(cluster, 'many')).toMatchObject({ succeeded: 30 });
    expect(cluster.store.list('pods').items).toHaveLength(10);
  });

  test('end as their specification says', () => {
    const job = fc.record({
      completions: fc.integer({ min: 1, max: 6 }),
      parallelism: fc.integer({ min: 1, max: 4 }),
      isIndexed: fc.boolean(),
      backoffLimit: fc.nat(2),
      exitCode: fc.constantFrom(0, 0, 0, 7),
      run: fc.constantFrom('0s', '1s', 'exponential(20s)', 'lognormal(5s, 1)'),
      start: fc.constantFrom('0s', 'uniform(0s, 5s)'),
    });
    fc.assert(
      fc.property(fc.array(job, { minLength: 1, maxLength: 4 }), (drawn) => {
        const jobs = drawn.map(({ completions, parallelism, isIndexed, backoffLimit, exitCode, run, start }, i) => ({
          name: `job-${i}`,
          spec: { completions, parallelism, backoffLimit, completionMode: isIndexed ? 'Indexed' : 'NonIndexed' },
          behaviour: { 'run-duration': run, 'start-latency': start, 'exit-codes': String(exitCode) },
        }));
        const cluster = runJobs(jobs);
        drawn.forEach(({ completions, exitCode }, i) => {
          const { ending: reached, succeeded = 0 } = statusOf(cluster, `job-${i}`);
          expect(reached).toBe(exitCode === 0 ? 'Complete CompletionsReached' : 'Failed BackoffLimitExceeded');
          expect(succeeded).toBe(exitCode === 0 ? completions : 0);
        });
      }),
      { numRuns: 15 },
    );
  });
});

test('one seed, one log; another seed, another log', () => {
  const jobs = [
    { name: 'j', spec: { completions: 5, parallelism: 2 }, behaviour: { 'run-duration': 'exponential(30s)' } },
  ];
  const [first, again, other] = [1, 1, 2].map((seed) => runJobs(jobs, { seed }).log.hash());
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});
