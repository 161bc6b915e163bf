import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type BuiltRun, MAIN, runBuilt } from './run-built.ts';

const ROOT = join(import.meta.dirname, '../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

interface Block {
  readonly language: string;
  readonly text: string;
}

const BLOCKS: readonly Block[] = [...README.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(
  ([, language = '', text = '']) => ({
    language,
    text,
  }),
);

/** `npm start` takes a minute: test/package/readme.check.ts has it. simulate-pods.test.ts loses the zone. */
const NOT_HERE = [/^npm /, /^kubectl /];

/** The blocks of commands behind which README shows an output. */
const SAMPLES = BLOCKS.flatMap(({ text, language }, i) => {
  const shown = BLOCKS[i + 1];
  const isCommand = language === '' && /^(?:npx|npm|kubectl) /.test(text);
  const isShown = shown?.language === '' && !/^(?:npx|npm|kubectl) /.test(shown.text);
  return isCommand && isShown && !NOT_HERE.some((name) => name.test(text)) ? [{ text, shown: shown.text }] : [];
});

/** README's folder as a reader has it, in which commands may write. */
const FOLDER = mkdtempSync(join(tmpdir(), 'berth-readme-'));
for (const name of ['examples', 'bench']) symlinkSync(join(ROOT, name), join(FOLDER, name));
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** Runs lines as a shell does, with the built command in place of the published one. */
function shell(lines: string): Promise<BuiltRun> {
  const npx = `npx() { shift; ${JSON.stringify(process.execPath)} ${JSON.stringify(MAIN)} "$@"; }`;
  return new Promise((resolve) => {
    execFile('bash', ['-c', `${npx}\n${lines}`], { cwd: FOLDER, maxBuffer: 2 ** 24 }, (error, out, err) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, out, err });
    });
  });
}

/** What differs from machine to machine: times, speeds, the machine, and the padding that follows from them. */
function withoutFigures(text: string): string {
  return text
    .replace(/in \d+\.\d+ s\b/g, 'in # s')
    .replace(/\([\d.]+ runs\/s, workers \d+\)/g, '(# runs/s, workers #)')
    .replace(/^.* cores, .* GiB, Node v.*$/gm, '# machine')
    .replace(/^cpu: .*$/gm, 'cpu: #')
    .replace(/-\d+\t(\d+)\t.*$/gm, '-#\t$1\t# ns/op\t# pods/s')
    .replace(/^│ Basic\/.*$/gm, (row) => row.replace(/ +[\d,.]+(?= │)/g, ' #'))
    .replace(/ +(?=│)/g, ' ')
    .replace(/│ +/g, '│ ')
    .replace(/─+/g, '─')
    .trim();
}

/** Standard output, a line between tables of which README shows, or standard error. */
function isShown({ out, err }: BuiltRun, shown: string): boolean {
  const expected = withoutFigures(shown);
  return (
    [out, err, out + err].some((text) => withoutFigures(text) === expected) ||
    withoutFigures(err).startsWith(expected) ||
    withoutFigures(out + err).startsWith(expected)
  );
}

/** The words of a command, without its arguments. */
const nameOf = ([name = '', second = '']: readonly string[]): string =>
  ['compare', 'merge'].includes(second) ? `${name} ${second}` : name;

describe("README's commands", () => {
  it('are found', () => {
    expect(SAMPLES.length).toBeGreaterThanOrEqual(10);
    expect(SAMPLES.filter(({ text }) => text.trim().split('\n').length > 1)).toEqual([]);
  });

  it.each(SAMPLES)('$text prints what README shows', async ({ text, shown }) => {
    const run = await shell(text);
    if (!isShown(run, shown)) expect(withoutFigures(run.out + run.err)).toBe(withoutFigures(shown));
  });

  it('record, replay and report the bad hour', async () => {
    const block = BLOCKS.find(({ text }) => text.includes('--record bad-hour.ndjson.gz'))?.text ?? '';
    const lines = block.split('\n').filter((line) => !line.includes('FILE'));
    const { code, err } = await shell(
      `set -e\n${lines.join('\n').replace('\nnpx', ' --until 2m --allow-pending\nnpx')}`,
    );
    expect(err).toMatch(/bad-hour\.ndjson\.gz: \d+ lines as recorded\n$/);
    expect(code).toBe(0);
    expect(readFileSync(join(FOLDER, 'bad-hour.html'), 'utf8')).toContain('</html>');
  });

  it('the line that shows an error', async () => {
    const shown = BLOCKS.find(({ text }) => text.startsWith('error: stdin: Pod'))?.text;
    const containers = '[{name: c, resources: {requests: {cpu: 10Gi i}}}]';
    const input = `kind: Pod\nmetadata: {name: a}\nspec: {containers: ${containers}}\n`;
    expect((await runBuilt(['schedule', '-f', '-'], { input })).err).toBe(shown);
  });

  it('have flags that there are', async () => {
    const commands = BLOCKS.flatMap(({ text }) => text.replaceAll('\\\n', ' ').split(/\n|\|/))
      .map((line) => /^\s*npx (?:kube-)?berth (.*?)(?:\s#.*|\s>.*)?$/.exec(line)?.[1]?.split(/ +/))
      .filter((argv) => argv !== undefined);
    expect(commands.length).toBeGreaterThan(15);
    const names = [...new Set(commands.map(nameOf))];
    const helps = new Map(
      await Promise.all(
        names.map(async (name) => [name, (await runBuilt([...name.split(' '), '--help'])).out] as const),
      ),
    );
    const general = (await runBuilt(['--help'])).out;
    for (const argv of commands) {
      const help = helps.get(nameOf(argv)) + general;
      for (const flag of argv.filter((word) => word.startsWith('-') && word !== '-')) {
        expect({ argv, isThere: new RegExp(`(?:^|\\s)${flag}[\\s,]`, 'm').test(help) }).toEqual({
          argv,
          isThere: true,
        });
      }
    }
  });
});

describe("README's programs", () => {
  it.each(BLOCKS.flatMap((block, i) => (block.language === 'js' ? [{ i, text: block.text }] : [])))(
    'block $i runs, and prints what README shows',
    async ({ i, text }) => {
      const printed: string[] = [];
      const library = {
        'kube-berth': await import('../../src/index.ts'),
        'kube-berth/cluster': await import('../../src/index-cluster.ts'),
      };
      const body = text.replace(
        /^import \{(.*?)\} from '(.*?)';$/gm,
        (_, names: string, module: string) => `const {${names}} = library['${module}'];`,
      );
      const run = new Function('library', 'console', `return (async () => {${body}})();`);
      const { inspect } = await import('node:util');
      const log = (...values: unknown[]) =>
        printed.push(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '));
      await run(library, { log });
      const next = BLOCKS[i + 1];
      if (printed.length > 0 && next?.language === '') expect(`${printed.join('\n')}\n`).toBe(next.text);
    },
  );
});
