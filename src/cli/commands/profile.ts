import { Command } from 'commander';
import { CodedError } from '../../lib/errors.ts';
import { profilePage } from '../profile/profile-page.ts';
import { recorded } from '../profile/recorder.ts';
import { reportFile } from '../terminal/page-program.ts';
import { packageVersion, provenance } from '../terminal/provenance.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Outcome } from './outcome.ts';

/** Runs another command line, and returns its exit code. */
type RunCommand = (argv: readonly string[], terminal: Terminal) => Promise<number>;

interface ProfileFlags {
  readonly outputFolder: string;
}

/** The commands that can be profiled, and whether their decisions can be traced. */
const TRACED: Readonly<Record<string, boolean>> = { bench: true, schedule: true, simulate: false };

const AFTER_HELP = `
The command behind -- is bench, simulate or schedule, with its own flags. It prints what it prints, and the folder gets:
  index.html       functions, kernels, garbage collection, memory: a page that needs no other file
  run.cpuprofile   V8's CPU profile; DevTools and VS Code open it
  heap.heapprofile what is on the heap, by who allocated it; DevTools open it
  memory.json      the kernels' memory by purpose, the spaces of the heap
  output.txt       what the command printed; of bench and schedule with the time of each phase and plugin
  trace.json       of bench and schedule: what was done when, in a second run (ui.perfetto.dev)

Example:
  berth profile --output-folder profile -- bench --kind hetero --nodes 5000 --engine simd --repeat 1

Exit code: that of the command.`;

export function profileCommand(terminal: Terminal, outcome: Outcome, run: RunCommand): Command {
  return new Command('profile')
    .argument('<command...>', 'the command that is measured, behind --')
    .description('Runs a command, and puts a profile of its time and memory into a folder.')
    .option('--output-folder <folder>', 'where the files go', 'profile')
    .passThroughOptions()
    .addHelpText('after', AFTER_HELP)
    .action(async (argv: readonly string[], flags: ProfileFlags) => {
      outcome.exitCode = await profile(argv, flags.outputFolder, terminal, run);
    });
}

async function profile(argv: readonly string[], folder: string, terminal: Terminal, run: RunCommand): Promise<number> {
  const [name = ''] = argv;
  if (!Object.hasOwn(TRACED, name)) {
    throw new CodedError('Usage', `profile: ${JSON.stringify(name)} is not one of ${Object.keys(TRACED).join(', ')}`);
  }
  const isTraced = TRACED[name] === true && !['--suite', '--perf-config', '--tour'].some((flag) => argv.includes(flag));
  terminal.createFolder(folder);
  const printed: string[] = [];
  const watched: Terminal = {
    ...terminal,
    // Members that change are those of the terminal itself.
    get interruptedBy() {
      return terminal.interruptedBy;
    },
    print: (text) => {
      printed.push(text);
      return terminal.print(text);
    },
    log: (line) => {
      printed.push(`${line}\n`);
      terminal.log(line);
    },
  };
  const phases = isTraced && !argv.includes('--phases') ? ['--phases'] : [];
  const measured = await recorded(() => run([...argv, ...phases], watched));
  const { cpu, heap, kernelMemory, heapSpaces, result: exitCode } = measured;
  const contents = {
    'run.cpuprofile': ["V8's CPU profile: DevTools and VS Code open it", JSON.stringify(cpu)],
    'heap.heapprofile': ['what is on the heap, by who allocated it: DevTools open it', JSON.stringify(heap)],
    'memory.json': ["the kernels' memory, and the heap", `${JSON.stringify({ kernelMemory, heapSpaces }, null, 2)}\n`],
    'output.txt': [`what the command printed${isTraced ? ', with the time of each phase' : ''}`, printed.join('')],
  } as const satisfies Readonly<Record<string, readonly [about: string, text: string]>>;
  const files = Object.entries(contents).map(([file, [about]]) => [file, about] as const);
  const trace = [['trace.json', 'what was done when, in another run: ui.perfetto.dev opens it'] as const];
  // Writing down every decision takes longer than many decisions, so it would show in the profile.
  const hasTrace = isTraced && !argv.includes('--trace') && !argv.includes('-');
  if (hasTrace)
    await run([...argv, '--trace', `${folder}/trace.json`], { ...watched, print: async () => {}, log: () => {} });
  const { command } = provenance(argv);
  const page = profilePage(
    { command, version: packageVersion(), exitCode, files: [...files, ...(hasTrace ? trace : [])] },
    measured,
  );
  const write = (file: string, text: string) => {
    const output = terminal.createFile(`${folder}/${file}`);
    output.write(text);
    output.close();
  };
  for (const [file, [, text]] of Object.entries(contents)) write(file, text);
  write('index.html', reportFile(page));
  terminal.log(`profile: ${folder}/index.html`);
  return exitCode;
}
