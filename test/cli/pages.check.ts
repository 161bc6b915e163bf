import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { commandLines, type Page, ROOT, readPages, samplesOf } from './pages.ts';
import { type BuiltRun, MAIN } from './run-built.ts';

const PAGES = readPages();
const EXAMPLE = 'examples/simulation/three-zones.yaml';
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A folder as a reader of a page has it, in which commands may write; kubectl has written cluster.yaml there. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'berth-pages-'));
  for (const name of ['examples', 'bench', 'test']) symlinkSync(join(ROOT, name), join(folder, name));
  copyFileSync(join(ROOT, EXAMPLE), join(folder, 'cluster.yaml'));
  folders.push(folder);
  return folder;
}

/** Runs lines as a shell does, with the built command in place of the published one, and an example for kubectl. */
function shell(lines: string, cwd: string): Promise<BuiltRun> {
  const npx = `npx() { shift; ${JSON.stringify(process.execPath)} ${JSON.stringify(MAIN)} "$@"; }`;
  const kubectl = `kubectl() { cat ${EXAMPLE}; }`;
  const script = `set -o pipefail\n${npx}\nberth() { npx berth "$@"; }\n${kubectl}\n${lines}`;
  return new Promise((resolve) => {
    execFile('bash', ['-c', script], { cwd, maxBuffer: 2 ** 24 }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

/** What differs from machine to machine: times, speeds, the machine, the padding that follows, and hashes of logs. */
function withoutFigures(text: string): string {
  return text
    .replace(/in \d+\.\d+ s\b/g, 'in # s')
    .replace(/\([\d.]+ runs\/s, workers \d+\)/g, '(# runs/s, workers #)')
    .replace(/\d+ lines, sha256 [0-9a-f]{64}/g, '# lines')
    .replace(/^.* cores, .* GiB, Node v.*$/gm, '# machine')
    .replace(/^cpu: .*$/gm, 'cpu: #')
    .replace(/-\d+\t(\d+)\t.*$/gm, '-#\t$1\t# ns/op\t# pods/s')
    .replace(/^│ Basic\/.*$/gm, (row) => row.replace(/ +[\d,.]+(?= │)/g, ' #'))
    .replace(/ +(?=│)/g, ' ')
    .replace(/│ +/g, '│ ')
    .replace(/─+/g, '─')
    .trim();
}

/** Standard output, a part of it from the beginning, standard error, or one behind the other. */
function isShown({ out, err }: BuiltRun, shown: string): boolean {
  const expected = withoutFigures(shown);
  return withoutFigures(out) === expected || [err, out + err].some((text) => withoutFigures(text).startsWith(expected));
}

/** Commands that no other test runs; those of npm build, install, or take minutes. */
const samplesToRun = (page: Page) =>
  samplesOf(page).filter(({ block }) => block.triedBy === undefined && !/^npm /.test(block.text));

describe.each(PAGES.filter((page) => samplesToRun(page).length > 0))('the commands of $path', (page) => {
  const folder = newFolder();

  it.each(samplesToRun(page))('$block.text', async ({ block: { text, triedAs }, shown }) => {
    const lines = commandLines(triedAs ?? text).filter((line) => !line.startsWith('npm '));
    const run = { code: 0, out: '', err: '' };
    for (const line of lines) {
      const { code, out, err } = await shell(line, folder);
      // Two says that the answer is not the wanted one, such as a pod that fits nowhere.
      const codes = shown?.startsWith('error:') ? [1] : [0, 2];
      if (!codes.includes(code ?? -1)) expect({ line, code, err }).toEqual({ line, code: codes, err: '' });
      run.out += out;
      run.err += err;
    }
    if (shown !== undefined && !isShown(run, shown)) {
      expect(withoutFigures(run.out + run.err)).toBe(withoutFigures(shown));
    }
  });
});
