import { describe, expect, it } from 'vitest';
import { slowStartBatch } from '../../src/controllers/pod-creation.ts';
import { ApiError } from '../../src/store/objects/api-error.ts';

describe('slowStartBatch', () => {
  it('creates everything where nothing is refused', () => {
    const positions: number[] = [];
    const outcome = slowStartBatch(5, (position) => positions.push(position));
    expect(outcome).toEqual({ created: 5, failed: 0, skipped: 0, error: undefined });
    expect(positions).toEqual([0, 1, 2, 3, 4]);
  });

  it('ends with the first batch in which a creation is refused, and keeps the first error', () => {
    const outcome = slowStartBatch(10, (position) => {
      if (position >= 3) throw new Error(`at ${position}`);
    });
    expect(outcome).toEqual({ created: 3, failed: 4, skipped: 3, error: new Error('at 3') });
  });

  it('counts creations in a namespace that is being deleted neither as created nor as failed', () => {
    const cause = { reason: 'NamespaceTerminating', message: '' };
    const outcome = slowStartBatch(3, () => {
      throw new ApiError('Forbidden', 'terminating', [cause]);
    });
    expect(outcome).toEqual({ created: 0, failed: 0, skipped: 0, error: undefined });
  });
});
