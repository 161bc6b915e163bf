import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { ACTIVE, factsOf, READY, TERMINATING, TRACKED } from '../../../src/controllers/job/pod-state.ts';
import { type JobPodOptions, makeJob, makeJobPod } from '../../builders/make-job.ts';

const job = makeJob();
const DELETED = { deletionTimestamp: '2026-01-01T00:00:30Z' };

describe('factsOf', () => {
  it.each<[string, JobPodOptions, number]>([
    ['waits', {}, ACTIVE | TRACKED],
    ['is ready', { phase: 'Running', isReady: true }, ACTIVE | READY | TRACKED],
    ['is to go', { phase: 'Running', isReady: false, ...DELETED }, TERMINATING | TRACKED],
    ['has succeeded', { phase: 'Succeeded' }, TRACKED],
    ['was counted', { phase: 'Failed', isTracked: false }, 0],
  ])('reads of a pod that it %s', (_, options, bits) => {
    expect(factsOf([makeJobPod(job, 'p', options)]).bits).toEqual([bits]);
  });

  it('takes over from the list before exactly what it would read', () => {
    const options = fc.record({
      phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed'),
      isTracked: fc.boolean(),
      isReady: fc.boolean(),
    });
    const pods = fc
      .array(options, { minLength: 1, maxLength: 6 })
      .map((all) => all.map((each) => makeJobPod(job, 'p', each)));
    const picks = fc.array(fc.nat(20), { maxLength: 8 });
    fc.assert(
      fc.property(pods, fc.array(picks, { maxLength: 4 }), (made, lists) => {
        let facts = factsOf([]);
        for (const picked of lists) {
          const list = picked.map((pick) => made[pick % made.length] as Pod);
          facts = factsOf(list, facts);
          expect(facts).toEqual(factsOf(list));
          expect(factsOf(list, facts)).toBe(facts);
        }
      }),
    );
  });
});
