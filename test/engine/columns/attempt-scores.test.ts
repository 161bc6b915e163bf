import { describe, expect, it } from 'vitest';
import { scoresInAttempt } from '../../../src/engine/columns/attempt-scores.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import type { Framework } from '../../../src/framework/runtime/framework.ts';

const framework = (answer?: boolean) =>
  ({
    scorePlugins: [
      { plugin: { name: 'p', ...(answer !== undefined && { scoresInAttempt: () => answer }) }, weight: 1 },
    ],
  }) as unknown as Framework;

describe('scoresInAttempt', () => {
  it('asks the plugins that filter in each attempt, and no others', () => {
    const ask = (answer: boolean | undefined, readers: readonly string[]) =>
      scoresInAttempt(framework(answer), new Set(readers), new CycleState());
    expect([ask(true, ['p']), ask(false, ['p']), ask(undefined, ['p'])]).toEqual([true, false, false]);
    expect([ask(true, ['q']), ask(true, [])]).toEqual([false, false]);
  });
});
