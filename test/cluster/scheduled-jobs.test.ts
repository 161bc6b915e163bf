import { describe, expect, test } from 'vitest';
import type { Job } from '../../src/api/job.ts';
import { Cluster } from '../../src/cluster/cluster.ts';
import { PodRunner } from '../../src/simulation/pod-runner/pod-runner.ts';
import { makeNode } from '../builders/make-node.ts';

const NODES = 4;
const PODS_PER_NODE = 2;
const JOBS = 6;
const PODS_PER_JOB = 5;

/** More pods than the nodes have room for: they take turns. */
function jobOf(name: string): Job {
  const container = { name: 'c', image: 'i', resources: { requests: { cpu: '1' } } };
  const annotations = { 'pod-runner.berth/run-seconds': '5' };
  const template = { metadata: { annotations }, spec: { restartPolicy: 'Never', containers: [container] } };
  return { metadata: { name }, spec: { parallelism: PODS_PER_JOB, completions: PODS_PER_JOB, template } };
}

function run(seed: number): { readonly cluster: Cluster; readonly isDone: boolean; readonly mostPods: number } {
  const cluster = new Cluster({ seed, scheduler: {} });
  new PodRunner(cluster, { nodeName: null });
  cluster.start();
  for (let i = 0; i < NODES; i++) cluster.store.create('nodes', makeNode(`n${i}`, { cpu: PODS_PER_NODE }));
  for (let i = 0; i < JOBS; i++) cluster.store.create('jobs', jobOf(`job-${i}`));
  let mostPods = 0;
  const isDone = cluster.runUntil(() => {
    const running = new Map<string, number>();
    for (const { spec, status } of cluster.store.list('pods').items) {
      if (!spec?.nodeName || status?.phase === 'Succeeded') continue;
      running.set(spec.nodeName, (running.get(spec.nodeName) ?? 0) + 1);
    }
    mostPods = Math.max(mostPods, ...running.values());
    const jobs = cluster.store.list('jobs').items;
    return jobs.every(({ status }) => status?.conditions?.some(({ type }) => type === 'Complete'));
  }, 600_000);
  cluster.stop();
  return { cluster, isDone, mostPods };
}

describe('a cluster with a scheduler', () => {
  test('runs Jobs on its nodes, as many pods at a time as fit there', () => {
    const { cluster, isDone, mostPods } = run(1);
    expect(isDone).toBe(true);
    expect(mostPods).toBe(PODS_PER_NODE);
    const nodes = new Set(cluster.store.list('pods').items.map(({ spec }) => spec?.nodeName));
    expect([...nodes].sort()).toEqual(['n0', 'n1', 'n2', 'n3']);
  });

  test('says why a pod waits', () => {
    const { cluster } = run(1);
    const messages = cluster.store.list('events').items.filter(({ reason }) => reason === 'FailedScheduling');
    expect(messages.length).toBeGreaterThan(0);
    for (const { message } of messages) expect(message).toContain('0/4 nodes are available: 4 Insufficient cpu.');
  });

  test('does the same again from the same seed', () => {
    expect(run(3).cluster.log.hash()).toBe(run(3).cluster.log.hash());
  });
});
