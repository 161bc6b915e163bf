import { describe, expect, test } from 'vitest';
import { SILENT_RENEWAL } from '../../../src/api/lease.ts';
import type { Container } from '../../../src/api/pod.ts';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { AgentCluster } from '../../builders/agent-cluster.ts';

const NEVER = { restartPolicy: 'Never' };
const ON_FAILURE = { restartPolicy: 'OnFailure' };

function container(name: string, rest: Container = {}): Container {
  return { name, image: `${name}:1`, ...rest };
}

describe('the lease of a node', () => {
  test.each([
    ['stop', '2026-01-01T00:00:20.000000Z'],
    ['end', '2026-01-01T00:00:00.000000Z'],
  ] as const)('shows after %s when it was last written', (way, renewTime) => {
    const cluster = new Cluster({ nodeAgents: {} });
    cluster.store.create('nodes', { metadata: { name: 'n1' } });
    cluster.start();
    cluster.runFor(25_000);
    cluster[way]();
    const { metadata, spec } = cluster.store.get('leases', 'kube-node-lease', 'n1');
    expect(spec?.renewTime).toBe(renewTime);
    // Only a reader that computes the renewals sees the last one where it was not written.
    expect(metadata?.annotations ?? {}).toEqual(way === 'end' ? { [SILENT_RENEWAL]: '10' } : {});
  });
});

describe('a pod', () => {
  test('is started, runs and succeeds', () => {
    const cluster = new AgentCluster();
    cluster.createPod('p', { spec: NEVER, behaviour: { 'run-duration': '5s', 'pull-duration': '2s' } });
    cluster.runSeconds(1.5);
    expect(cluster.pod('p').status).toMatchObject({
      phase: 'Pending',
      startTime: '2026-01-01T00:00:02Z',
      hostIP: '192.168.0.0',
      qosClass: 'BestEffort',
      containerStatuses: [
        { name: 'app', ready: false, restartCount: 0, state: { waiting: { reason: 'ContainerCreating' } } },
      ],
    });
    cluster.runSeconds(1);
    expect(cluster.phase('p')).toBe('Running');
    expect(cluster.pod('p').status?.podIP).toMatch(/^10\./);
    for (const type of ['Ready', 'ContainersReady', 'Initialized', 'PodScheduled', 'PodReadyToStartContainers']) {
      expect(cluster.condition('p', type), type).toBe('True');
    }
    cluster.runSeconds(8);
    expect(cluster.phase('p')).toBe('Succeeded');
    expect(cluster.condition('p', 'Ready')).toBe('False');
    expect(cluster.container('p').state).toMatchObject({
      terminated: {
        exitCode: 0,
        reason: 'Completed',
        startedAt: '2026-01-01T00:00:04Z',
        finishedAt: '2026-01-01T00:00:09Z',
      },
    });
    expect(cluster.history('p')).toEqual(['Pending, on n1', 'Running, on n1', 'Succeeded, on n1']);
  });

  test('is written only when something has changed', () => {
    const cluster = new AgentCluster();
    cluster.createPod('p');
    cluster.runSeconds(10);
    const { resourceVersion } = cluster.pod('p').metadata ?? {};
    cluster.runSeconds(600);
    expect(cluster.pod('p').metadata?.resourceVersion).toBe(resourceVersion);
  });

  test('fails for good when it is never restarted', () => {
    const cluster = new AgentCluster();
    cluster.createPod('p', { spec: NEVER, behaviour: { 'run-duration': '1s', 'exit-codes': '3' } });
    cluster.runSeconds(6);
    expect(cluster.phase('p')).toBe('Failed');
    expect(cluster.container('p').state?.terminated).toMatchObject({ exitCode: 3, reason: 'Error' });
  });

  test('waits longer and longer between restarts: at once, 10 s, 20 s … 5 min', () => {
    const cluster = new AgentCluster();
    cluster.createPod('p', { behaviour: { 'run-duration': '100ms', 'exit-codes': '1' } });
    const restartsAt: number[] = [];
    for (let restarts = 1; restarts <= 9; restarts++) {
      cluster.secondsUntil(() => (cluster.container('p').restartCount ?? 0) >= restarts);
      restartsAt.push(cluster.seconds);
    }
    const gaps = restartsAt.slice(1).map((at, i) => at - (restartsAt[i] as number));
    // Jitter adds up to a half, and a death and a due time are seen about two seconds later.
    [10, 20, 40, 80, 160, 300, 300].forEach((delay, i) => {
      expect(gaps[i], `restart ${i + 2}`).toBeGreaterThanOrEqual(delay);
      expect(gaps[i], `restart ${i + 2}`).toBeLessThan(delay * 1.5 + 60);
    });
    expect(restartsAt[0]).toBeLessThan(5);
    expect(cluster.phase('p')).toBe('Running');
    // The pod is synced once more while it waits, and then its status says so.
    cluster.runSeconds(100);
    expect(cluster.container('p')).toMatchObject({
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 1 } },
    });
  });

  test('that ran well for more than ten minutes begins anew', () => {
    const cluster = new AgentCluster();
    cluster.createPod('p', { behaviour: { 'run-duration': '11m', 'exit-codes': '1' } });
    for (let restarts = 1; restarts <= 4; restarts++) {
      const seconds = cluster.secondsUntil(() => (cluster.container('p').restartCount ?? 0) >= restarts);
      expect(seconds).toBeLessThan(11 * 60 + 5);
    }
  });

  test('is restarted only after a failure with restart policy OnFailure', () => {
    const cluster = new AgentCluster();
    cluster.createPod('p', { spec: ON_FAILURE, behaviour: { 'run-duration': '1s', 'exit-codes': '1,1,0' } });
    cluster.runSeconds(60);
    expect(cluster.phase('p')).toBe('Succeeded');
    expect(cluster.container('p')).toMatchObject({ restartCount: 2, lastState: { terminated: { exitCode: 1 } } });
  });

  test('is killed when it uses too much memory', () => {
    const cluster = new AgentCluster();
    const app = container('app', { resources: { limits: { memory: '100Mi' } } });
    const behaviour = { 'run-duration': '40s', 'memory-use': '400Mi' };
    cluster.createPod('p', { spec: { ...NEVER, containers: [app] }, behaviour });
    cluster.runSeconds(15);
    expect(cluster.phase('p')).toBe('Failed');
    expect(cluster.container('p').state?.terminated).toMatchObject({
      exitCode: 137,
      reason: 'OOMKilled',
      finishedAt: '2026-01-01T00:00:12Z',
    });
  });

  test('is ready when its probe passes', () => {
    const cluster = new AgentCluster();
    cluster.createPod('p', { behaviour: { 'ready-delay': '30s' } });
    cluster.runSeconds(29);
    expect([cluster.phase('p'), cluster.condition('p', 'Ready')]).toEqual(['Running', 'False']);
    cluster.runSeconds(2);
    expect(cluster.condition('p', 'Ready')).toBe('True');
    expect(cluster.container('p')).toMatchObject({ ready: true, started: true });
  });

  test('fails when its deadline is over, whatever it does', () => {
    const cluster = new AgentCluster();
    cluster.createPod('p', { spec: { activeDeadlineSeconds: 20 } });
    cluster.runSeconds(19);
    expect(cluster.phase('p')).toBe('Running');
    cluster.runSeconds(5);
    expect(cluster.pod('p').status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
    expect(cluster.container('p').state?.terminated?.exitCode).toBe(143);
  });

  test('with invalid settings waits, and its status says why', () => {
    const cluster = new AgentCluster();
    cluster.createPod('p', { behaviour: { 'run-duration': 'sometimes' } });
    cluster.runSeconds(30);
    expect(cluster.container('p').state?.waiting).toMatchObject({
      reason: 'CreateContainerConfigError',
      message: expect.stringContaining('run-duration of container app'),
    });
    expect(cluster.phase('p')).toBe('Pending');
  });
});

describe('init containers', () => {
  test('run one after the other before the others', () => {
    const cluster = new AgentCluster();
    const spec = { ...NEVER, initContainers: [container('first'), container('second')] };
    const behaviour = { 'run-duration.first': '3s', 'run-duration.second': '4s', 'run-duration.app': '5s' };
    cluster.createPod('p', { spec, behaviour });
    cluster.runSeconds(2);
    expect(cluster.container('p', 'first').state?.running).toBeDefined();
    expect(cluster.container('p', 'second').state?.waiting?.reason).toBe('PodInitializing');
    expect([cluster.phase('p'), cluster.condition('p', 'Initialized')]).toEqual(['Pending', 'False']);
    cluster.runSeconds(4);
    expect(cluster.container('p', 'second').state?.running).toBeDefined();
    cluster.runSeconds(4);
    expect(cluster.container('p').state?.running).toBeDefined();
    expect([cluster.phase('p'), cluster.condition('p', 'Initialized')]).toEqual(['Running', 'True']);
    cluster.runSeconds(10);
    expect(cluster.phase('p')).toBe('Succeeded');
  });

  test('that fail keep the pod from starting; without restarts it has failed', () => {
    const cluster = new AgentCluster();
    const initContainers = [container('init')];
    const behaviour = { 'exit-codes.init': '1' };
    cluster.createPod('never', { spec: { ...NEVER, initContainers }, behaviour });
    cluster.createPod('always', { spec: { initContainers }, behaviour });
    cluster.runSeconds(20);
    expect(cluster.phase('never')).toBe('Failed');
    expect(cluster.phase('always')).toBe('Pending');
    expect(cluster.container('always', 'init').restartCount).toBeGreaterThan(0);
    expect(cluster.container('always').state?.waiting?.reason).toBe('PodInitializing');
  });

  test('that are sidecars run beside the others, and end after them', () => {
    const cluster = new AgentCluster();
    const spec = { ...NEVER, initContainers: [container('sidecar', { restartPolicy: 'Always' })] };
    const behaviour = { 'run-duration.app': '10s', 'startup-delay.sidecar': '5s', 'stop-duration.sidecar': '2s' };
    cluster.createPod('p', { spec, behaviour });
    cluster.runSeconds(4);
    expect(cluster.container('p', 'sidecar')).toMatchObject({ started: false, state: { running: {} } });
    expect(cluster.container('p').state?.waiting).toBeDefined();
    cluster.runSeconds(4);
    expect(cluster.container('p').state?.running).toBeDefined();
    expect(cluster.phase('p')).toBe('Running');
    cluster.runSeconds(15);
    expect(cluster.phase('p')).toBe('Succeeded');
    const ends = ['app', 'sidecar'].map((name) => String(cluster.container('p', name).state?.terminated?.finishedAt));
    expect(ends[0]! < ends[1]!).toBe(true);
  });

  test('a sidecar that crashes is started again, and changes nothing about the pod', () => {
    const cluster = new AgentCluster();
    const spec = { ...NEVER, initContainers: [container('sidecar', { restartPolicy: 'Always' })] };
    const behaviour = { 'run-duration.sidecar': '3s', 'exit-codes.sidecar': '1', 'run-duration.app': '60s' };
    cluster.createPod('p', { spec, behaviour });
    cluster.runSeconds(30);
    expect(cluster.container('p', 'sidecar').restartCount).toBeGreaterThan(1);
    expect(cluster.phase('p')).toBe('Running');
    cluster.runSeconds(60);
    expect(cluster.phase('p')).toBe('Succeeded');
  });
});

describe('a pod that is deleted', () => {
  test.each([
    ['0s', 0],
    ['5s', 5],
    ['90s', 30],
  ])('has its grace period: takes %s to stop', (stopDuration, seconds) => {
    const cluster = new AgentCluster();
    cluster.createPod('p', { behaviour: { 'stop-duration': stopDuration } });
    cluster.runSeconds(10);
    cluster.cluster.store.delete('pods', 'default', 'p');
    let last = cluster.pod('p');
    const took = cluster.secondsUntil(() => {
      if (cluster.exists('p')) last = cluster.pod('p');
      return !cluster.exists('p');
    });
    expect(took).toBeGreaterThanOrEqual(seconds);
    expect(took).toBeLessThanOrEqual(seconds + 3);
    const ended = cluster.lines.filter((line) => line.includes('default/p'));
    expect(ended.at(-1)).toContain('DELETED');
    expect(last.metadata?.deletionTimestamp).toBeDefined();
  });

  test('is killed earlier when its grace period is cut short', () => {
    const cluster = new AgentCluster();
    cluster.createPod('p', { behaviour: { 'stop-duration': '90s' } });
    cluster.runSeconds(10);
    cluster.cluster.store.delete('pods', 'default', 'p');
    cluster.runSeconds(5);
    cluster.cluster.store.delete('pods', 'default', 'p', { gracePeriodSeconds: 2 });
    expect(cluster.secondsUntil(() => !cluster.exists('p'))).toBeLessThan(6);
  });

  test('while its image is pulled goes at once', () => {
    const cluster = new AgentCluster();
    cluster.createPod('p', { behaviour: { 'pull-duration': '10m' } });
    cluster.runSeconds(5);
    cluster.cluster.store.delete('pods', 'default', 'p');
    expect(cluster.secondsUntil(() => !cluster.exists('p'))).toBeLessThan(3);
  });

  test('leaves no pull behind for which others would wait', () => {
    const cluster = new AgentCluster();
    cluster.createPod('p', { behaviour: { 'pull-duration': '10m' } });
    cluster.runSeconds(5);
    cluster.cluster.store.delete('pods', 'default', 'p');
    cluster.runSeconds(5);
    const spec = { containers: [{ name: 'app', image: 'other:1' }] };
    cluster.createPod('q', { spec, behaviour: { 'pull-duration': '2s' } });
    expect(cluster.secondsUntil(() => cluster.phase('q') === 'Running')).toBeLessThan(6);
  });

  test('stays until its finalizers are gone, and has ended meanwhile', () => {
    const cluster = new AgentCluster();
    const { store } = cluster.cluster;
    cluster.createPod('p');
    store.patch('pods', 'default', 'p', { type: 'merge', body: { metadata: { finalizers: ['example.com/hold'] } } });
    cluster.runSeconds(5);
    store.delete('pods', 'default', 'p');
    cluster.runSeconds(60);
    expect(cluster.phase('p')).toBe('Failed');
    store.patch('pods', 'default', 'p', { type: 'merge', body: { metadata: { finalizers: null } } });
    cluster.runSeconds(1);
    expect(cluster.exists('p')).toBe(false);
  });

  test('by force ends on its node all the same: its name and its place are free', () => {
    const cluster = new AgentCluster({ n1: { pods: 1 } });
    cluster.createPod('p', { behaviour: { 'stop-duration': '5s' } });
    cluster.runSeconds(5);
    cluster.cluster.store.delete('pods', 'default', 'p', { gracePeriodSeconds: 0 });
    cluster.runSeconds(10);
    cluster.createPod('p');
    cluster.runSeconds(5);
    expect(cluster.phase('p')).toBe('Running');
  });
});

describe('admission', () => {
  test.each([
    ['cpu', { containers: [container('app', { resources: { requests: { cpu: 5 } } })] }, 'OutOfcpu'],
    ['labels', { nodeSelector: { disk: 'ssd' } }, 'NodeAffinity'],
  ])('turns a pod away for want of %s', (_, spec, reason) => {
    const cluster = new AgentCluster({ n1: { cpu: 4 } });
    cluster.createPod('p', { spec });
    cluster.runSeconds(2);
    expect(cluster.pod('p').status).toMatchObject({ phase: 'Failed', reason });
    expect(cluster.pod('p').status?.message).toMatch(/^Pod was rejected: /);
    expect(cluster.pod('p').status?.startTime).toMatch(/^2026-01-01T00:00:0\dZ$/);
    cluster.cluster.store.delete('pods', 'default', 'p');
    cluster.runSeconds(1);
    expect(cluster.exists('p')).toBe(false);
  });

  test('counts the pods that are there, and no longer those that have ended', () => {
    const cluster = new AgentCluster({ n1: { pods: 1 } });
    cluster.createPod('first', { spec: NEVER, behaviour: { 'run-duration': '10s' } });
    cluster.createPod('second');
    cluster.runSeconds(15);
    expect(cluster.phase('first')).toBe('Succeeded');
    expect(cluster.pod('second').status).toMatchObject({ phase: 'Failed', reason: 'OutOfpods' });
    cluster.createPod('third');
    cluster.runSeconds(3);
    expect(cluster.phase('third')).toBe('Running');
  });

  test('counts a pod while it is being deleted, and not one that was deleted by force', () => {
    const cluster = new AgentCluster({ n1: { pods: 1 } });
    const { store } = cluster.cluster;
    cluster.createPod('first', { behaviour: { 'stop-duration': '20s' } });
    cluster.runSeconds(5);
    store.delete('pods', 'default', 'first');
    cluster.runSeconds(5);
    cluster.createPod('second');
    cluster.runSeconds(3);
    expect(cluster.pod('second').status).toMatchObject({ phase: 'Failed', reason: 'OutOfpods' });
    store.delete('pods', 'default', 'first', { gracePeriodSeconds: 0 });
    cluster.createPod('third', { behaviour: { 'stop-duration': '20s' } });
    cluster.runSeconds(5);
    expect(cluster.phase('third')).toBe('Running');
    store.delete('pods', 'default', 'third', { gracePeriodSeconds: 0 });
    cluster.createPod('fourth');
    cluster.runSeconds(5);
    expect(cluster.phase('fourth')).toBe('Running');
  });
});
