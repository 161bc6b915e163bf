import { expect, test } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { Cluster } from '../../src/index-cluster.ts';
import { makeNode } from '../builders/make-node.ts';

const GATES = ['example.com/balanced', 'example.com/warm'];

function podOf(cluster: Cluster): Pod {
  return cluster.store.get('pods', 'default', 'web');
}

function conditionOf(cluster: Cluster, type: string): Record<'status' | 'reason' | 'message', string | undefined> {
  const found = podOf(cluster).status?.conditions?.find((each) => each.type === type);
  return { status: found?.status, reason: found?.reason, message: found?.message };
}

/** Says that others have set a condition of the pod. */
function setCondition(cluster: Cluster, type: string, status: string): void {
  const pod = podOf(cluster);
  const others = (pod.status?.conditions ?? []).filter((each) => each.type !== type);
  cluster.store.updateStatus('pods', { ...pod, status: { ...pod.status, conditions: [...others, { type, status }] } });
  cluster.runFor(1000);
}

test('a pod with readiness gates is ready when its containers and all conditions of others are', () => {
  const cluster = new Cluster({ nodeAgents: {}, scheduler: {} });
  cluster.store.create('nodes', makeNode('n1'));
  cluster.start();
  cluster.store.create('pods', {
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      containers: [{ name: 'main', image: 'app:1' }],
      readinessGates: GATES.map((conditionType) => ({ conditionType })),
    },
  });
  cluster.runFor(30_000);
  const isMissing = (gate: string): string => `corresponding condition of pod readiness gate "${gate}" does not exist.`;
  const reason = 'ReadinessGatesNotReady';
  expect(conditionOf(cluster, 'ContainersReady').status).toBe('True');
  expect(conditionOf(cluster, 'Ready')).toEqual({ status: 'False', reason, message: GATES.map(isMissing).join(', ') });

  setCondition(cluster, 'example.com/balanced', 'False');
  const isFalse = 'the status of pod readiness gate "example.com/balanced" is not "True", but False';
  const message = `${isFalse}, ${isMissing('example.com/warm')}`;
  expect(conditionOf(cluster, 'Ready')).toEqual({ status: 'False', reason, message });

  setCondition(cluster, 'example.com/balanced', 'True');
  expect(conditionOf(cluster, 'Ready')).toMatchObject({ status: 'False', message: isMissing('example.com/warm') });
  setCondition(cluster, 'example.com/warm', 'True');
  expect(conditionOf(cluster, 'Ready')).toEqual({ status: 'True', reason: undefined, message: undefined });
  // What others say is kept.
  expect(podOf(cluster).status?.conditions?.map(({ type }) => type)).toEqual(expect.arrayContaining(GATES));

  setCondition(cluster, 'example.com/warm', 'Unknown');
  expect(conditionOf(cluster, 'Ready')).toMatchObject({ status: 'False', reason });
});
