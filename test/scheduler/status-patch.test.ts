import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { runAtOnce, runAwaiting } from '../../src/lib/maybe-promise.ts';
import type { SchedulerApi } from '../../src/scheduler/scheduler-api.ts';
import type { StatusChange } from '../../src/scheduler/status-change.ts';
import { patchPodStatus } from '../../src/scheduler/status-patch.ts';
import { conflict, internalError, notFound } from '../../src/store/objects/api-error.ts';

const NOW = Date.UTC(2026, 0, 1);
const TIME = '2026-01-01T00:00:00Z';
const REJECTED = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no room' };

function patchOf(pod: Pod, change: StatusChange): unknown {
  const bodies: unknown[] = [];
  const api = { patchPodStatus: (_namespace: string, _name: string, body: unknown) => void bodies.push(body) };
  patchNow(api, pod, change);
  return bodies[0];
}

/** Runs to the end, since the API answers at once; throws what the API threw. */
function patchNow(api: object, pod: Pod, change: StatusChange): void {
  runAwaiting(patchPodStatus(api as SchedulerApi, pod, change, NOW), {
    done: () => {},
    failed: (error) => {
      throw error;
    },
  });
}

describe('patchPodStatus', () => {
  const pod: Pod = { metadata: { name: 'p', namespace: 'default', generation: 3 } };

  it('says whether the API was called', () => {
    const api = { patchPodStatus: () => {} } as unknown as SchedulerApi;
    const isCalled = (known: Pod): boolean => runAtOnce(patchPodStatus(api, known, { condition: REJECTED }, NOW));
    expect(isCalled(pod)).toBe(true);
    expect(isCalled({ ...pod, status: { conditions: [REJECTED] } })).toBe(false);
  });

  it('adds a condition of the pod as it is now', () => {
    expect(patchOf(pod, { condition: REJECTED, nominatedNodeName: 'n' })).toEqual({
      status: {
        conditions: [{ ...REJECTED, observedGeneration: 3, lastProbeTime: null, lastTransitionTime: TIME }],
        nominatedNodeName: 'n',
      },
    });
  });

  it('says nothing twice', () => {
    const reported: Pod = { ...pod, status: { conditions: [{ ...REJECTED, lastTransitionTime: TIME }] } };
    expect(patchOf(reported, { condition: REJECTED })).toBeUndefined();
    expect(patchOf(reported, { condition: REJECTED, nominatedNodeName: '' })).toBeUndefined();
    expect(patchOf(reported, {})).toBeUndefined();
  });

  it('changes what is different, and takes a nomination away', () => {
    const reported: Pod = {
      ...pod,
      status: {
        nominatedNodeName: 'n',
        conditions: [{ ...REJECTED, observedGeneration: 3, lastTransitionTime: TIME }],
      },
    };
    expect(patchOf(reported, { condition: { ...REJECTED, message: 'still no room' }, nominatedNodeName: '' })).toEqual({
      status: {
        nominatedNodeName: null,
        '$setElementOrder/conditions': [{ type: 'PodScheduled' }],
        conditions: [{ type: 'PodScheduled', message: 'still no room' }],
      },
    });
  });

  it.each([
    ['a conflict', conflict('pods', 'p', 'x'), 4],
    ['an internal error', internalError('x'), 4],
    ['a pod that is gone', notFound('pods', 'p'), 1],
  ])('meets %s: %#', (_, error, expected) => {
    let tries = 0;
    const api = {
      patchPodStatus: () => {
        tries++;
        throw error;
      },
    };
    expect(() => patchNow(api, pod, { condition: REJECTED })).toThrow(error.message);
    expect(tries).toBe(expected);
  });
});
