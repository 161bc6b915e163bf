import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const FIGURES = [
  ...['start with 5 nodes, ms', 'creates of pods, a second', 'gets of a pod, a second', 'list of 50 pods, ms'],
  ...['10 watches x 100 events/s, written a second', '10 watches x 100 events/s, p50 ms'],
  ...['10 watches x 100 events/s, p99 ms'],
  ...['creates with a scheduler and 5 nodes, a second', 'first list of 30 bound pods, ms'],
  ...['next list of 30 bound pods, ms', 'memory with 30 pods, MiB'],
];

it('the benchmark of the API runs, and all events are delivered', async () => {
  const program = ['--import', 'tsx', 'bench/apiserver/run.ts', '--tiny'];
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    cwd: new URL('..', import.meta.url).pathname,
  });
  const lines = stdout.split('\n');
  for (const name of FIGURES) {
    const [line = ''] = lines.filter((one) => one.startsWith(`${name} `));
    expect(line.slice(name.length)).toMatch(/^ +[\d.]+/);
  }
  expect(stdout).toContain('20 of 20 and 20 of 20 events delivered');
});
