import { beforeEach, describe, expect, it } from 'vitest';
import type { PodGroup } from '../../src/api/pod-group.ts';
import type { Status } from '../../src/framework/status.ts';
import { runAtOnce } from '../../src/lib/maybe-promise.ts';
import { patchPodGroup } from '../../src/scheduler/pod-group-condition.ts';
import type { SchedulerApi } from '../../src/scheduler/scheduler-api.ts';

const SCHEDULED: Status = { code: 'Success', reasons: [], plugin: '' };
const REJECTED: Status = { code: 'Unschedulable', reasons: ['a', 'b'], plugin: '' };

let patches: unknown[];
const api = { patchPodGroupStatus: (...call: unknown[]) => patches.push(call) } as unknown as SchedulerApi;

function patch(group: PodGroup, status: Status, nowMillis: number): void {
  runAtOnce(patchPodGroup(api, group, status, nowMillis));
}

function group(status = '', reason = '', message = ''): PodGroup {
  const condition = { type: 'PodGroupScheduled', status, reason, message, lastTransitionTime: '2026-01-01T00:00:00Z' };
  const conditions = status === '' ? [] : [{ ...condition, observedGeneration: 2 }];
  return { metadata: { name: 'g', generation: 2 }, status: { conditions } };
}

beforeEach(() => {
  patches = [];
});

describe('the condition of a group', () => {
  it('is written with reason, message and generation', () => {
    patch(group(), REJECTED, 1000);
    const condition = {
      ...{ type: 'PodGroupScheduled', status: 'False', reason: 'Unschedulable', message: 'a, b' },
      ...{ observedGeneration: 2, lastTransitionTime: '1970-01-01T00:00:01Z' },
    };
    const order = { '$setElementOrder/conditions': [{ type: 'PodGroupScheduled' }] };
    expect(patches).toEqual([['default', 'g', { status: { ...order, conditions: [condition] } }]]);
  });

  it('is not written again, and never goes back from True', () => {
    patch(group('False', 'Unschedulable', 'a, b'), REJECTED, 1000);
    patch(group('True', 'Scheduled'), REJECTED, 1000);
    expect(patches).toEqual([]);
  });

  it('keeps its time while the status is the same', () => {
    patch(group('False', 'Unschedulable', 'a'), REJECTED, 1000);
    expect(JSON.stringify(patches)).not.toContain('lastTransitionTime');
    patch(group('False', 'Unschedulable', 'a'), SCHEDULED, 1000);
    expect(JSON.stringify(patches)).toContain('1970-01-01T00:00:01Z');
  });

  it('tells an error from a rejection', () => {
    patch(group(), { code: 'Error', reasons: ['x'], plugin: '' }, 0);
    expect(JSON.stringify(patches)).toContain('SchedulerError');
  });
});
