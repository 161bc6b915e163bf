import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PodResourceClaimStatus, PodStatus } from '../../../src/api/pod.ts';
import { outcomeOf } from '../../../src/controllers/resource-claim/claims-of-pods.ts';
import { makePod } from '../../builders/make-pod.ts';
import { makeStore } from '../../builders/make-store.ts';
import { refusal } from '../../store/refusal.ts';

const conditions = [{ type: 'PodScheduled', status: 'False' }] as const;
const claims = fc.array(
  fc.record({ name: fc.constantFrom('a', 'b', 'c'), resourceClaimName: fc.constantFrom('x', 'y') }),
  {
    minLength: 1,
    maxLength: 3,
  },
);
const status = fc.record(
  {
    phase: fc.constant('Pending'),
    nominatedNodeName: fc.constant('n'),
    conditions: fc.constant(conditions),
    resourceClaimStatuses: fc.uniqueArray(
      fc.record({ name: fc.constantFrom('a', 'd'), resourceClaimName: fc.constant('z') }),
      {
        selector: ({ name }) => name,
      },
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<PodStatus>;

/** What the patch that names the claims makes of a pod with the status, with and without its outcome. */
function patched(given: PodStatus, made: readonly PodResourceClaimStatus[], withOutcome: boolean) {
  const { store } = makeStore();
  store.create('pods', makePod('p'));
  const pod = store.updateStatus('pods', { metadata: { name: 'p' }, status: given });
  const body = { metadata: { uid: pod.metadata?.uid }, status: { resourceClaimStatuses: made } };
  const outcome = withOutcome ? outcomeOf(pod, structuredClone(made)) : undefined;
  return { stored: store.patch('pods', 'default', 'p', { type: 'strategic', body, outcome }, 'status'), outcome };
}

describe('outcomeOf', () => {
  it('is what merging the patch gives', () => {
    let outcomes = 0;
    fc.assert(
      fc.property(status, claims, (given, made) => {
        const { stored, outcome } = patched(given, made, true);
        if (outcome !== undefined) outcomes++;
        expect(JSON.stringify(stored)).toBe(JSON.stringify(patched(given, made, false).stored));
        expect(Object.isFrozen(stored.status?.resourceClaimStatuses?.[0])).toBe(true);
      }),
    );
    expect(outcomes).toBeGreaterThan(10);
  });

  it('is for the pod that was seen, not for a later one of the same name and status', () => {
    const { store } = makeStore();
    const pod = store.create('pods', makePod('p'));
    store.delete('pods', 'default', 'p', { gracePeriodSeconds: 0 });
    const later = store.create('pods', makePod('p'));
    const made = [{ name: 'a', resourceClaimName: 'x' }];
    const body = { metadata: { uid: pod.metadata?.uid }, status: { resourceClaimStatuses: made } };
    const outcome = outcomeOf({ ...pod, status: later.status }, made);
    expect(outcome?.before).toBe(later.status);
    const problem = refusal(() => store.patch('pods', 'default', 'p', { type: 'strategic', body, outcome }, 'status'));
    expect(problem.reason).toBe('Conflict');
    expect(store.get('pods', 'default', 'p').status).toBe(later.status);
  });
});
