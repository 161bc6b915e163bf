import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { NODES, pod } from './run-berth.ts';
import { runBuilt } from './run-built.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-hostile-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('names of outputs, on the disk', () => {
  const path = (name: string) => join(folder, name);
  writeFileSync(path('c.yaml'), NODES + pod('a', '1'));
  mkdirSync(path('folder'));
  symlinkSync('nowhere', path('dangling'));
  symlinkSync('loop', path('loop'));

  const REASONS = [
    ['folder', 'folder: is a directory, not a file'],
    ['dangling', 'dangling: is a link to a file that does not exist'],
    ['loop', 'loop: cannot be written (ELOOP)'],
    ['no/x', 'no/x: no such folder'],
    ['', 'the name of an output is empty'],
  ] as const;
  const WRITERS = [
    ['simulate', '-f', 'c.yaml', '--until', '1s', '--record'],
    ['sweep', '--nodes', '5', '--pods', '5', '--seeds', '1', '-o'],
  ];

  it('are refused in one line that says why, and nothing is left behind', async () => {
    const before = readdirSync(path(''));
    const cases = REASONS.flatMap(([name, reason]) => WRITERS.map((argv) => ({ argv: [...argv, name], reason })));
    const runs = await Promise.all(cases.map(({ argv }) => runBuilt(argv, { cwd: path('') })));
    for (const [i, { code, out, err }] of runs.entries()) {
      expect({ code, out, err }).toEqual({ code: 1, out: '', err: `error: ${cases[i]?.reason}\n` });
    }
    expect(readdirSync(path(''))).toEqual(before);
  });
});
