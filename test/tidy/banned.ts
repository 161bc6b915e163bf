import { type Problem, problemAt, type SourceFile } from './source-file.ts';

interface Ban {
  /** Searched in code without comments and string contents. */
  readonly pattern: RegExp;
  readonly instead: string;
  /** Beginnings of the paths in which it holds, and of those in which it does not. */
  readonly within: readonly string[];
  readonly except: readonly string[];
}

const PRODUCT = ['src/', 'assembly/'];
const ALL = ['src/', 'assembly/', 'test/', 'bench/', 'examples/'];
/** Programs with a terminal: they print and set the exit code. */
const PROGRAMS = [
  'src/cli/',
  'test/parity/main.ts',
  'test/dst/main.ts',
  'test/dump/main.ts',
  'test/diff/main.ts',
  'test/soak/main.ts',
  'bench/run.ts',
  'bench/curves/run.ts',
  'bench/floor/run.ts',
  'bench/mixed/run.ts',
  'bench/growth/run.ts',
  'bench/unlike/run.ts',
  'bench/apiserver/run.ts',
  'bench/apiserver/server.ts',
  'bench/sweep/run.ts',
  'bench/schedulers/run.ts',
  'examples/',
  'test/package/programs/',
];

/** Says on which machine a benchmark ran, and how much memory it took. */
const MACHINE = 'src/benchmark/machine.ts';
/** Marks when a page can be used, for those who look into the browser. */
const PAGE = 'src/report/browser/main.ts';
/** Asks the runtime for its modules. */
const HOST = 'src/lib/host-modules.ts';

const CLOCK = 'take a Clock (src/lib/clock.ts)';
const RANDOM = 'take a Prng (src/lib/prng.ts)';

const BANS: readonly Ban[] = [
  ban(globally`Date\.now\b`, CLOCK, ALL, ['src/lib/']),
  ban(globally`(?:new )?Date\(\s*\)`, CLOCK, ALL, ['src/lib/']),
  ban(globally`new Date\b(?!\s*[(<\w])`, CLOCK, ALL, ['src/lib/']),
  ban(globally`performance\s*\??\.`, CLOCK, ALL, ['src/lib/', PAGE]),
  ban(globally`process\.hrtime\b`, CLOCK, ALL, ['src/lib/']),
  ban(globally`set(?:Timeout|Interval|Immediate)\b`, CLOCK, ALL, ['src/lib/']),
  ban(globally`Math\.random\b`, RANDOM, ALL, ['src/lib/']),
  ban(/\b(?:randomUUID|getRandomValues|randomBytes|randomInt)\b/g, RANDOM, ALL, ['src/lib/']),
  ban(globally`console\s*\??\.`, 'return a value and let src/cli print it', ALL, PROGRAMS),
  ban(globally`process\.exit\b`, 'set process.exitCode, so that what was written is flushed', ALL, []),
  ban(globally`process\b(?=\s*(?:\??\.|\[|;))`, 'pass the value in from src/cli', PRODUCT, [
    ...PROGRAMS,
    MACHINE,
    HOST,
  ]),
  ban(/\.localeCompare\b|\.toLocale\w+\(\s*\)/g, 'compare with <, name the locale: machines differ', PRODUCT, []),
];

/** Ways to the same things that go through a module. */
const MODULES: readonly { readonly specifier: RegExp; readonly instead: string; readonly except: readonly string[] }[] =
  [
    { specifier: /^(?:node:)?timers(?:\/promises)?$/, instead: CLOCK, except: ['src/lib/'] },
    { specifier: /^(?:node:)?perf_hooks$/, instead: CLOCK, except: ['src/lib/'] },
    { specifier: /^(?:node:)?process$/, instead: 'pass the value in from src/cli', except: PROGRAMS },
    { specifier: /^(?:node:)?console$/, instead: 'return a value and let src/cli print it', except: PROGRAMS },
  ];

/** Calls that would make a run depend on the machine, the hour or luck, or that print where nobody asked. */
export function checkBanned(files: readonly SourceFile[]): Problem[] {
  return files.flatMap((file) => [...bannedCalls(file), ...bannedModules(file)]);
}

function bannedCalls(file: SourceFile): Problem[] {
  return BANS.filter(
    ({ within, except }) => startsWithAny(file.path, within) && !startsWithAny(file.path, except),
  ).flatMap(({ pattern, instead }) =>
    [...file.code.matchAll(pattern)].map((match) =>
      problemAt(file, match.index, `${match[0].trim()} is banned here: ${instead}`),
    ),
  );
}

function bannedModules(file: SourceFile): Problem[] {
  return file.imports.flatMap(({ specifier, offset }) => {
    const rule = MODULES.find((module) => module.specifier.test(specifier) && !startsWithAny(file.path, module.except));
    return rule === undefined
      ? []
      : [problemAt(file, offset, `importing ${specifier} is banned here: ${rule.instead}`)];
  });
}

function startsWithAny(path: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => path.startsWith(beginning));
}

function ban(pattern: RegExp, instead: string, within: readonly string[], except: readonly string[]): Ban {
  return { pattern, instead, within, except };
}

/** A name that is not somebody's property, unless it is asked of globalThis. */
function globally(pattern: TemplateStringsArray): RegExp {
  return new RegExp(String.raw`(?<![\w$]|(?<!\bglobalThis)\.)${String.raw(pattern)}`, 'g');
}
