import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const PROGRAM = new URL('./forgetful-program.ts', import.meta.url);

it('a process ends by itself although its threads are parked', async () => {
  const argv = ['--import', 'tsx', fileURLToPath(PROGRAM)];
  // Killed after the time-out, it would not have ended: the promise rejects.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, argv, { timeout: 30_000 });
  expect({ stdout, stderr }).toEqual({ stdout: 'scheduled by 2\n', stderr: '' });
});
