import { describe, expect, it } from 'vitest';
import {
  type AnswerEnd,
  type Awaiting,
  awaited,
  type MaybePromise,
  runAwaiting,
  whenAnswered,
} from '../../src/lib/maybe-promise.ts';

/** Notes what an end receives. */
function noting(): { readonly notes: string[]; readonly end: AnswerEnd<unknown> } {
  const notes: string[] = [];
  return {
    notes,
    end: { done: (result) => notes.push(`done ${result}`), failed: (error) => notes.push(`failed ${error}`) },
  };
}

/** Lets the reactions to settled promises run, of which each may cause another. */
async function reactions(): Promise<void> {
  for (let i = 0; i < 5; i++) await null;
}

function* sum(values: readonly MaybePromise<number>[]): Awaiting<number> {
  let total = 0;
  for (const value of values) total += yield* awaited(value);
  return total;
}

function* orZero(value: () => MaybePromise<number>): Awaiting<number> {
  try {
    return yield* awaited(value());
  } catch {
    return 0;
  }
}

describe('work that awaits', () => {
  it('ends at once when all values are there', () => {
    const { notes, end } = noting();
    runAwaiting(sum([1, 2]), end);
    expect(notes).toEqual(['done 3']);
  });

  it('goes on when a promise is settled', async () => {
    const { notes, end } = noting();
    runAwaiting(sum([1, Promise.resolve(2), 3]), end);
    expect(notes).toEqual([]);
    await reactions();
    expect(notes).toEqual(['done 6']);
  });

  it('catches what is thrown at once and what is rejected later', async () => {
    const { notes, end } = noting();
    runAwaiting(
      orZero(() => {
        throw new Error('now');
      }),
      end,
    );
    runAwaiting(
      orZero(() => Promise.reject(new Error('later'))),
      end,
    );
    expect(notes).toEqual(['done 0']);
    await reactions();
    expect(notes).toEqual(['done 0', 'done 0']);
  });

  it('fails with what the work throws', async () => {
    const { notes, end } = noting();
    runAwaiting(sum([Promise.reject('refused')]), end);
    await reactions();
    expect(notes).toEqual(['failed refused']);
  });
});

describe('whenAnswered', () => {
  it.each<[string, () => MaybePromise<number>, string, boolean]>([
    ['a value', () => 1, 'done 1', true],
    ['a thrown error', () => asThrown('no'), 'failed no', true],
    ['a promise', () => Promise.resolve(1), 'done 1', false],
    ['a rejection', () => Promise.reject('no'), 'failed no', false],
  ])('passes on %s', async (_, call, expected, isAtOnce) => {
    const { notes, end } = noting();
    whenAnswered(call, end);
    expect(notes).toEqual(isAtOnce ? [expected] : []);
    await reactions();
    expect(notes).toEqual([expected]);
  });
});

function asThrown(error: string): never {
  throw error;
}
