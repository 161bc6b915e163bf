import { describe, expect, it } from 'vitest';
import { Simulation } from '../../src/simulation/simulation.ts';
import { faults, job, loadText, simulateText, workload } from './simulate-text.ts';

const PI = job('pi', '  completions: 3\n  parallelism: 1\n  backoffLimit: 4');
const ENDLESS_POD = 'kind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i}]}\n---\n';
const HUGE_POD =
  'kind: Pod\nmetadata: {name: h}\nspec: {containers: [{name: c, resources: {requests: {cpu: 99}}}]}\n---\n';
const BATCH = workload(`  - poisson: 20/m
    until: 3m
    duration: exponential(20s)
    object:
      kind: Job
      metadata: {name: w}
      spec:
        completions: 2
        parallelism: 2
        template: {spec: {restartPolicy: OnFailure, containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}
`);

describe('Simulation', () => {
  it('runs a Job to its end, and ends when nothing happens any more', async () => {
    const { summary, simulation } = await simulateText({ 'objects.yaml': PI }, { nodes: 2 });
    expect(summary).toMatchObject({
      end: 'settled',
      nodes: 2,
      pods: { created: 3, scheduled: 3, succeeded: 3, failed: 0, pending: 0, running: 0 },
      jobs: { created: 1, complete: 1, failed: 0, active: 0 },
      schedulingLatencySeconds: { p50: 0, max: 0 },
      reportedErrors: 0,
    });
    expect(summary.simulatedSeconds).toBeGreaterThan(30);
    expect(summary.simulatedSeconds).toBeLessThan(45);
    expect(simulation.elapsedMillis / 1000).toBeGreaterThan(summary.simulatedSeconds);
  });

  it('measures what is requested', async () => {
    const { summary } = await simulateText({ 'objects.yaml': PI }, { nodes: 1, shapes: ['cpu=2,memory=1Gi'] });
    expect(summary.utilisation['cpu']?.peak).toBe(0.5);
    expect(summary.utilisation['cpu']?.average).toBeGreaterThan(0.3);
    expect(summary.utilisation['memory']).toEqual({ average: 0, peak: 0 });
  });

  it('is the same for the same seed, and another for another', async () => {
    const files = { 'w.yaml': BATCH };
    const hashOf = async (seed: number) =>
      (await simulateText(files, { workload: 'w.yaml', nodes: 3, seed })).summary.log.sha256;
    expect(await hashOf(1)).toBe(await hashOf(1));
    expect(await hashOf(1)).not.toBe(await hashOf(2));
  });

  it('does not depend on how it is cut into parts, nor on who computes', async () => {
    const { input } = await loadText({ 'w.yaml': BATCH }, { workload: 'w.yaml', nodes: 3 });
    const hashes = [1, 7, 10_000].map((part, i) => {
      const engine = (['simd', 'scalar', 'reference'] as const)[i];
      const simulation = new Simulation({ ...input, scheduler: engine === undefined ? {} : { engine } });
      simulation.start();
      while (simulation.end === undefined) simulation.run(part);
      return simulation.summary().log;
    });
    expect(new Set(hashes.map(({ sha256 }) => sha256)).size).toBe(1);
  });

  it('says when pods wait for ever', async () => {
    const { summary } = await simulateText({ 'objects.yaml': HUGE_POD }, { nodes: 1 });
    expect(summary).toMatchObject({ end: 'stuck', pods: { scheduled: 0, pending: 1 } });
    // The pod still waits when the run ends.
    expect(summary.schedulingLatencySeconds).toMatchObject({ waiting: 1, max: 900 });
  });

  it('does not wait for what never ends', async () => {
    const { summary } = await simulateText({ 'objects.yaml': ENDLESS_POD }, { nodes: 1 });
    expect(summary).toMatchObject({ end: 'settled', pods: { scheduled: 1, running: 1 } });
  });

  it('ends when the time is over', async () => {
    const { summary } = await simulateText({ 'objects.yaml': PI }, { nodes: 1, until: '15s' });
    expect(summary).toMatchObject({ end: 'until', simulatedSeconds: 15, jobs: { active: 1 } });
  });

  it('can be interrupted, and says how far it came', async () => {
    const { input } = await loadText({ 'objects.yaml': PI }, { nodes: 1 });
    const simulation = new Simulation(input);
    simulation.start();
    simulation.run(50);
    simulation.interrupt();
    simulation.run(1_000_000);
    expect(simulation.summary()).toMatchObject({ end: 'interrupted', jobs: { created: 1, complete: 0 } });
  });

  it('keeps the pods of a Deployment, and deletes it when its time is over', async () => {
    const deployment =
      '{kind: Deployment, metadata: {name: web}, spec: {replicas: 3, selector: {matchLabels: {a: b}}, template:' +
      ' {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}';
    const text = workload(`  - {at: 1m, lifetime: 10m, object: ${deployment}}`);
    const { summary, lines } = await simulateText({ 'w.yaml': text }, { workload: 'w.yaml', nodes: 2 });
    expect(summary).toMatchObject({ end: 'settled', pods: { created: 3, scheduled: 3, deleted: 3, failed: 0 } });
    expect(lines.filter((line) => / ADDED pods default\/web-/.test(line))).toHaveLength(3);
    expect(lines.find((line) => line.includes('DELETED replicasets'))).toMatch(/^2026-01-01T00:11:00/);
  });

  it('goes on where it was submitted twice, and reports that', async () => {
    const pod = '{kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: i}]}}';
    const text = workload(`  - {at: 0s, object: ${pod}}\n  - {at: 1s, object: ${pod}}`);
    const { summary, lines } = await simulateText({ 'w.yaml': text }, { workload: 'w.yaml', nodes: 1 });
    expect(summary).toMatchObject({ pods: { created: 1 }, reportedErrors: 1 });
    expect(lines.some((line) => line.includes('reported submit pods p: "pods \\"p\\" already exists"'))).toBe(true);
  });
});

describe('a simulation with faults', () => {
  const ALL = faults(
    [
      '  - {fault: nodeCrash, every: exponential(1m), until: 3m, for: "uniform(10s, 2m)"}',
      '  - {fault: networkPartition, every: exponential(2m), until: 3m, for: "uniform(10s, 2m)"}',
      '  - {fault: slowRelist, at: 30s, for: 1m, delay: 5s}',
      '  - {fault: failingRelist, at: 40s, for: 30s}',
      '  - {fault: runtimeErrors, at: 50s, for: 1m, operation: start}',
      '  - {fault: lostWatch, every: 45s, until: 3m}',
      '  - {fault: storeConflicts, at: 0s, for: 3m, share: 0.05}',
      '  - {fault: storeTimeouts, at: 0s, for: 3m, share: 0.02}',
      '  - {fault: lateWatches, at: 100s, for: 30s, delay: 2s}',
      '  - {fault: slowControllers, at: 140s, for: 30s, delay: 1s}',
      '  - {fault: clockJump, at: 150s, by: 20s}',
      '  - {fault: controllerRestart, every: 70s, until: 3m}',
    ].join('\n'),
  );
  const files = { 'w.yaml': BATCH, 'f.yaml': ALL };
  const request = { workload: 'w.yaml', faults: 'f.yaml', nodes: 8 };

  it('still brings everything to its end', async () => {
    const { summary } = await simulateText(files, request);
    expect(summary.end).toBe('settled');
    expect(summary.jobs.active).toBe(0);
    expect(summary.jobs.complete).toBe(summary.jobs.created);
    expect(summary.reportedErrors).toBeGreaterThan(0);
    expect(Object.keys(summary.faults)).toEqual(expect.arrayContaining(['nodeCrash', 'controllerRestart']));
  });

  it('is the same for the same seed', async () => {
    const [a, b] = [await simulateText(files, request), await simulateText(files, request)];
    expect(a.lines).toEqual(b.lines);
    expect(a.summary).toEqual(b.summary);
  });

  it('notes in the log what befell the cluster', async () => {
    const text = faults('  - {fault: nodeCrash, at: 5s, for: 1m, node: node-00000}');
    const { lines } = await simulateText({ 'objects.yaml': PI, 'f.yaml': text }, { faults: 'f.yaml', nodes: 1 });
    const noted = lines.filter((line) => line.includes(' noted '));
    expect(noted).toEqual([
      '2026-01-01T00:00:05.000Z noted nodeCrash of node-00000 begins',
      '2026-01-01T00:01:05.000Z noted nodeCrash of node-00000 ends',
    ]);
  });
});
