import { describe, expect, it } from 'vitest';
import { checkBanned } from './banned.ts';
import { checkCycles, checkFolderCycles } from './cycles.ts';
import { checkDeadFiles } from './dead-files.ts';
import { checkNamedPaths } from './documents.ts';
import { checkLadder } from './ladder.ts';
import { checkOwnTests } from './own-tests.ts';
import { checkFileLines, checkFunctionLines, checkLineColumns } from './sizes.ts';
import { report, sourceFile } from './source-file.ts';
import { checkStartedPrograms } from './started-programs.ts';
import { checkBuiltFiles, checkNames, checkSkippedTests, checkUnfinished } from './words.ts';

/** Files from texts: each rule is shown one that keeps it and one that breaks it. */
function filesOf(texts: Readonly<Record<string, string>>) {
  return Object.entries(texts).map(([path, text]) => sourceFile(path, text));
}

const lines = (count: number, line = 'step();') => Array.from({ length: count }, () => line).join('\n');

describe('the ladder', () => {
  const check = (path: string, text: string) => report(checkLadder(filesOf({ [path]: text })));

  it.each([
    ['up', 'src/api/pod.ts', "import { a } from '../core/a.ts';"],
    ['up, for a type', 'src/lib/a.ts', "import type { Pod } from '../api/pod.ts';"],
    ['sideways', 'src/kernels/a.ts', "import { a } from '../store/a.ts';"],
    ['sideways', 'src/controllers/a.ts', "import { a } from '../kubelet/a.ts';"],
    ['from the core into the right wing', 'src/core/a.ts', "import { a } from '../client/a.ts';"],
    ['from the right wing into the core', 'src/kubelet/a.ts', "import { a } from '../core/a.ts';"],
    ['through the front door', 'src/cli/a.ts', "import { Scheduler } from '../index.ts';"],
    ['out of the front door to the command line', 'src/index.ts', "export { run } from './cli/program.ts';"],
    ['into the tests', 'src/cli/a.ts', "import { a } from '../a.ts';"],
    ['into the benchmarks', 'src/cluster/a.ts', "import { a } from '../../bench/a.ts';"],
    ['out of the kernels', 'assembly/a.ts', "import { a } from '../src/lib/a';"],
    ['a package into the kernels', 'assembly/a.ts', "import { a } from 'a';"],
    ['from a room without a floor', 'src/attic/a.ts', ''],
  ])('refuses an import %s', (_, path, text) => {
    expect(check(path, text)).toHaveLength(1);
  });

  it.each([
    ['src/engine/a.ts', "import { a } from '../memory/a.ts';\nimport { b } from './b/c.ts';"],
    ['src/cli/a.ts', "import { a } from 'commander';\nimport { b } from '../cluster/b.ts';"],
    ['src/index.ts', "export { a } from './core/a.ts';"],
    ['test/a.ts', "import { a } from '../src/core/a.ts';"],
    ['assembly/score/a.ts', "import { a } from '../select/a';"],
  ])('lets %s import what is below', (path, text) => {
    expect(check(path, text)).toEqual([]);
  });

  it('names the file, the line and the way out', () => {
    expect(check('src/memory/a.ts', "\nimport { b } from '../core/b.ts';")).toEqual([
      'src/memory/a.ts:2: ../core/b.ts is not below src/memory, which may import only src/lib: ' +
        'move what is needed down, or take it through an interface',
    ]);
  });
});

describe('cycles', () => {
  it('shows a circle once, with its whole way', () => {
    const files = filesOf({
      'src/a.ts': "import './b.ts';",
      'src/b.ts': "import './c.ts';",
      'src/c.ts': "\nimport './a.ts';",
    });
    expect(report(checkCycles(files))).toEqual([
      'src/c.ts:2: ./a.ts closes the circle src/a.ts -> src/b.ts -> src/c.ts -> src/a.ts: ' +
        'move what both need into a file below',
    ]);
  });

  it('finds a file that imports itself', () => {
    expect(checkCycles(filesOf({ 'src/a.ts': "import './a.ts';" }))).toHaveLength(1);
  });

  it('counts types, but for a pair of files that know each other by type alone', () => {
    const pair = { 'src/a.ts': "import type { B } from './b.ts';", 'src/b.ts': "import type { A } from './a.ts';" };
    expect(checkCycles(filesOf(pair))).toEqual([]);
    expect(checkCycles(filesOf({ ...pair, 'src/b.ts': "import { A } from './a.ts';" }))).toHaveLength(1);
  });

  it('allows a diamond', () => {
    const files = filesOf({
      'src/a.ts': "import './b.ts';\nimport './c.ts';",
      'src/b.ts': "import './d.ts';",
      'src/c.ts': "import './d.ts';",
      'src/d.ts': '',
    });
    expect(checkCycles(files)).toEqual([]);
  });

  it('finds folders that import each other, the folder above included', () => {
    const files = filesOf({
      'src/a/top.ts': "import './below/b.ts';",
      'src/a/below/b.ts': "import '../word.ts';",
      'src/a/word.ts': '',
    });
    expect(report(checkFolderCycles(files))).toEqual([
      'src/a/below/b.ts:1: ../word.ts closes the circle of folders src/a -> src/a/below -> src/a: ' +
        'move one of the files',
    ]);
  });
});

describe('banned calls', () => {
  it.each([
    ['src/core/a.ts', 'const now = Date.now();'],
    ['src/core/a.ts', 'const clock = Date.now;'],
    ['src/core/a.ts', 'const now = new Date();'],
    ['src/core/a.ts', 'const now = new Date;'],
    ['src/core/a.ts', 'performance.now();'],
    ['src/core/a.ts', 'globalThis.setTimeout(f, 1);'],
    ['src/core/a.ts', 'setInterval(f, 1);'],
    ['src/core/a.ts', 'Math.random();'],
    ['src/core/a.ts', 'crypto.randomUUID();'],
    ['src/core/a.ts', 'console.log(1);'],
    ['src/core/a.ts', 'const pid = `${process.pid}`;'],
    ['src/core/a.ts', 'const { env } = process;'],
    ['src/core/a.ts', 'names.sort((a, b) => a.localeCompare(b));'],
    ['src/core/a.ts', 'size.toLocaleString();'],
    ['src/core/a.ts', "import { performance } from 'node:perf_hooks';"],
    ['src/core/a.ts', "import { setTimeout } from 'node:timers/promises';"],
    ['src/core/a.ts', "import { argv } from 'node:process';"],
    ['src/cli/main.ts', 'process.exit(1);'],
    ['src/cli/main.ts', 'Date.now();'],
    ['test/a.test.ts', 'Math.random();'],
    ['bench/a.ts', 'console.log(1);'],
  ])('in %s: %s', (path, text) => {
    expect(checkBanned(filesOf({ [path]: text })).length).toBeGreaterThan(0);
  });

  it.each([
    ['src/lib/clock.ts', 'performance.now(); setTimeout(f, 1);'],
    ['src/cli/main.ts', 'process.exitCode = 1; console.log(1);'],
    ['src/core/a.ts', 'new Date(text); // not Date.now()'],
    ['src/core/a.ts', "const text = 'Math.random()';"],
    ['src/core/a.ts', 'this.process.run(); preprocess.a; processed.b; process(a);'],
    ['src/core/a.ts', "count.toLocaleString('en-US');"],
    ['test/a.test.ts', 'process.version;'],
  ])('not in %s: %s', (path, text) => {
    expect(report(checkBanned(filesOf({ [path]: text })))).toEqual([]);
  });

  it('say what to do instead', () => {
    expect(report(checkBanned(filesOf({ 'src/core/a.ts': '\nDate.now();' })))).toEqual([
      'src/core/a.ts:2: Date.now is banned here: take a Clock (src/lib/clock.ts)',
    ]);
  });
});

describe('sizes', () => {
  const files = (text: string) => filesOf({ 'src/a.ts': text });

  it('of files', () => {
    expect(checkFileLines(files(`${lines(400)}\n`))).toEqual([]);
    expect(report(checkFileLines(files(`${lines(401)}\n`)))).toEqual([
      'src/a.ts: 401 lines, at most 400: split it by idea',
    ]);
  });

  it('of lines', () => {
    expect(checkLineColumns(files('x'.repeat(120)))).toEqual([]);
    expect(report(checkLineColumns(files(`\n${'x'.repeat(121)}`)))).toEqual([
      'src/a.ts:2: 121 columns, at most 120: break the line',
    ]);
  });

  it.each([
    ['a function', 'function f(a: number) {', '}'],
    ['a function with a type', 'function f(a: number): Map<string, number> {', '}'],
    ['a function that returns an object', 'function f(): { a: number; b: string } {', '}'],
    ['a generator', 'export function* f() {', '}'],
    ['a method', 'class A { private async f(a = g(1)) {', '}}'],
    ['an arrow function', 'const f = (a: number): number => {', '};'],
    ['an arrow function of one name', 'const f = a => {', '};'],
    ['a callback', "it('works', () => {", '});'],
    ['an assertion', 'function f(a: unknown): asserts a is string {', '}'],
  ])('of %s', (_, head, end) => {
    expect(checkFunctionLines(files(`${head}\n${lines(68)}\n${end}`))).toEqual([]);
    expect(report(checkFunctionLines(files(`\n${head}\n${lines(69)}\n${end}`)))).toEqual([
      'src/a.ts:2: a function of 71 lines, at most 70: give its steps names',
    ]);
  });

  it.each([
    ['a class', 'class A extends B {', '}'],
    ['a class behind a function', 'function f(a: number): number {\n  return a;\n}\nclass A {', '}'],
    ['an object', 'const a = {', '};'],
    ['an interface', 'interface A {', '}'],
    ['a table of contents', "describe('a', () => {", '});'],
  ])('not of %s', (_, head, end) => {
    expect(report(checkFunctionLines(files(`${head}\n${lines(80)}\n${end}`)))).toEqual([]);
  });

  it('counts a loop as part of its function', () => {
    const text = `function f() {\n  for (const a of b()) {\n${lines(69)}\n  }\n}`;
    expect(report(checkFunctionLines(files(text)))).toEqual([
      'src/a.ts:1: a function of 73 lines, at most 70: give its steps names',
    ]);
  });
});

describe('dead files', () => {
  it.each([
    ['src/core/a.ts', 'src/index.ts, another src/index-*.ts or src/cli/main.ts'],
    ['assembly/a.ts', 'assembly/index.ts'],
    ['test/core/a.ts', 'a *.test.ts or *.check.ts file, or the main.ts of a script'],
    ['bench/a.ts', 'bench/run.ts or another run.ts'],
  ])('%s', (path, entries) => {
    expect(report(checkDeadFiles(filesOf({ [path]: '' })))).toEqual([
      `${path}: no import leads here from ${entries}: use it or delete it`,
    ]);
  });

  it('are not kept alive by a test or by each other', () => {
    const files = filesOf({
      'src/a.ts': "import './b.ts';",
      'src/b.ts': "import './a.ts';",
      'test/a.test.ts': "import '../src/a.ts';",
    });
    expect(checkDeadFiles(files).map(({ path }) => path)).toEqual(['src/a.ts', 'src/b.ts']);
  });

  it('are not those that an entry leads to', () => {
    const files = filesOf({
      'src/index.ts': "export type { A } from './a.ts';",
      'src/a.ts': "new Worker(new URL('./worker.js', import.meta.url));",
      'src/worker.ts': '',
      'src/lib/webassembly.d.ts': '',
      'assembly/index.ts': "export { a } from './a';",
      'assembly/a.ts': '',
    });
    expect(checkDeadFiles(files)).toEqual([]);
  });
});

describe('words', () => {
  it.each(['// TODO: later', '/* FIXME */', '/** XXX why? */', 'a(); // HACK'])('unfinished: %s', (text) => {
    expect(checkUnfinished(filesOf({ 'src/a.ts': text }))).toHaveLength(1);
  });

  it.each(["const a = 'TODO';", '// the to-do list of a queue'])('finished: %s', (text) => {
    expect(checkUnfinished(filesOf({ 'src/a.ts': text }))).toEqual([]);
  });

  it.each([
    "it.skip('a', f);",
    "describe.only('a', f);",
    "it.todo('a');",
    "it.concurrent.only('a', f);",
    'it.skipIf(slow)(f);',
    'context.skip();',
  ])('a test that does not run: %s', (text) => {
    expect(checkSkippedTests(filesOf({ 'test/a.test.ts': text }))).toHaveLength(1);
  });

  it.each(["it.each([1])('a', f);", 'iterator.skip(1);', '// it.skip'])('a test that runs: %s', (text) => {
    expect(checkSkippedTests(filesOf({ 'test/a.test.ts': text }))).toEqual([]);
  });

  it.each([
    'src/core/utils.ts',
    'src/helpers/pod.ts',
    'test/common/a.ts',
    'src/misc.test.ts',
    'src/api/podRequests.ts',
  ])('a name that says nothing: %s', (path) => {
    expect(checkNames(filesOf({ [path]: '' }))).toHaveLength(1);
  });

  it.each(['src/api/pod-requests.ts', 'assembly/score/normalize.simd.ts', 'src/lib/webassembly.d.ts'])('%s', (path) => {
    expect(checkNames(filesOf({ [path]: '' }))).toEqual([]);
  });

  it.each(['dist/index.js', 'build/kernels.simd.wasm', 'berth-0.1.0.tgz', 'src/a.js', 'src/a.d.ts', 'a.cpuprofile'])(
    'a built file in git: %s',
    (path) => {
      expect(checkBuiltFiles([path])).toHaveLength(1);
    },
  );

  it.each(['src/a.ts', 'src/lib/webassembly.d.ts', 'test/parity/data/a.ndjson.gz', '.ci/run'])(
    'written: %s',
    (path) => {
      expect(checkBuiltFiles([path])).toEqual([]);
    },
  );
});

describe('a test that starts a program', () => {
  const check = (path: string) =>
    report(
      checkStartedPrograms(
        filesOf({ [path]: "import { a } from '../b.ts';\nimport { runBuilt } from './run-built.ts';" }),
      ),
    );

  it('is not for npm test', () => {
    const message = 'a test that starts a program is a *.check.ts, for npm run test:cli';
    expect(check('test/cli/a.test.ts')).toEqual([`test/cli/a.test.ts:2: ${message}`]);
  });

  it.each(['test/cli/a.check.ts', 'test/clients/a.test.ts'])('is not %s', (path) => {
    expect(check(path)).toEqual([]);
  });
});

describe('a test of its own', () => {
  const check = (path: string, text: string, ...others: string[]) =>
    report(checkOwnTests(filesOf({ [path]: text, ...Object.fromEntries(others.map((other) => [other, ''])) })));

  it.each([
    ['a function', 'export function a(): number {\n  return 1;\n}'],
    ['an arrow function', 'export const a = (): number => {\n  return 1;\n};'],
    ['a class', 'export class A extends B {\n  readonly a = 1;\n}'],
  ])('must be there for %s', (_, text) => {
    const problem = 'src/engine/a/b.ts: test it by itself in test/engine/a/b.test.ts';
    expect(check('src/engine/a/b.ts', text, 'test/engine/b.test.ts')).toEqual([problem]);
    expect(check('src/engine/a/b.ts', text, 'test/engine/a/b.test.ts')).toEqual([]);
  });

  it.each([
    ['types', 'src/engine/a.ts', 'export interface A {\n  b(c: number): string;\n}\nexport type D = () => void;'],
    ['constants', 'src/engine/a.ts', 'export const A = { b: 1, c: [2] } as const;'],
    ['what only speaks of functions', 'src/engine/a.ts', "// function a() {}\nexport const A = 'class B { c() {} }';"],
    ['other rooms', 'src/core/a.ts', 'export function a(): number {\n  return 1;\n}'],
  ])('is not needed for %s', (_, path, text) => {
    expect(check(path, text)).toEqual([]);
  });
});

describe('paths in documents', () => {
  const there = new Set(['src/a.ts', 'src/b/', 'docs/a.md', 'test/x/one.ts', 'test/x/two.ts', 'bench/*.md', '**/a.ts']);
  const check = (text: string) => report(checkNamedPaths([{ path: 'docs/page.md', text }], (path) => there.has(path)));

  it.each([
    ['a file', 'see `src/gone.ts` there', 'docs/page.md:1: src/gone.ts is not there'],
    ['a folder', '`src/gone/` holds it', 'docs/page.md:1: src/gone/ is not there'],
    ['one of several', '`test/x/{one,three}.ts`', 'docs/page.md:1: test/x/{one,three}.ts is not there'],
    [
      'the argument of a command',
      '`npx vitest run test/gone.test.ts`',
      'docs/page.md:1: test/gone.test.ts is not there',
    ],
    ['a file in a block', 'so:\n\n```\nsrc/gone.ts   the door\n```\n', 'docs/page.md:4: src/gone.ts is not there'],
    [
      'the folder of a placeholder',
      '`src/gone/<plugin>/plugin.ts`',
      'docs/page.md:1: src/gone/<plugin>/plugin.ts is not there',
    ],
    ['the end of a path', 'drawn in `gone.ts`', 'docs/page.md:1: no file is called gone.ts'],
    ['a link', '[a page](gone.md#top)', 'docs/page.md:1: the link to gone.md leads nowhere'],
    ['a heading', '[below](#one-two)\n\n## One, three', 'docs/page.md:1: docs/page.md has no heading #one-two'],
  ])('must be there: %s', (_, text, problem) => {
    expect(check(text)).toEqual([problem]);
  });

  it.each([
    ['files and folders', '`src/a.ts` in `src/b/`, `src/b/<name>/x.ts`; `test/x/{one,two}.ts`, `bench/*.md`.'],
    ['links', '[a](a.md), [b](../src/a.ts#top), [c](https://example.com/src/gone.ts), [d](#the-top)\n\n# The top!'],
    ['the ends of paths', '`a.ts`, and `a.ts:12`'],
    ['kernels', '```\n12 % assembly/select/best.simd/selectBest\n```\n'],
    ['what is not code', 'files in src/gone.ts are only spoken of'],
    ['paths of others', '`pkg/src/gone.go`, `../test/gone`'],
  ])('may be named: %s', (_, text) => {
    expect(check(text)).toEqual([]);
  });
});
