import { describe, expect, it } from 'vitest';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import type { SimulationSummary } from '../../src/simulation/summary.ts';
import { workload } from '../simulation/simulate-text.ts';
import { berth } from './run-berth.ts';

const POD =
  '{kind: Pod, metadata: {generateName: p-}, spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}';
const FILES = { 'w.yaml': workload(`  - {at: 1s, count: 60, object: ${POD}}`) };
const SIMULATE = ['simulate', '--workload', 'w.yaml', '--nodes', '2', '--until', '30s', '--schedulers', '3'];

describe('berth simulate --schedulers', () => {
  it('says what several schedulers have done', async () => {
    const { code, out } = await berth([...SIMULATE, '--decision-time', '10ms', '-o', 'json'], FILES);
    expect(code).toBe(0);
    const { schedulers, pods } = JSON.parse(out) as SimulationSummary;
    expect(pods.scheduled).toBe(60);
    expect(schedulers).toMatchObject({ bound: 60, conflicts: 0, handedOn: 0, retries: 0 });
    expect(schedulers?.each).toHaveLength(3);
    // Sixty decisions of ten milliseconds, and the nodes that are seen, by three that share them unevenly.
    expect(schedulers?.spanSeconds).toBeGreaterThan(0.2);
    expect(schedulers?.spanSeconds).toBeLessThan(0.4);
    expect(schedulers?.podsPerSecond).toBeCloseTo((0.99 * 60) / (schedulers?.spanSeconds ?? 0), -1);
    const table = (await berth([...SIMULATE, '--shard', 'nodes'], FILES)).out;
    expect(table).toMatch(/\nschedulers +3, busy \d/);
    expect(table).toMatch(/\nthroughput +[\d.]+k? pods\/s; all bindings took \d+/);
  });

  it('is recorded with its times, and replayed', async () => {
    const bytes: Uint8Array[] = [];
    const createFile: Terminal['createFile'] = () => ({
      write: (content) => void bytes.push(Buffer.from(content)),
      close: () => {},
    });
    await berth([...SIMULATE, '--commit-time', '3ms', '--record', 'r.gz'], FILES, { createFile });
    const recorded = Buffer.concat(bytes) as unknown as string;
    const { code, logged } = await berth(['simulate', '--replay', 'r.gz'], { 'r.gz': recorded });
    expect(logged.at(-1)).toMatch(/^r\.gz: \d+ lines as recorded$/);
    expect(code).toBe(0);
    expect((await berth(['simulate', '--replay', 'r.gz', '--schedulers', '2'], { 'r.gz': recorded })).code).toBe(1);
  });

  it.each([
    [['--shard', 'nodes'], /--shard has no effect without --schedulers/],
    [['--commit-time', '1s'], /--commit-time has no effect without --schedulers/],
    [['--schedulers', '2', '--decision-time', 'soon'], /Expected a duration such as 500us or 0s/],
    [['--schedulers', '0'], /Expected a whole number from 1/],
  ])('refuses %j', async (argv, message) => {
    const { code, logged } = await berth(['simulate', '--nodes', '2', ...argv]);
    expect(code).toBe(1);
    expect(logged[0]).toMatch(message);
  });
});
