import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MAIN } from './run-built.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-'));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const contentOf = (name: string) => readFileSync(at(name), 'utf8');

/** Reading gives others their turn. */
async function linesIn(name: string): Promise<number> {
  const text = await readFile(at(name), 'utf8').catch(() => '');
  return text.split('\n').length - 1;
}

describe('berth sweep, as built', () => {
  const start = (argv: readonly string[]) => spawn(process.execPath, [MAIN, ...argv], { stdio: 'ignore' });
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
    const through = contentOf('through');
    const lines = through.trimEnd().split('\n');
    expect(lines).toHaveLength(61);

    let kills = 0;
    for (let attempt = 0; attempt < 3; attempt++) {
      const child = start(argv('killed', '--resume'));
      await grown('killed', child);
      child.kill('SIGKILL');
      const [, signal] = await end(child);
      if (signal === 'SIGKILL') kills++;
      expect(through.startsWith(contentOf('killed'))).toBe(true);
    }
    expect(kills).toBeGreaterThan(0);
    expect(await end(start(argv('killed', '--resume')))).toEqual([0, null]);
    expect(contentOf('killed')).toBe(through);
  });

  it('ends with 130 on SIGINT, and can be resumed', async () => {
    const child = start(argv('stopped'));
    await grown('stopped', child);
    child.kill('SIGINT');
    expect(await end(child)).toEqual([130, null]);
    const stopped = contentOf('stopped');
    expect(contentOf('through').startsWith(stopped)).toBe(true);
    expect(stopped.endsWith('\n')).toBe(true);
    expect(await end(start(argv('stopped', '--resume')))).toEqual([0, null]);
    expect(contentOf('stopped')).toBe(contentOf('through'));
  });
});
