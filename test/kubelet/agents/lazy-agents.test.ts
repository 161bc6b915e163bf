import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NodeAgentsOptions } from '../../../src/kubelet/agents/node-agents.ts';
import { AgentCluster } from '../../builders/agent-cluster.ts';

const NODES = { n1: { pods: 3 }, n2: {} };
const NAMES = ['a', 'b', 'c', 'd'];

/** What is done to the cluster, and how many milliseconds later. */
interface Step {
  readonly afterMillis: number;
  readonly what: 'create' | 'delete' | 'force' | 'crash' | 'restart' | 'partition' | 'heal' | 'fail' | 'mend';
  readonly pod: number;
  readonly node: 'n1' | 'n2';
  readonly policy: 'Always' | 'OnFailure' | 'Never';
  readonly run: string;
  readonly codes: string;
  readonly delay: string;
  readonly deadline: number | undefined;
}

const step: fc.Arbitrary<Step> = fc.record({
  afterMillis: fc.oneof(fc.nat(3000), fc.nat(200_000)),
  what: fc.constantFrom(
    'create',
    'create',
    'create',
    'delete',
    'force',
    'crash',
    'restart',
    'partition',
    'heal',
    'fail',
    'mend',
  ),
  pod: fc.nat(NAMES.length - 1),
  node: fc.constantFrom('n1', 'n2'),
  policy: fc.constantFrom('Always', 'OnFailure', 'Never'),
  run: fc.constantFrom('0s', '1s', '1s', 'exponential(5s)', 'uniform(100ms, 90s)', 'forever'),
  codes: fc.constantFrom('0', '1', '1,0'),
  delay: fc.constantFrom('0s', '1s', 'uniform(0s, 3s)'),
  deadline: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined, freq: 5 }),
});

function apply(cluster: AgentCluster, { what, node, ...pod }: Step): void {
  const { agents } = cluster;
  const { store } = cluster.cluster;
  const name = NAMES[pod.pod] as string;
  switch (what) {
    case 'create':
      if (cluster.exists(name)) return;
      cluster.createPod(name, {
        nodeName: node,
        behaviour: {
          'run-duration': pod.run,
          'exit-codes': pod.codes,
          'start-latency': pod.delay,
          'stop-duration': pod.delay,
          'ready-delay': pod.delay,
        },
        spec: { restartPolicy: pod.policy, activeDeadlineSeconds: pod.deadline },
      });
      return;
    case 'delete':
      if (cluster.exists(name)) store.delete('pods', 'default', name);
      return;
    case 'force':
      if (cluster.exists(name)) store.delete('pods', 'default', name, { gracePeriodSeconds: 0 });
      return;
    case 'crash':
    case 'restart':
    case 'partition':
    case 'heal':
      agents[what](node);
      return;
    case 'fail':
    case 'mend':
      agents.setRuntimeFaults(node, what === 'mend' ? {} : { listError: 'busy', startError: 'busy' });
  }
}

function logOf(steps: readonly Step[], nodeAgents: NodeAgentsOptions): readonly string[] {
  const cluster = new AgentCluster(NODES, { nodeAgents });
  for (const each of steps) {
    cluster.cluster.runFor(each.afterMillis);
    apply(cluster, each);
  }
  for (const name of Object.keys(NODES)) {
    cluster.agents.setRuntimeFaults(name, {});
    cluster.agents.restart(name);
    cluster.agents.heal(name);
  }
  cluster.runSeconds(400);
  return cluster.lines;
}

const steps = fc.array(step, { minLength: 1, maxLength: 20 });

describe('lazy agents', () => {
  test('do the same as agents that relist every second and resync every minute', () => {
    fc.assert(
      fc.property(steps, (script) => {
        expect(logOf(script, {})).toEqual(logOf(script, { isEager: true }));
      }),
      { numRuns: 40 },
    );
  });

  test('say by silent heartbeats what written ones say', () => {
    const withoutLeases = (lines: readonly string[]): string[] =>
      // Leases are written more often, so that versions differ, and reports of a healthy node say nothing new.
      lines.filter((line) => !/ (leases|nodes) /.test(line)).map((line) => line.replace(/Z \d+ /, 'Z '));
    fc.assert(
      fc.property(steps, (script) => {
        const silent = withoutLeases(logOf(script, {}));
        expect(silent).toEqual(withoutLeases(logOf(script, { heartbeats: 'written' })));
      }),
      { numRuns: 15 },
    );
  });
});

test('an agent without work has no timer', () => {
  const cluster = new AgentCluster();
  cluster.createPod('p');
  cluster.runSeconds(30);
  const { log, loop } = cluster.cluster;
  const before = log.lineCount;
  cluster.runSeconds(10 * 3600);
  expect(log.lineCount).toBe(before);
  // The tasks that remain belong to the pod collector.
  expect((loop as unknown as { readonly pending: number }).pending).toBeLessThanOrEqual(2);
});
