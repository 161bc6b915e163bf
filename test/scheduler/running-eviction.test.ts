import { expect, it } from 'vitest';
import { type EvictionSteps, RunningEviction } from '../../src/scheduler/running-eviction.ts';

/** Notes what it does; pauses after each note, and waits for `answer` behind the second one. */
function* steps(notes: string[], answer?: Promise<string>): EvictionSteps {
  notes.push('a');
  yield;
  notes.push('b');
  if (answer === undefined) yield;
  else {
    try {
      notes.push(String(yield answer));
    } catch (error) {
      notes.push(`refused: ${error}`);
    }
  }
  notes.push('c');
  yield;
  notes.push('d');
}

it('goes as far as it is told, as long as nothing comes later', () => {
  const notes: string[] = [];
  const eviction = new RunningEviction(steps(notes));
  eviction.advance(2);
  expect(notes).toEqual(['a', 'b']);
  eviction.finish();
  eviction.finish();
  expect(notes).toEqual(['a', 'b', 'c', 'd']);
});

it('goes on to its end by itself after an answer that came later', async () => {
  for (const [answer, note] of [
    [Promise.resolve('done'), 'done'],
    [Promise.reject('no'), 'refused: no'],
  ] as const) {
    const notes: string[] = [];
    const eviction = new RunningEviction(steps(notes, answer));
    eviction.advance(5);
    eviction.finish();
    expect(notes).toEqual(['a', 'b']);
    for (let i = 0; i < 5; i++) await null;
    expect(notes).toEqual(['a', 'b', note, 'c', 'd']);
  }
});
