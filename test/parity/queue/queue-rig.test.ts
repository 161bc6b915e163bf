import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/api/meta.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import type { QueueStep } from './queue-case.ts';
import { QueueRig } from './queue-rig.ts';

type Played = Omit<QueueStep, 'expect'>;
type Annotations = Readonly<Record<string, string>>;

const SCHEDULE: Played = { op: 'schedule' };

function write(op: 'add' | 'update', kind: string, object: KubernetesObject, annotations: Annotations = {}): Played {
  const { name } = object.metadata ?? {};
  return { op, kind, object: { ...object, metadata: { ...object.metadata, uid: `uid-${name}`, annotations } } };
}

/** Pods that differ in nothing but what the probes are to answer for them. */
function addPods(pods: Readonly<Record<string, Annotations>>): Played[] {
  const spec = { schedulerName: 'default-scheduler', preemptionPolicy: 'Never' };
  return Object.entries(pods).map(([name, annotations]) => write('add', 'Pod', makePod(name, { spec }), annotations));
}

/** What became of the attempts, in order, one line each. */
function play(engine: 'reference' | 'scalar' | 'simd', played: readonly Played[]): unknown[] {
  const steps = played.map((step) => ({ ...step, expect: { t: 0, log: [], state: {} } }));
  const rig = new QueueRig({ config: { probes: true }, steps }, engine);
  const log = steps.flatMap((step) => rig.run(step).log);
  return log
    .filter(({ k }) => k === 'failed' || k === 'assumed')
    .map(({ pod, node, message, nominating, pendingPlugins }) => ({ pod, node, message, nominating, pendingPlugins }));
}

describe.each(['reference', 'scalar', 'simd'] as const)('probes, on the engine %s', (engine) => {
  const node = makeNode('n1');
  const poke = (n: string): Played => write('update', 'Node', node, { n });
  const notNominated = { override: '' };
  const reservePending = {
    ...{ pod: 'b', node: undefined, nominating: notNominated, pendingPlugins: ['ProbeA'] },
    message: '0/1 nodes are available: 1 ProbeA Reserve is pending.',
  };
  const preFilterPending = {
    ...{ pod: 'a', node: undefined, nominating: 'keep', pendingPlugins: ['ProbeA'] },
    message:
      '0/1 nodes are available: ProbeA PreFilter is pending. ' +
      'no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.',
  };

  test('what PreFilter said of one pod is not said of the next that asks for the same', () => {
    const pods = addPods({ a: { 'probe/ProbeA.PreFilter': 'pending' }, b: { 'probe/ProbeA.Reserve': 'pending' } });
    const got = play(engine, [write('add', 'Node', node), ...pods, SCHEDULE, SCHEDULE, poke('1'), SCHEDULE, SCHEDULE]);
    expect(got).toEqual([preFilterPending, reservePending, preFilterPending, reservePending]);
  });

  test('nor is it missed because the first had nothing to ask', () => {
    const pods = addPods({
      b: { 'probe/ProbeA.Reserve': 'pending' },
      a: { 'probe/ProbeA.PreFilter': 'pending' },
      c: {},
    });
    const got = play(engine, [write('add', 'Node', node), ...pods, SCHEDULE, SCHEDULE, SCHEDULE]);
    expect(got).toEqual([reservePending, preFilterPending, expect.objectContaining({ pod: 'c', node: 'n1' })]);
  });

  test('a pod that waits for Permit says the same at the next attempt, and the node has its room again', () => {
    const pods = addPods({ b: { 'probe/ProbeA.Permit': 'pending' } });
    const got = play(engine, [
      write('add', 'Node', makeNode('n1', { pods: 1 })),
      ...pods,
      SCHEDULE,
      poke('1'),
      SCHEDULE,
    ]);
    const permitPending = { ...reservePending, message: '0/1 nodes are available: 1 ProbeA Permit is pending.' };
    expect(got).toEqual([permitPending, permitPending]);
  });
});
