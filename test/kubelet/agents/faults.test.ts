import { describe, expect, test } from 'vitest';
import { AgentCluster } from '../../builders/agent-cluster.ts';

const THREE = { n1: {}, n2: {}, n3: {} };

function nodeReady(cluster: AgentCluster, name = 'n1'): string | undefined {
  const { status } = cluster.cluster.store.get('nodes', '', name);
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status;
}

function taints(cluster: AgentCluster, name = 'n1'): string[] {
  const { spec } = cluster.cluster.store.get('nodes', '', name);
  return (spec?.taints ?? []).map(({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`).sort();
}

describe('a node', () => {
  test('is ready soon after its agent begins', () => {
    const cluster = new AgentCluster();
    expect(nodeReady(cluster)).toBe('True');
    expect(taints(cluster)).toEqual([]);
    cluster.runSeconds(3600);
    expect(nodeReady(cluster)).toBe('True');
  });

  test('that crashes is unknown after 50 s, and loses its pods after 5 more minutes', () => {
    const cluster = new AgentCluster(THREE);
    cluster.createPod('p');
    cluster.runSeconds(10);
    cluster.agents.crash('n1');
    expect(cluster.agents.isRunning('n1')).toBe(false);
    cluster.runSeconds(45);
    expect(nodeReady(cluster)).toBe('True');
    cluster.runSeconds(20);
    expect(nodeReady(cluster)).toBe('Unknown');
    expect(taints(cluster)).toEqual(['unreachable:NoExecute', 'unreachable:NoSchedule']);
    expect(cluster.condition('p', 'Ready')).toBe('False');
    cluster.runSeconds(240);
    expect(cluster.pod('p').metadata?.deletionTimestamp).toBeUndefined();
    cluster.runSeconds(60);
    expect(cluster.pod('p').metadata?.deletionTimestamp).toBeDefined();
    expect(cluster.condition('p', 'DisruptionTarget')).toBe('True');
    cluster.agents.restart('n1');
    cluster.runSeconds(10);
    expect([nodeReady(cluster), taints(cluster), cluster.exists('p')]).toEqual(['True', [], false]);
  });

  test('that returns in time keeps its pods, which are restarted', () => {
    const cluster = new AgentCluster(THREE);
    cluster.createPod('p');
    cluster.runSeconds(10);
    cluster.agents.crash('n1');
    cluster.runSeconds(120);
    cluster.agents.restart('n1');
    cluster.runSeconds(400);
    expect(cluster.phase('p')).toBe('Running');
    expect(cluster.condition('p', 'Ready')).toBe('True');
    expect(cluster.container('p')).toMatchObject({
      restartCount: 1,
      lastState: { terminated: { exitCode: 255, reason: 'Unknown' } },
    });
    expect(taints(cluster)).toEqual([]);
  });

  test('that is cut off goes on, and says what happened when it is back', () => {
    const cluster = new AgentCluster(THREE);
    cluster.createPod('p', { spec: { restartPolicy: 'Never' }, behaviour: { 'run-duration': '60s' } });
    cluster.createPod('q');
    cluster.runSeconds(10);
    cluster.agents.partition('n1');
    cluster.runSeconds(100);
    expect(cluster.phase('p')).toBe('Running');
    expect(nodeReady(cluster)).toBe('Unknown');
    cluster.cluster.store.delete('pods', 'default', 'q');
    cluster.agents.heal('n1');
    cluster.runSeconds(15);
    expect(cluster.phase('p')).toBe('Succeeded');
    expect(cluster.container('p').state?.terminated?.finishedAt).toBe('2026-01-01T00:01:02Z');
    expect(cluster.exists('q')).toBe(false);
    expect(nodeReady(cluster)).toBe('True');
    expect(cluster.reported).toEqual([]);
  });

  test('that is deleted takes its agent with it', () => {
    const cluster = new AgentCluster(THREE);
    cluster.cluster.store.delete('nodes', '', 'n1');
    cluster.runSeconds(1);
    expect(cluster.agents.nodeNames).toEqual(['n2', 'n3']);
    expect(() => cluster.agents.crash('n1')).toThrow('no agent runs on a node n1');
  });

  test('an agent that is started anew finds its containers running', () => {
    const cluster = new AgentCluster();
    cluster.createPod('p');
    cluster.createPod('orphan');
    cluster.runSeconds(5);
    cluster.agents.stopAgent('n1');
    cluster.cluster.store.delete('pods', 'default', 'orphan', { gracePeriodSeconds: 0 });
    cluster.runSeconds(5);
    cluster.agents.restart('n1');
    cluster.runSeconds(10);
    expect(cluster.container('p').restartCount).toBe(0);
    expect(cluster.phase('p')).toBe('Running');
    cluster.createPod('orphan');
    cluster.runSeconds(5);
    expect(cluster.phase('orphan')).toBe('Running');
  });

  test('evictions are called off when all nodes are gone', () => {
    const cluster = new AgentCluster(THREE);
    cluster.createPod('p');
    cluster.runSeconds(10);
    for (const name of ['n1', 'n2', 'n3']) cluster.agents.partition(name);
    cluster.runSeconds(1000);
    expect(taints(cluster)).toEqual(['unreachable:NoSchedule']);
    expect(cluster.pod('p').metadata?.deletionTimestamp).toBeUndefined();
  });
});

describe('a runtime', () => {
  test('that cannot list its pods stops the agent after three minutes, and makes the node unready', () => {
    const cluster = new AgentCluster(THREE);
    cluster.agents.setRuntimeFaults('n1', { listError: 'no answer' });
    cluster.runSeconds(100);
    expect(nodeReady(cluster)).toBe('True');
    cluster.runSeconds(120);
    expect(nodeReady(cluster)).toBe('False');
    expect(taints(cluster)).toContain('not-ready:NoSchedule');
    cluster.createPod('p', { spec: { tolerations: [{ operator: 'Exists' }] } });
    cluster.runSeconds(60);
    expect(cluster.pod('p').status?.startTime).toBeUndefined();
    cluster.agents.setRuntimeFaults('n1', {});
    cluster.runSeconds(20);
    expect([nodeReady(cluster), cluster.phase('p')]).toEqual(['True', 'Running']);
    expect(taints(cluster)).toEqual([]);
  });

  test('that is slow makes news late', () => {
    const cluster = new AgentCluster();
    cluster.createPod('p', { spec: { restartPolicy: 'Never' }, behaviour: { 'run-duration': '10s' } });
    cluster.runSeconds(5);
    cluster.agents.setRuntimeFaults('n1', { listMillis: 20_000 });
    expect(cluster.secondsUntil(() => cluster.phase('p') === 'Succeeded')).toBeGreaterThan(20);
  });

  test.each([
    [{ startError: 'out of luck' }, 'RunContainerError'],
    [{ pullError: 'no such image' }, 'ImagePullBackOff'],
    [{ sandboxError: 'no address' }, 'ContainerCreating'],
  ])('that fails with %j is asked again later', (faults, reason) => {
    const cluster = new AgentCluster();
    cluster.agents.setRuntimeFaults('n1', faults);
    cluster.createPod('p');
    cluster.runSeconds(45);
    expect(cluster.container('p').state?.waiting?.reason).toBe(reason);
    cluster.agents.setRuntimeFaults('n1', {});
    cluster.runSeconds(120);
    expect(cluster.phase('p')).toBe('Running');
  });

  test('whose status cannot be had keeps the last one known', () => {
    const cluster = new AgentCluster();
    cluster.createPod('p', { spec: { restartPolicy: 'Never' }, behaviour: { 'run-duration': '10s' } });
    cluster.runSeconds(5);
    cluster.agents.setRuntimeFaults('n1', { statusError: 'busy' });
    cluster.runSeconds(60);
    expect(cluster.phase('p')).toBe('Running');
    cluster.agents.setRuntimeFaults('n1', {});
    cluster.runSeconds(20);
    expect(cluster.phase('p')).toBe('Succeeded');
  });
});
