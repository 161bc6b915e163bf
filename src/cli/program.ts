import { Command, CommanderError, Option } from 'commander';
import { CodedError } from '../lib/errors.ts';
import { benchCommand } from './commands/bench.ts';
import { clockCommand } from './commands/clock.ts';
import { completionCommand } from './commands/completion.ts';
import { explainCommand } from './commands/explain.ts';
import { importCommand } from './commands/import.ts';
import { importOpenbCommand } from './commands/import-openb.ts';
import { EXIT_INTERRUPTED, EXIT_TERMINATED, type Outcome } from './commands/outcome.ts';
import { profileCommand } from './commands/profile.ts';
import { recordCommand } from './commands/record.ts';
import { scheduleCommand } from './commands/schedule.ts';
import { schedulerCommand } from './commands/scheduler.ts';
import { schemaCommand } from './commands/schema.ts';
import { serveCommand } from './commands/serve.ts';
import { simulateCommand } from './commands/simulate.ts';
import { sweepCommand } from './commands/sweep.ts';
import { versionCommand } from './commands/version.ts';
import { whatIfCommand } from './commands/what-if.ts';
import { type LogFlags, logLevelOption } from './flags/log-level.ts';
import { RefusedConfiguration } from './flags/scheduler-flags.ts';
import { Interrupted } from './terminal/interruption.ts';
import { packageVersion, provenance } from './terminal/provenance.ts';
import { OutputClosed, type Terminal } from './terminal/terminal.ts';

const EXIT_OK = 0;
const EXIT_ERROR = 1;

const AFTER_HELP = `
Log lines read "LEVEL component message key=value". warn: what goes another way than usual; info: how the scheduler is
set up, preemption, workers; debug: every decision that takes a whole cycle. Without --log-level there are none.`;

/** Runs one command line (without the program's name) and returns its exit code; never throws. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const outcome: Outcome = { exitCode: EXIT_OK };
  const texts: string[] = [];
  const origin = provenance(argv);
  const program = new Command('berth')
    .description("Makes kube-scheduler's decisions, on WebAssembly kernels.")
    .version(packageVersion())
    .option('--verbose', 'show the stack of an internal error')
    .addOption(logLevelOption())
    .addHelpText('after', AFTER_HELP)
    // A command's flags are not shared with the command around it; --verbose and --log-level may stand anywhere.
    .enablePositionalOptions()
    .hook('preAction', (_program, command) => {
      command.setOptionValue('logLevel', command.optsWithGlobals<LogFlags>().logLevel);
    })
    .addCommand(scheduleCommand(terminal, outcome))
    .addCommand(benchCommand(terminal, outcome, origin))
    .addCommand(simulateCommand(terminal, outcome, origin))
    .addCommand(explainCommand(terminal, outcome, origin))
    .addCommand(whatIfCommand(terminal, outcome, origin))
    .addCommand(profileCommand(terminal, outcome, run))
    .addCommand(sweepCommand(terminal, outcome, origin))
    .addCommand(serveCommand(terminal, outcome))
    .addCommand(clockCommand(terminal))
    .addCommand(schedulerCommand(terminal, outcome))
    .addCommand(importCommand(terminal))
    .addCommand(recordCommand(terminal, outcome))
    .addCommand(importOpenbCommand(terminal))
    .addCommand(schemaCommand(terminal))
    .addCommand(versionCommand(terminal));
  program.addCommand(completionCommand(program, terminal));
  for (const command of withSubcommands(program)) {
    if (command !== program)
      command.addOption(new Option('--verbose').hideHelp()).addOption(logLevelOption().hideHelp());
    command.exitOverride().configureOutput({
      writeOut: (text) => texts.push(text),
      // A suggestion of commander's has a line of its own, but an error is one line.
      writeErr: (text) => terminal.log(text.trimEnd().replace('\n(Did you', ' (Did you')),
    });
  }
  try {
    await program.parseAsync(argv.flatMap(withoutEquals), { from: 'user' });
  } catch (error) {
    outcome.exitCode = report(error, argv.includes('--verbose'), terminal);
  }
  terminal.discardUnfinished();
  if (texts.length > 0) await terminal.print(texts.join('')).catch(() => {});
  const isTerminated = outcome.exitCode === EXIT_INTERRUPTED && terminal.interruptedBy === 'SIGTERM';
  return isTerminated ? EXIT_TERMINATED : outcome.exitCode;
}

/** `-o=json` is `-o json`, as with kubectl. */
function withoutEquals(argument: string): string[] {
  const [, flag, value] = /^(-[a-zA-Z])=(.*)$/s.exec(argument) ?? [];
  return flag === undefined || value === undefined ? [argument] : [flag, value];
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

function report(error: unknown, verbose: boolean, terminal: Terminal): number {
  if (error instanceof OutputClosed) return EXIT_OK;
  if (error instanceof Interrupted) {
    terminal.log('interrupted');
    return EXIT_INTERRUPTED;
  }
  // Commander has printed the message already; help and version end as errors of code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_ERROR;
  if (error instanceof RefusedConfiguration) {
    for (const message of error.messages) terminal.log(`error: ${oneLine(message)}`);
    return EXIT_ERROR;
  }
  if (error instanceof CodedError) {
    terminal.log(`error: ${oneLine(error.message)}`);
    return EXIT_ERROR;
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  terminal.log(`internal error: ${oneLine(message)}`);
  if (verbose && error instanceof Error) terminal.log(error.stack ?? '');
  return EXIT_ERROR;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}
