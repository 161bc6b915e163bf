import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BuiltRun, runBuilt } from './run-built.ts';

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

/** A command of one line whose input is in the repository, and the output that README shows behind it. */
const SAMPLES = BLOCKS.flatMap(({ text }, i) => {
  const argv = /^npx (?:kube-)?berth ([^\n|>#]*)\n$/.exec(text)?.[1]?.trim().split(/ +/);
  const shown = BLOCKS[i + 1]?.text ?? '';
  const reads = argv?.some((word) => word.startsWith('examples/')) ?? false;
  return argv === undefined || !reads || shown.startsWith('npx') ? [] : [{ command: argv.join(' '), argv, shown }];
});

/** What differs from machine to machine: times, and the padding that follows from them. */
function withoutTimes(text: string): string {
  return text.replace(/in \d+\.\d+ s\b/g, 'in # s').trim();
}

/** Standard output, a line between tables of which README shows, or standard error. */
function isShown({ out, err }: BuiltRun, shown: string): boolean {
  const expected = withoutTimes(shown);
  return (
    [out, err, out + err].some((text) => withoutTimes(text) === expected) || withoutTimes(err).startsWith(expected)
  );
}

/** The words of a command, without its arguments. */
const nameOf = ([name = '', second = '']: readonly string[]): string =>
  ['compare', 'merge'].includes(second) ? `${name} ${second}` : name;

describe("README's commands", () => {
  it('are found', () => {
    expect(SAMPLES.map(({ command }) => command)).toEqual(
      expect.arrayContaining([
        'schedule -f examples/three-nodes.yaml --explain web',
        'schedule -f examples/preemption.yaml',
        'simulate -f examples/simulation/pi.yaml --nodes 3',
      ]),
    );
  });

  it.each(SAMPLES)('$command prints what README shows', async ({ argv, shown }) => {
    const run = await runBuilt(argv, { cwd: ROOT });
    if (!isShown(run, shown)) expect(withoutTimes(run.out + run.err)).toBe(withoutTimes(shown));
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
