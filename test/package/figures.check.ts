import { expect, it } from 'vitest';
import { PLACE, runNode } from './place.ts';

/** Limits, and the same as multiples of the time that bare Node takes to start, for machines on which that is slow. */
const IMPORT_MILLIS = 60;
/** An import took 0.95 to 1.03 times its start when that was 90 ms. */
const IMPORT_BY_BARE = 1.5;
const FORK_MILLIS = 10;
/** A fork took 0.13 to 0.14 times its start when that was 95 ms, of this build and of one before. */
const FORK_BY_BARE = 0.2;
const RESTORE_MILLIS = 1000;
/** To restore took 8.6 to 9.3 times its start then, of both builds. */
const RESTORE_BY_BARE = 14;
const INSTANCES_BYTES = 60e6;
const ROUNDS = 7;

/** The CPU time that a program of its own process took, in milliseconds. */
function cpuMillis(source: string): number {
  const program = `${source}; const { user, system } = process.cpuUsage(); console.log((user + system) / 1000);`;
  return Number(runNode(['--input-type=module', '--eval', program], PLACE).output);
}

/** The processor time that bare Node takes to start, in milliseconds. */
function bareMillis(): number {
  return Math.min(...Array.from({ length: ROUNDS }, () => cpuMillis('')));
}

it(`an import takes at most ${IMPORT_MILLIS} ms above bare Node`, () => {
  const bare: number[] = [];
  const imported: number[] = [];
  // The two are timed in turn, so that a machine that grows slower meanwhile does so for both.
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(cpuMillis(''));
    imported.push(cpuMillis(`await import('kube-berth')`));
  }
  const least = Math.min(...bare);
  expect(least).toBeGreaterThan(1);
  expect(Math.min(...imported) - least).toBeLessThanOrEqual(Math.max(IMPORT_MILLIS, least * IMPORT_BY_BARE));
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

/**
 * A process of its own in each round, so that nothing of what is timed has run before. Returns the least time: by the
 * clock, or of the processor where others had it meanwhile.
 */
function firstMillis(nodes: number, pods: number, timed: string, rounds: number): number {
  const program = `
    const { Scheduler } = await import('kube-berth');
    const allocatable = { cpu: '64', memory: '256Gi', pods: '110' };
    const resources = { requests: { cpu: '100m', memory: '128Mi' } };
    const scheduler = new Scheduler();
    for (let i = 0; i < ${nodes}; i++) {
      const labels = { 'kubernetes.io/hostname': 'n' + i, 'topology.kubernetes.io/zone': 'z' + (i % 5) };
      scheduler.addNode({ metadata: { name: 'n' + i, labels }, status: { allocatable } });
    }
    for (let i = 0; i < ${pods}; i++) {
      const metadata = { name: 'p' + i, namespace: 'default', uid: 'u' + i, labels: { app: 'a' + (i % 50) } };
      const containers = [{ name: 'c', image: 'x', resources }];
      scheduler.addPod({ metadata, spec: { nodeName: 'n' + (i % ${nodes}), containers } });
    }
    const bytes = scheduler.snapshot();
    const [start, cpuStart] = [performance.now(), process.cpuUsage()];
    const other = ${timed};
    const millis = performance.now() - start;
    const { user, system } = process.cpuUsage(cpuStart);
    if (other.pods().length !== ${pods}) throw new Error('pods are missing');
    console.log(Math.min(millis, (user + system) / 1000));
  `;
  const times = Array.from({ length: rounds }, () => {
    const { output, errors } = runNode(['--input-type=module', '--eval', program], PLACE);
    expect(errors).toBe('');
    return Number(output);
  });
  return Math.min(...times);
}

it(`the first fork of 2,000 nodes with 20,000 pods takes at most ${FORK_MILLIS} ms`, () => {
  const limitMillis = Math.max(FORK_MILLIS, bareMillis() * FORK_BY_BARE);
  expect(firstMillis(2000, 20_000, 'scheduler.fork()', ROUNDS)).toBeLessThanOrEqual(limitMillis);
});

it(`to restore 5,000 nodes with 100,000 pods takes at most ${RESTORE_MILLIS} ms`, () => {
  const limitMillis = Math.max(RESTORE_MILLIS, bareMillis() * RESTORE_BY_BARE);
  expect(firstMillis(5000, 100_000, 'Scheduler.restore(bytes)', 3)).toBeLessThanOrEqual(limitMillis);
});
