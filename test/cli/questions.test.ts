import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runBuilt } from './run-built.ts';

const ROOT = join(import.meta.dirname, '../..');
const TEXT = readFileSync(join(ROOT, 'docs/questions.md'), 'utf8');
const BLOCKS = [...TEXT.matchAll(/^```\n(.*?)^```$/gms)].map(([, text = '']) => text);

/** A folder of its own, since one of the commands writes a file that the next one reads. */
const folder = mkdtempSync(join(tmpdir(), 'berth-questions-'));
symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Each command, and the output that the page shows behind it. */
const SAMPLES = BLOCKS.flatMap((text, i) => {
  const argv = /^npx berth ([^\n]*)\n$/.exec(text)?.[1]?.split(' ');
  return argv === undefined ? [] : [{ command: argv.join(' '), argv, shown: BLOCKS[i + 1] ?? '' }];
});

/** The hash of a log is not for readers, and every change of a line of it would be one of this page. */
function withoutLog(text: string): string {
  return text.replace(/\d+ lines, sha256 [0-9a-f]{64}/g, '# lines');
}

describe('docs/questions.md', () => {
  it('has a command for each question', () => {
    const questions = TEXT.split('\n## ').slice(1);
    expect(questions).toHaveLength(5);
    for (const question of questions) expect(question).toMatch(/^```\nnpx berth /m);
    expect(BLOCKS).toHaveLength(2 * SAMPLES.length);
  });

  it.each(SAMPLES)('$command prints what the page shows', async ({ argv, shown }) => {
    const { out } = await runBuilt(argv, { cwd: folder });
    expect(withoutLog(out)).toBe(withoutLog(shown));
  });
});
