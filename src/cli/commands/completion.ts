import { Argument, Command } from 'commander';
import { completionScript, SHELLS } from '../output/completion.ts';
import type { Terminal } from '../terminal/terminal.ts';

const AFTER_HELP = `
Examples:
  source <(berth completion bash)
  berth completion zsh > "\${fpath[1]}/_berth"
  berth completion fish > ~/.config/fish/completions/berth.fish`;

/** @param program has all commands by the time that this one runs */
export function completionCommand(program: Command, terminal: Terminal): Command {
  return new Command('completion')
    .description('Prints a script that completes commands and flags in your shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', AFTER_HELP)
    .action(async (shell: (typeof SHELLS)[number]) => {
      await terminal.print(completionScript(program, shell));
    });
}
