import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { workloadFiles } from '../perf/workload-files.ts';
import { faults, job } from '../simulation/simulate-text.ts';
import { berth, NODES, pod } from './run-berth.ts';

const FILES = { 'c.yaml': NODES + pod('a', '1') + pod('big', '9') };
const SCHEDULE = ['schedule', '-f', 'c.yaml'];
/** What is logged in any case ends with how long it took. */
const logOf = (logged: readonly string[]) => logged.filter((line) => /^(?:ERROR|WARN|INFO|DEBUG) /.test(line));

const folder = mkdtempSync(join(tmpdir(), 'berth-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('--log-level', () => {
  it.each([
    ['before the command', ['--log-level', 'debug', ...SCHEDULE]],
    ['behind it', [...SCHEDULE, '--log-level', 'debug']],
  ])('writes lines to standard error, %s', async (_, argv) => {
    const { code, out, logged } = await berth(argv, FILES);
    const quiet = await berth(SCHEDULE, FILES);
    expect({ code, out }).toEqual({ code: quiet.code, out: quiet.out });
    expect(logOf(quiet.logged)).toEqual([]);
    expect(logged.slice(0, 2)).toEqual([
      'INFO scheduler set up engine=simd index=true workers=1 tieBreak=first seed=1 ' +
        'profiles=["default-scheduler"] extenders=0',
      expect.stringMatching(/^DEBUG scheduler decided pod=default\/big status=unschedulable message="0\/2 nodes/),
    ]);
    expect(logged).toHaveLength(quiet.logged.length + 2);
  });

  it.each(['error', 'warn'])('says nothing at level %s where nothing is wrong', async (level) => {
    expect(logOf((await berth([...SCHEDULE, '--log-level', level], FILES)).logged)).toEqual([]);
  });

  it('refuses another level', async () => {
    const { code, logged } = await berth([...SCHEDULE, '--log-level', 'loud'], FILES);
    expect(code).toBe(1);
    expect(logged.join('\n')).toContain('Allowed choices are error, warn, info, debug.');
  });

  it('is shown by berth --help, and by no command', async () => {
    const help = (await berth(['--help'])).out;
    expect(help).toMatch(/--log-level <level> .*\(choices:\s+"error",\s+"warn",\s+"info",\s+"debug"\)/s);
    expect(help).toContain('Log lines read "LEVEL component message key=value".');
    expect((await berth(['schedule', '--help'])).out).not.toContain('--log-level');
  });
});

describe('--log-level of other commands', () => {
  it('berth simulate says the simulated time, and runs the same', async () => {
    const files = {
      'j.yaml': job('pi'),
      'f.yaml': faults('  - {fault: nodeCrash, at: 5s, for: 10s, node: node-00000}'),
    };
    const argv = ['simulate', '-f', 'j.yaml', '--nodes', '2', '--faults', 'f.yaml'];
    const { code, out, logged } = await berth([...argv, '--log-level', 'info'], files);
    expect(out).toBe((await berth(argv, files)).out);
    expect(code).toBe(0);
    const lines = logOf(logged);
    expect(lines).toContainEqual(
      'INFO simulation begins time=2026-01-01T00:00:00.000Z seed=1 objects=3 sources=0 faults=1',
    );
    expect(lines).toContainEqual(
      expect.stringMatching(/^INFO simulation a fault time=2026-01-01T00:00:05.000Z fault="nodeCrash of \S+ begins"$/),
    );
    expect(lines.at(-1)).toMatch(/^INFO simulation ends time=\S+ end=settled tasks=\d+$/);
  });

  it('berth bench logs what its schedulers do', async () => {
    const argv = ['bench', '-f', 'c.yaml', '--engine', 'reference', '--repeat', '1', '-o', 'json'];
    const { out, logged } = await berth([...argv, '--log-level', 'info'], FILES);
    expect(logOf(logged)[0]).toMatch(/^INFO scheduler set up engine=reference /);
    expect(JSON.stringify(JSON.parse(out))).not.toContain('logger');
  });

  it('berth bench --perf-config does, too', async () => {
    const argv = ['bench', '--perf-config', 'performance-config.yaml', '--workload', 'Basic/10Nodes'];
    const { logged } = await berth([...argv, '--log-level', 'info'], workloadFiles());
    expect(logOf(logged)).toContainEqual(
      expect.stringMatching(/^INFO scheduler caches are filled, .* nodes=0 pods=0$/),
    );
  });

  it('berth sweep says how much is to be done', async () => {
    const argv = ['sweep', '--kind', 'basic', '--nodes', '5', '--pods', '5', '--workers', '1', '--seeds', '1..2'];
    const { code, logged } = await berth([...argv, '-o', join(folder, 'sweep'), '--log-level', 'info']);
    expect(code).toBe(0);
    expect(logOf(logged)).toEqual(['INFO sweep begins runs=2 resumedRuns=0 workers=1']);
  });
});
