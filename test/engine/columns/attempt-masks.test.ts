import { describe, expect, test } from 'vitest';
import { AttemptMasks } from '../../../src/engine/columns/attempt-masks.ts';
import type { PodSignature } from '../../../src/engine/index/pod-signature.ts';
import { NodeLookSets } from '../../../src/engine/verdicts/node-looks.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import type { FilterPlugin, PreFilterPlugin } from '../../../src/framework/plugin.ts';
import { RejectedSlots } from '../../../src/framework/rejected-slots.ts';
import { errorStatus, type Status, skip, unschedulable } from '../../../src/framework/status.ts';
import type { Trace } from '../../../src/framework/tracing/tracer.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const zoneOf = ({ node }: NodeInfo): string => node.metadata?.labels?.['zone'] ?? '';

/** Asks about nodes by zone, or about the nodes in the slots `suspects`; lists those that it was asked about. */
function storage(
  answer: (node: NodeInfo) => Status | null,
  { asked = [], suspects }: { readonly asked?: string[]; readonly suspects?: readonly number[] } = {},
): FilterPlugin & PreFilterPlugin {
  return {
    name: 'Storage',
    filterReads: 'cluster',
    preFilter: (_state, pod) => (pod.name === 'plain' ? skip('Storage') : null),
    filter: (_state, _pod, node) => {
      asked.push(node.name);
      return answer(node);
    },
    ...(suspects === undefined
      ? { attemptLooksAt: () => ({ taints: false, labels: ['zone'] }) }
      : { attemptSuspects: () => new Set(suspects) }),
  };
}

function traceOf(timesCalls: boolean): Trace {
  const nothing = (): void => {};
  const trace: Trace = {
    ...{ phase: nothing, start: nothing, startPlugin: nothing, end: nothing, finish: nothing },
    atNode: () => (timesCalls ? trace : null),
  };
  return trace;
}

function answersFor(plugin: FilterPlugin, podName = 'p', trace: Trace | null = null) {
  const world = new EngineColumns({ plugins: [plugin] });
  const looks = new NodeLookSets(world.columns.table, world.cluster, world.attributes);
  for (const [i, zone] of ['a', 'b', 'a', 'b', 'c'].entries()) world.add(makeNode(`n${i}`, { labels: { zone } }));
  const { framework, cluster, memory, columns, attributes, rejections } = world;
  framework.activeTrace.trace = trace;
  const { table } = columns;
  const attemptMasks = new AttemptMasks({ framework, cluster, memory, table, attributes, looks, rejections });
  const signature = { attemptFilters: new Set(['Storage']), state: new CycleState() } as unknown as PodSignature;
  const answers = attemptMasks.of(signature, makePodInfo(makePod(podName)));
  const slots = [0, 1, 2, 3, 4];
  const accepted = answers?.masks.map(({ column, accepted: by }) =>
    slots.filter((slot) => by.values[column.values[slot] ?? -1] === 1),
  );
  return { accepted, again: () => attemptMasks.of(signature, makePodInfo(makePod('plain'))) };
}

describe('AttemptMasks', () => {
  test('a filter is asked once for all nodes that it sees alike', () => {
    const asked: string[] = [];
    const { accepted } = answersFor(
      storage((node) => (zoneOf(node) === 'b' ? unschedulable('Storage', 'zone') : null), { asked }),
    );
    expect(accepted).toEqual([[0, 2, 4]]);
    expect(asked).toEqual(['n0', 'n1', 'n4']);
  });

  test('without a rejection there is no mask', () => {
    expect(answersFor(storage(() => null)).accepted).toEqual([]);
  });

  test('a filter with suspects is asked about these; a later attempt does not see their rejections', () => {
    const asked: string[] = [];
    const full = storage((node) => (node.name === 'n3' ? unschedulable('Storage', 'full') : null), {
      asked,
      suspects: [1, 3],
    });
    const { accepted, again } = answersFor(full);
    expect(accepted).toEqual([[0, 1, 2, 4]]);
    expect(asked).toEqual(['n1', 'n3']);
    expect(again()?.masks).toEqual([]);
  });

  test('a filter whose plugin knows the rejections is not asked', () => {
    const rejected = new RejectedSlots();
    for (const slot of [0, 4]) rejected.add(slot);
    const asked: string[] = [];
    const knowing = { ...storage(() => null, { asked, suspects: [] }), attemptRejections: () => rejected };
    expect([answersFor(knowing).accepted, asked]).toEqual([[[1, 2, 3]], []]);
    for (const slot of [0, 4]) rejected.delete(slot);
    expect(answersFor(knowing).accepted).toEqual([]);
    const unsure = { ...storage(() => null, { suspects: [] }), attemptRejections: () => null };
    expect(answersFor(unsure).accepted).toEqual([]);
  });

  test('calls are timed where a trace wants them; a trace of phases asks for none', () => {
    const rejected = new RejectedSlots();
    rejected.add(1);
    const asked: string[] = [];
    const filter = storage(({ name }) => (name === 'n1' ? unschedulable('Storage', 'full') : null), {
      asked,
      suspects: [1],
    });
    const knowing = { ...filter, attemptRejections: () => rejected };
    expect(answersFor(knowing, 'p', traceOf(false)).accepted).toEqual([[0, 2, 3, 4]]);
    expect(asked).toEqual([]);
    expect(answersFor(knowing, 'p', traceOf(true)).accepted).toEqual([[0, 2, 3, 4]]);
    expect(asked).toEqual(['n1']);
    for (let slot = 5; slot < 300; slot++) rejected.add(slot);
    expect(answersFor(knowing, 'p', traceOf(true)).accepted).toEqual([[0, 2, 3, 4]]);
    expect(asked).toEqual(['n1']);
  });

  test('a filter that PreFilter skips is not asked', () => {
    expect(
      answersFor(
        storage(() => unschedulable('Storage', 'no')),
        'plain',
      ).accepted,
    ).toEqual([]);
  });

  test('a filter that fails, and a PreFilter that rejects the pod, leave the decision to a cycle', () => {
    expect(answersFor(storage(() => errorStatus('Storage', 'broken'))).accepted).toBeUndefined();
    const rejecting = { ...storage(() => null), preFilter: () => unschedulable('Storage', 'no claim') };
    expect(answersFor(rejecting).accepted).toBeUndefined();
    expect(answersFor({ ...storage(() => null), attemptLooksAt: () => null }).accepted).toBeUndefined();
  });
});
