import { expect, it } from 'vitest';
import { PLACE, runNode } from './place.ts';

const IMPORT_MILLIS = 60;
const INSTANCES_BYTES = 60e6;
const ROUNDS = 7;

/** The least CPU time that a program took, in milliseconds. */
function cpuMillis(source: string): number {
  const program = `${source}; const { user, system } = process.cpuUsage(); console.log((user + system) / 1000);`;
  const rounds = Array.from({ length: ROUNDS }, () => runNode(['--input-type=module', '--eval', program], PLACE));
  return Math.min(...rounds.map(({ output }) => Number(output)));
}

it(`an import takes at most ${IMPORT_MILLIS} ms above bare Node`, () => {
  const bare = cpuMillis('');
  expect(bare).toBeGreaterThan(1);
  expect(cpuMillis(`await import('kube-berth')`) - bare).toBeLessThanOrEqual(IMPORT_MILLIS);
});

it(`100 schedulers that have decided take at most ${INSTANCES_BYTES / 1e6} MB above bare Node`, () => {
  const program = `
    const before = process.memoryUsage().rss;
    const { Scheduler } = await import('kube-berth');
    const allocatable = { cpu: '4', memory: '8Gi', pods: '110' };
    const schedulers = Array.from({ length: 100 }, () => new Scheduler());
    for (const scheduler of schedulers) {
      scheduler.addNode({ metadata: { name: 'a' }, status: { allocatable } });
      const { status } = scheduler.schedule({ metadata: { name: 'web' }, spec: { containers: [{ name: 'c' }] } });
      if (status !== 'scheduled') throw new Error(status);
    }
    console.log(process.memoryUsage().rss - before);
  `;
  const { output, errors } = runNode(['--input-type=module', '--eval', program], PLACE);
  expect(errors).toBe('');
  expect(Number(output)).toBeLessThanOrEqual(INSTANCES_BYTES);
});
