import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { berthCalls, type Page, ROOT, readBlocks, readPages } from './pages.ts';
import { berth } from './run-berth.ts';

const PAGES = readPages();

it('scripts that pages name are those of the project', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const named = PAGES.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === 'commands'))
    .flatMap(({ text }) => [...text.matchAll(/\bnpm (?:run (?:-s )?([\w:]+)|(start|test))/g)])
    .map(([, script, short]) => script ?? short ?? '');
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

it('commands have flags that there are', async () => {
  const calls = PAGES.flatMap(({ blocks }) => blocks)
    .filter(({ kind }) => kind === 'commands')
    .flatMap(({ text }) => berthCalls(text));
  expect(calls.length).toBeGreaterThan(40);
  const helps = new Map<string, string>();
  const helpOf = async (words: readonly string[]) => {
    const key = words.join(' ');
    if (!helps.has(key)) helps.set(key, (await berth([...words, '--help'])).out);
    return helps.get(key) ?? '';
  };
  const general = await helpOf([]);
  for (const argv of calls) {
    const end = argv.indexOf('--');
    const words = argv.slice(0, 2).filter((word) => /^[a-z][a-z-]*$/.test(word));
    const help = (await helpOf(words)) + (await helpOf(words.slice(0, 1))) + general;
    for (const flag of argv.slice(0, end < 0 ? undefined : end).filter((word) => /^--?[a-zA-Z]/.test(word))) {
      const isThere = new RegExp(`(?:^|\\s)${flag}[\\s,]`, 'm').test(help);
      expect({ argv, flag, isThere }).toEqual({ argv, flag, isThere: true });
    }
  }
});

describe.each(PAGES.filter(({ blocks }) => blocks.some(({ language }) => language === 'js')))(
  'the programs of $path',
  ({ blocks }) => {
    const programs = blocks.map((block, i) => ({ ...block, shown: blocks[i + 1] }));
    it.each(programs.filter(({ language }) => language === 'js'))('$text', async ({ text, shown }) => {
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
      const log = (...values: unknown[]) =>
        printed.push(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '));
      await run(library, { log });
      if (printed.length > 0) expect(`${printed.join('\n')}\n`).toBe(shown?.text);
    });
  },
);

describe('every block is tried', () => {
  it.each(PAGES)('$path', (page) => {
    for (const { kind, language, text, triedBy } of page.blocks) {
      if (triedBy !== undefined)
        expect({ triedBy, isThere: isTried(triedBy, text) }).toEqual({ triedBy, isThere: true });
      if (language === 'ts') expect({ text, triedBy }).toEqual({ text, triedBy: expect.any(String) });
      if (kind === 'data') expect(parseAllDocuments(text).flatMap(({ errors }) => errors)).toEqual([]);
    }
    const outputs = page.blocks.filter(({ kind, triedBy }, i) => {
      const before = page.blocks[i - 1]?.kind;
      return kind === 'output' && triedBy === undefined && before !== 'commands' && before !== 'program';
    });
    expect(outputs.map(({ text }) => text)).toEqual([]);
  });
});

/** Whether the file is there and uses what the block shows: the modules, and a command. */
function isTried(file: string, text: string): boolean {
  if (!existsSync(join(ROOT, file))) return false;
  const source = readFileSync(join(ROOT, file), 'utf8');
  const modules = [...text.matchAll(/from '(kube-berth[^']*)'/g)].map(([, name = '']) => name);
  const commands = berthCalls(text).map(([name = '']) => name);
  return (
    modules.every((word) => source.includes(word)) &&
    (commands.length === 0 || commands.some((word) => source.includes(`'${word}'`)))
  );
}

describe('questions.md', () => {
  const { blocks } = PAGES.find(({ path }) => path === 'docs/questions.md') as Page;

  it('has a command and its output for each of the five questions', () => {
    const sections = new Set(blocks.map(({ section }) => section));
    expect(sections.size).toBe(5);
    expect(blocks.map(({ kind }) => kind)).toEqual(blocks.map((_, i) => (i % 2 === 0 ? 'commands' : 'output')));
  });
});

describe('a page that is read', () => {
  it('has blocks with their kind, section and remark', () => {
    const page =
      '# A\n\n```\nnpx berth x\n```\n\n```\nout\n```\n\n## B\n<!-- tried as:\nnpx berth y\n-->\n```sh\nberth z\n```\n';
    const more = '<!-- tried by: test/a.ts -->\n```ts\nf();\n```\n';
    expect(
      readBlocks(page + more).map(({ kind, section, triedAs, triedBy }) => [kind, section, triedAs, triedBy]),
    ).toEqual([
      ['commands', 'A', undefined, undefined],
      ['output', 'A', undefined, undefined],
      ['commands', 'B', 'npx berth y', undefined],
      ['program', 'B', undefined, 'test/a.ts'],
    ]);
  });

  it('has calls with arguments, without what a shell does', () => {
    const text =
      "npx berth a -f x | npx berth b > y   # why\nsbatch --wrap 'npx kube-berth-cli c -o d'\nberth e \\\n  --f\n";
    expect(berthCalls(text)).toEqual([['a', '-f', 'x'], ['b'], ['c', '-o', 'd'], ['e', '--f']]);
  });
});

describe('README.md', () => {
  it('is a front door of at most 200 lines, with one picture', () => {
    const { text } = PAGES[0] as Page;
    expect(text.split('\n').length).toBeLessThanOrEqual(200);
    expect([...text.matchAll(/!\[/g)]).toHaveLength(1);
  });

  it('leads to every page, by way of the index', () => {
    const index = PAGES.find(({ path }) => path === 'docs/README.md') as Page;
    const linked = [...index.text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target]) =>
      join('docs', target ?? ''),
    );
    const pages = PAGES.map(({ path }) => path).filter((path) => path !== 'README.md' && path !== 'docs/README.md');
    expect(pages.filter((path) => !linked.includes(path))).toEqual([]);
  });
});
