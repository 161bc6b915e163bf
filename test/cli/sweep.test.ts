import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { berth } from './run-berth.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-'));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const contentOf = (name: string) => readFileSync(at(name), 'utf8');
/** The file without the place in its first line that names the command and the time. */
const resultsOf = (name: string) => contentOf(name).replace(/,"origin":\{.*?\}(?=\}\n)/, '');
const sweepArgs = (name: string, ...more: string[]) => [
  ...['sweep', '--kind', 'hetero', '--nodes', '20', '--pods', '40', '--tie-break', 'random', '--workers', '1'],
  ...['-o', at(name), ...more],
];

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
      kind: 'hetero',
      nodes: 20,
      pods: 40,
      seeds: '3..5',
      runs: 3,
      origin: { command: expect.stringMatching(/^berth sweep --kind hetero .*--seeds 3\.\.5$/) },
    });
    expect(header.origin.time).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(runs.map(({ run, seed, config, scheduled }) => [run, seed, config, scheduled])).toEqual([
      [1, 3, null, 40],
      [2, 4, null, 40],
      [3, 5, null, 40],
    ]);
    expect(logged).toEqual([
      expect.stringMatching(/^3 of 3 runs, in \d+\.\d\d s \([\d.]+ runs\/s, \d+ pods\/s, workers 1\)$/),
    ]);
  });

  it('goes on with a file from wherever it was cut off', async () => {
    const whole = contentOf('a');
    const second = whole.indexOf('\n', whole.indexOf('\n') + 1) + 1;
    for (const cut of [10, second, second + 30]) {
      writeFileSync(at('cut'), whole.slice(0, cut));
      const { code, logged } = await berth(sweepArgs('cut', '--seeds', '3..5', '--resume'));
      expect(code).toBe(0);
      expect(logged[0]).toMatch(cut === 10 ? /^3 of 3 runs, in / : /^3 of 3 runs, 1 of them from before, in /);
      expect(resultsOf('cut')).toBe(resultsOf('a'));
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
    expect(header.configs.map(({ name }: { name: string }) => name)).toEqual(['all.yaml', 'some.yaml']);
    expect(header.configs[0].sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(runs.map(({ config, seed }) => `${config} ${seed}`)).toEqual(
      ['all.yaml', 'some.yaml'].flatMap((name) => [`${name} 3`, `${name} 4`]),
    );
    expect(new Set(runs.map(({ decisionHash }) => decisionHash)).size).toBe(4);
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
});

/** Reading gives others their turn. */
async function linesIn(name: string): Promise<number> {
  const text = await readFile(at(name), 'utf8').catch(() => '');
  return text.split('\n').length - 1;
}

/** `npm test` builds it first. */
const BUILT = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

describe('berth sweep, as built', () => {
  const start = (argv: readonly string[]) => spawn(process.execPath, [BUILT, ...argv], { stdio: 'ignore' });
  const end = async (child: ChildProcess): Promise<[code: number | null, signal: string | null]> =>
    (await once(child, 'exit')) as [number | null, string | null];
  const argv = (name: string, ...more: string[]) => [
    ...['sweep', '--nodes', '100', '--pods', '200', '--seeds', '1..60', '--workers', '2', '-o', at(name), ...more],
  ];
  /** Waits until the process has written one more run behind the header and the runs before. */
  const grown = async (name: string, child: ChildProcess) => {
    const before = Math.max(await linesIn(name), 1);
    while (child.exitCode === null && (await linesIn(name)) <= before);
  };

  it('killed at any time and resumed gives the file of a sweep that ran through', async () => {
    expect(await end(start(argv('through')))).toEqual([0, null]);
    const through = resultsOf('through');
    const lines = through.trimEnd().split('\n');
    expect(lines).toHaveLength(61);

    let kills = 0;
    for (let attempt = 0; attempt < 3; attempt++) {
      const child = start(argv('killed', '--resume'));
      await grown('killed', child);
      child.kill('SIGKILL');
      const [, signal] = await end(child);
      if (signal === 'SIGKILL') kills++;
      expect(through.startsWith(resultsOf('killed'))).toBe(true);
    }
    expect(kills).toBeGreaterThan(0);
    expect(await end(start(argv('killed', '--resume')))).toEqual([0, null]);
    expect(resultsOf('killed')).toBe(through);
  });

  it('ends with 130 on SIGINT, and can be resumed', async () => {
    const child = start(argv('stopped'));
    await grown('stopped', child);
    child.kill('SIGINT');
    expect(await end(child)).toEqual([130, null]);
    const stopped = resultsOf('stopped');
    expect(resultsOf('through').startsWith(stopped)).toBe(true);
    expect(stopped.endsWith('\n')).toBe(true);
    expect(await end(start(argv('stopped', '--resume')))).toEqual([0, null]);
    expect(resultsOf('stopped')).toBe(resultsOf('through'));
  });
});
