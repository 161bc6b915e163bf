import { expect, test } from 'vitest';
import { CurrentOperation } from '../../../src/kubelet/sync-pod/current-operation.ts';

const CASES = ['now,now,now', 'now,now,later', 'now,later,now', 'later,now,later', 'later,later,later'];

test.each(CASES)('a cancel reaches the operation that began last: %s', (durations) => {
  const cancelled: number[] = [];
  let finish = (): void => {};
  const current = new CurrentOperation();
  const steps = durations.split(',');
  const begin = (step: number): void => {
    if (step === steps.length) return;
    current.begin(() => {
      if (steps[step] === 'now') begin(step + 1);
      else finish = () => begin(step + 1);
      return { cancel: () => cancelled.push(step) };
    });
  };
  begin(0);
  const first = steps.indexOf('later');
  current.cancel();
  expect(cancelled).toEqual([first === -1 ? steps.length - 1 : first]);
  finish();
  const second = steps.indexOf('later', first + 1);
  current.cancel();
  expect(cancelled.at(-1)).toBe(second === -1 ? steps.length - 1 : second);
});

test('without an operation a cancel does nothing', () => {
  expect(() => new CurrentOperation().cancel()).not.toThrow();
});
