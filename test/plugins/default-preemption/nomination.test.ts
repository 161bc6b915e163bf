import { describe, expect, test } from 'vitest';
import type { Pod, PodStatus } from '../../../src/api/pod.ts';
import { type EngineName, type ScheduleResult, Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const pod = (name: string, priority: number, cpu: number | string, nodeName?: string, status: PodStatus = {}): Pod =>
  makePod(name, {
    requests: { cpu },
    spec: { ...makePod(name, { requests: { cpu } }).spec, priority, nodeName },
    status,
  });

describe.each<EngineName>(['reference', 'scalar', 'simd'])('preemption, engine %s', (engine) => {
  /** Two nodes of 2 cpu, full of pods of priority 1 (n1) and 2 (n2). */
  function full(): Scheduler {
    const scheduler = new Scheduler({ engine });
    for (const name of ['n1', 'n2']) scheduler.addNode(makeNode(name, { cpu: 2 }));
    for (const [i, name] of ['a', 'b'].entries()) scheduler.addPod(pod(name, 1, 1, 'n1', started(i + 1)));
    for (const [i, name] of ['c', 'd'].entries()) scheduler.addPod(pod(name, 2, 1, 'n2', started(i + 1)));
    return scheduler;
  }
  const started = (day: number): PodStatus => ({ startTime: `2026-01-0${day}T00:00:00Z` });
  const nominated = (result: ScheduleResult): unknown =>
    result.status === 'unschedulable' ? [result.nominatedNode, result.victims] : result.status;

  test('names node and victims, keeps the room, and takes it when the victims are gone', () => {
    const scheduler = full();
    const high = pod('high', 10, 1);
    expect(scheduler.schedule(high)).toEqual({
      status: 'unschedulable',
      message: '0/2 nodes are available: 2 Insufficient cpu.',
      nominatedNode: 'n1',
      victims: ['default/b'],
    });
    scheduler.removePod('default', 'b');
    // The room is kept from equals and inferiors, not from superiors.
    expect(scheduler.explain(pod('equal', 10, 1)).feasible).toEqual([]);
    expect(scheduler.explain(pod('superior', 11, 1)).feasible).toEqual(['n1']);
    expect(scheduler.schedule(high)).toEqual({
      status: 'scheduled',
      node: 'n1',
      score: null,
      feasibleNodes: 1,
      ties: 1,
    });
    expect(scheduler.explain(pod('superior', 11, 1)).feasible).toEqual([]);
  });

  test('a pod that waits for its victims keeps its nomination; others choose other victims', () => {
    const scheduler = full();
    expect(nominated(scheduler.schedule(pod('high', 10, 1)))).toEqual(['n1', ['default/b']]);
    expect(nominated(scheduler.schedule(pod('next', 10, 1)))).toEqual(['n1', ['default/a', 'default/b']]);
    scheduler.removePod('default', 'high');
    expect(nominated(scheduler.schedule(pod('third', 10, 2)))).toEqual(['n2', ['default/c', 'default/d']]);
  });

  test('a nominated pod does not block itself, whatever pods like it ran before', () => {
    const scheduler = full();
    const high = pod('high', 10, 1);
    scheduler.schedule(high);
    for (let round = 0; round < 2; round++) {
      expect(scheduler.explain(pod('next', 10, 1)).preemption?.victims).toEqual(['default/a', 'default/b']);
      expect(nominated(scheduler.schedule(high))).toEqual(['n1', ['default/b']]);
    }
  });

  test('while victims terminate on its nominated node a pod does not preempt again', () => {
    const scheduler = full();
    const high = pod('high', 10, 1);
    scheduler.schedule(high);
    const leaving = pod('b', 1, 1, 'n1', {
      conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }],
    });
    scheduler.updatePod({ ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: '2026-01-03T00:00:00Z' } });
    const message =
      '0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, ' +
      'preemption: not eligible due to a terminating pod on the nominated node.';
    expect(scheduler.schedule(high)).toEqual({ status: 'unschedulable', message });
    scheduler.removePod('default', 'b');
    expect(scheduler.schedule(high)).toMatchObject({ node: 'n1' });
  });

  test('a superior that takes over the node sends its nominated inferiors away', () => {
    const scheduler = full();
    expect(nominated(scheduler.schedule(pod('high', 10, 2)))).toEqual(['n1', ['default/a', 'default/b']]);
    expect(nominated(scheduler.schedule(pod('higher', 20, 2)))).toEqual(['n1', ['default/a', 'default/b']]);
    for (const name of ['a', 'b', 'higher']) scheduler.removePod('default', name);
    expect(scheduler.explain(pod('low', 0, 2)).feasible).toEqual(['n1']);
  });

  test('an update of a nominated pod keeps the nomination until one that has shown is gone', () => {
    const scheduler = full();
    scheduler.schedule(pod('high', 10, 1));
    scheduler.removePod('default', 'b');
    const room = (): readonly string[] => scheduler.explain(pod('low', 0, 1)).feasible;
    scheduler.updatePod(pod('high', 10, 1));
    expect(room()).toEqual([]);
    scheduler.updatePod(pod('high', 10, 1, undefined, { nominatedNodeName: 'n1' }));
    expect(room()).toEqual([]);
    scheduler.updatePod(pod('high', 10, 1));
    expect(room()).toEqual(['n1']);
  });

  test('room is kept on a node that is not there yet, and on one that comes back', () => {
    const scheduler = new Scheduler({ engine });
    scheduler.addPod(pod('high', 10, 2, undefined, { nominatedNodeName: 'n1' }));
    for (let round = 0; round < 2; round++) {
      scheduler.addNode(makeNode('n1', { cpu: 2 }));
      expect(scheduler.explain(pod('low', 0, 1)).feasible).toEqual([]);
      scheduler.removeNode('n1');
    }
  });

  test('a failed attempt without candidates takes the nomination back', () => {
    const scheduler = full();
    const high = pod('high', 2, 1);
    expect(nominated(scheduler.schedule(high))).toEqual(['n1', ['default/b']]);
    for (const name of ['a', 'b']) scheduler.updatePod(pod(name, 9, 1, 'n1'));
    expect(scheduler.schedule(high)).toMatchObject({ message: expect.stringContaining('No preemption victims') });
    scheduler.removePod('default', 'b');
    expect(scheduler.explain(pod('low', 0, 1)).feasible).toEqual(['n1']);
  });

  test('without preemption nothing is added to the message', () => {
    const scheduler = new Scheduler({ engine, preemption: false });
    scheduler.addNode(makeNode('n1', { cpu: 1 }));
    const message = '0/1 nodes are available: 1 Insufficient cpu.';
    expect(scheduler.schedule(pod('big', 10, 2))).toEqual({ status: 'unschedulable', message });
    expect(scheduler.explain(pod('big', 10, 2))).toMatchObject({ preemption: null, message });
  });

  test('explains why the other nodes are no candidates, and changes nothing', () => {
    const scheduler = full();
    scheduler.addNode(makeNode('small', { cpu: '500m' }));
    scheduler.addNode(makeNode('important', { cpu: 1 }));
    scheduler.addPod(pod('vip', 99, 1, 'important'));
    const { preemption } = scheduler.explain(pod('high', 10, 1));
    expect(preemption).toMatchObject({
      status: 'Success',
      message: '',
      potentialNodes: ['n1', 'n2', 'important'],
      numCandidates: 3,
      candidates: [
        { node: 'n1', victims: ['default/b'], pdbViolations: 0 },
        { node: 'n2', victims: ['default/d'], pdbViolations: 0 },
      ],
      nodeStatus: { important: { reasons: ['No preemption victims found for incoming pod'] } },
      nominatedTies: ['n1'],
      nominatedNode: 'n1',
      victims: ['default/b'],
    });
    expect(scheduler.explain(pod('low', 0, 1)).preemption).toMatchObject({ candidates: [], nominatedNode: null });
  });
});
