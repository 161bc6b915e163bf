import { describe, expect, test } from 'vitest';
import type { Node, Taint } from '../../../src/api/node.ts';
import {
  NOT_READY,
  UNREACHABLE,
  withConditionTaints,
  withExecuteTaint,
} from '../../../src/controllers/node-lifecycle/node-taints.ts';

const NOW = '2026-01-01T00:00:00Z';
const OTHER: Taint = { key: 'gpu', effect: 'NoSchedule' };

function nodeWith(conditions: Readonly<Record<string, string>>, taints: readonly Taint[], unschedulable = false): Node {
  const entries = Object.entries(conditions).map(([type, status]) => ({ type, status }));
  return { spec: { taints, unschedulable }, status: { conditions: entries } };
}

const noSchedule = (name: string): Taint => ({
  key: `node.kubernetes.io/${name}`,
  effect: 'NoSchedule',
  timeAdded: NOW,
});

describe('withConditionTaints', () => {
  test.each([
    [{ Ready: 'False' }, ['not-ready']],
    [{ Ready: 'Unknown', MemoryPressure: 'Unknown' }, ['unreachable']],
    [{ Ready: 'True', MemoryPressure: 'True', DiskPressure: 'True' }, ['memory-pressure', 'disk-pressure']],
  ])('%j: %j', (conditions, names) => {
    expect(withConditionTaints(nodeWith(conditions, [OTHER]), NOW)).toEqual([OTHER, ...names.map(noSchedule)]);
  });

  test('takes back what holds no more, keeps what holds, and leaves the others alone', () => {
    const taints = [noSchedule('not-ready'), OTHER, noSchedule('unschedulable')];
    const kept = withConditionTaints(nodeWith({ Ready: 'True' }, taints, true), 'later');
    expect(kept).toEqual([OTHER, noSchedule('unschedulable')]);
    expect(withConditionTaints(nodeWith({ Ready: 'False' }, taints, true), 'later')).toBeUndefined();
  });
});

describe('withExecuteTaint', () => {
  const execute = (key: string): Taint => ({ key, effect: 'NoExecute', timeAdded: NOW });

  test('one of the two, or none', () => {
    const bare = nodeWith({}, [OTHER]);
    expect(withExecuteTaint(bare, NOT_READY, NOW)).toEqual([OTHER, execute(NOT_READY)]);
    expect(withExecuteTaint(bare, undefined, NOW)).toBeUndefined();
    const tainted = nodeWith({}, [execute(NOT_READY), OTHER]);
    expect(withExecuteTaint(tainted, NOT_READY, 'later')).toBeUndefined();
    expect(withExecuteTaint(tainted, UNREACHABLE, NOW)).toEqual([OTHER, execute(UNREACHABLE)]);
    expect(withExecuteTaint(tainted, undefined, NOW)).toEqual([OTHER]);
  });
});
