import { expect, it } from 'vitest';
import { processTable } from '../../src/lib/process-table.ts';

it('knows this process, and none with a number that no process has', () => {
  const { ownId, isRunning } = processTable();
  expect(isRunning(ownId)).toBe(true);
  expect(isRunning(2 ** 30)).toBe(false);
});
