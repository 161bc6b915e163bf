import { expect, test } from 'vitest';
import { isPodFinished, withPodCondition } from '../../src/api/pod-conditions.ts';

const NOW_MILLIS = Date.UTC(2026, 0, 1);
const NOW = '2026-01-01T00:00:00Z';
const BEFORE = '2025-12-31T00:00:00Z';

test('a new condition comes last, with the time of now', () => {
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  const after = withPodCondition(status, { type: 'DisruptionTarget', status: 'True', reason: 'R' }, NOW_MILLIS);
  expect(after).toEqual({
    phase: 'Running',
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'DisruptionTarget', status: 'True', reason: 'R', lastProbeTime: null, lastTransitionTime: NOW },
    ],
  });
  expect(status.conditions).toHaveLength(1);
});

test.each([
  ['True', BEFORE],
  ['False', NOW],
])('the time of a transition to True is kept when it was %s already', (old, lastTransitionTime) => {
  const conditions = [
    { type: 'A', status: old, message: 'old', lastTransitionTime: BEFORE },
    { type: 'B', status: 'True' },
  ];
  const after = withPodCondition({ conditions }, { type: 'A', status: 'True', message: 'new' }, NOW_MILLIS);
  expect(after.conditions).toEqual([
    { type: 'A', status: 'True', message: 'new', lastProbeTime: null, lastTransitionTime },
    { type: 'B', status: 'True' },
  ]);
});

test('a pod has finished when its containers never run again', () => {
  const phases = ['Succeeded', 'Failed', 'Running', 'Pending', 'Unknown', undefined];
  const finished = phases.filter((phase) => isPodFinished({ status: { phase } }));
  expect(finished).toEqual(['Succeeded', 'Failed']);
});
