import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { berth, NODES } from './run-berth.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-'));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const contentOf = (name: string) => readFileSync(at(name), 'utf8');
const sweepArgs = (name: string, ...more: string[]) => [
  ...['sweep', '--kind', 'hetero', '--nodes', '20', '--pods', '40', '--tie-break', 'random', '--workers', '1'],
  ...['-o', at(name), ...more],
];
const SMALL = ['sweep', '--kind', 'basic,hetero', '--nodes', '5,6', '--pods', '9', '--seeds', '1..3'];

const GATES = 'GenericWorkload=true,GangScheduling=true';

describe('berth sweep', () => {
  it('writes its parameters and a line a run, and says how fast it was', async () => {
    const { code, out, logged } = await berth(sweepArgs('a', '--seeds', '3..5'));
    expect({ code, out }).toEqual({ code: 0, out: '' });
    const [header, ...runs] = contentOf('a')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(header).toMatchObject({
      format: 'berth-sweep',
      parameters: { kind: ['hetero'], nodes: [20], pods: [40], tieBreak: ['random'] },
      seeds: '3..5',
      runs: 3,
    });
    expect(runs.map(({ run, seed, config, scheduled }) => [run, seed, config, scheduled])).toEqual([
      [1, 3, undefined, 40],
      [2, 4, undefined, 40],
      [3, 5, undefined, 40],
    ]);
    expect(logged).toEqual([expect.stringMatching(/^3 of 3 runs, in \d+\.\d\d s \([\d.]+ runs\/s, workers 1\)$/)]);
  });

  it('goes on with a file from wherever it was cut off', async () => {
    const whole = contentOf('a');
    const second = whole.indexOf('\n', whole.indexOf('\n') + 1) + 1;
    for (const cut of [10, second, second + 30]) {
      writeFileSync(at('cut'), whole.slice(0, cut));
      const { code, logged } = await berth(sweepArgs('cut', '--seeds', '3..5', '--resume'));
      expect(code).toBe(0);
      expect(logged[0]).toMatch(cut === 10 ? /^3 of 3 runs, in / : /^3 of 3 runs, 1 of them from before, in /);
      expect(contentOf('cut')).toBe(contentOf('a'));
    }
    // Nothing is left to do, and a file that is not there yet is begun.
    expect((await berth(sweepArgs('cut', '--seeds', '3..5', '--resume'))).logged[0]).toMatch(/^3 of 3 runs, 3 of them/);
    expect((await berth(sweepArgs('none', '--seeds', '3', '--resume'))).code).toBe(0);
    expect(existsSync(at('none'))).toBe(true);
  });

  it('runs every seed with every configuration', async () => {
    const config = (percentage: number) =>
      'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n' +
      `percentageOfNodesToScore: ${percentage}\n`;
    const files = { 'all.yaml': config(100), 'some.yaml': config(5) };
    const argv = [...sweepArgs('configs', '--seeds', '3,4', '--nodes', '150'), '--config', 'all.yaml', 'some.yaml'];
    expect((await berth(argv, files)).code).toBe(0);
    const [header, ...runs] = contentOf('configs')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(header.parameters.config).toEqual(['all.yaml', 'some.yaml']);
    expect(header.files.map(({ name }: { name: string }) => name)).toEqual(['all.yaml', 'some.yaml']);
    expect(header.files[0].sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(runs.map(({ config, seed }) => `${config} ${seed}`)).toEqual(
      ['all.yaml', 'some.yaml'].flatMap((name) => [`${name} 3`, `${name} 4`]),
    );
    expect(new Set(runs.map(({ hash }) => hash)).size).toBe(4);
  });

  const foreign =
    'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: [{schedulerName: mine}]\n';

  it.each<[what: string, argv: string[], message: RegExp]>([
    ['a file that is there', sweepArgs('a', '--seeds', '3..5'), /a: exists already; --resume goes on with it$/],
    ['other parameters', sweepArgs('a', '--seeds', '3..6', '--resume'), /a: is of another sweep: seeds "3\.\.5", not/],
    [
      'a file of something else',
      sweepArgs('text', '--seeds', '1', '--resume'),
      /text: was not written by berth sweep$/,
    ],
    ['a wrong seed', sweepArgs('b', '--seeds', '5..1'), /"5\.\.1": the last seed is less than the first\.$/],
    ['no seeds', sweepArgs('b'), /required option '--seeds <list>' not specified$/],
    ['a folder that is not there', sweepArgs('no/b', '--seeds', '1'), /no\/b: no such folder$/],
    ['pods of nobody', sweepArgs('b', '--seeds', '1', '--config', 'f.yaml'), /f\.yaml: profiles: none is for default-/],
  ])('refuses %s', async (_what, argv, message) => {
    writeFileSync(at('text'), 'kind: Node\n');
    const { code, logged } = await berth(argv, { 'f.yaml': foreign });
    expect(code).toBe(1);
    expect(logged).toEqual([expect.stringMatching(message)]);
    expect(existsSync(at('b'))).toBe(false);
  });

  it('stops on Ctrl-C with what is written, says so, and ends with 130', async () => {
    const interrupt = (listener: () => void) => {
      listener();
      return () => {};
    };
    const argv = sweepArgs('interrupted', '--seeds', '1..3');
    const { code, logged } = await berth(argv, {}, { onInterrupt: interrupt });
    expect(code).toBe(130);
    expect(logged[1]).toBe(`interrupted: 3 runs are missing, --resume goes on with ${at('interrupted')}`);
    expect((await berth([...argv, '--resume'])).code).toBe(0);
    expect(contentOf('interrupted').trimEnd().split('\n')).toHaveLength(4);
  });

  it.each<[argv: string[], message: string | RegExp]>([
    [['--feature-gates', GATES, '-o', 'x'], /the feature gate GenericWorkload needs --simulate/],
    [['--feature-gates', 'GangScheduling=true', '-o', 'x'], /but depends on features that are disabled/],
    [['--shards', '3', '-o', 'x'], /--shards has no effect outside of an array of tasks/],
    [['--shard', '1/2', '-o', 'x.csv'], /x\.csv: a \.csv file cannot be a shard/],
    [['-o', 'x.parquet', '--resume'], /x\.parquet: a \.parquet file cannot be resumed/],
    [['-o', '-', '--resume'], /--resume needs a file/],
    [['--shard', '4/3', '-o', 'x'], /"4\/3": there is no shard 4 of 3/],
    [['--vary', 'nods=1', '-o', 'x'], /nods: there is no such parameter \(known: kind, nodes, /],
    [['--vary', 'nodes=1', '-o', 'x'], /--vary nodes: its values are given twice/],
    [['--vary', 'tie-break=last', '-o', 'x'], /tieBreak: "last" is none of first, random, upstream/],
    [['--until', '5m', '-o', 'x'], /kind has no effect in a simulation/],
    [['-f', 'c', '-o', 'x'], /kind has no effect on the cluster of -f/],
    [['--recording', 'r', '-f', 'c', '--vary', 'lose=a', '-o', 'x'], /kind has no effect/],
  ])('refuses %j', async (argv, message) => {
    const { code, logged } = await berth([...SMALL, ...argv], { c: NODES });
    expect(code).toBe(1);
    expect(logged).toEqual([expect.stringMatching(message)]);
  });
});
