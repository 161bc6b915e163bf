import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('the benchmark of the API runs, and all events are delivered', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'bench/apiserver/run.ts', '--tiny'],
    {
      cwd: new URL('..', import.meta.url).pathname,
    },
  );
  expect(stdout).toMatch(
    /^creates of pods, a second +\d+ +\d+\ngets of a pod, a second +\d+ +\d+\nlist of 50 pods, ms +\d+ +\d+$/m,
  );
  expect(stdout.match(/20 of 20 measured events delivered/g)).toHaveLength(2);
});
