import type { Command } from 'commander';

/** What can be completed behind the words of a command. */
interface Completions {
  /** The command's words: '' for the program itself, `bench compare` for a subcommand. */
  readonly path: string;
  readonly commands: readonly string[];
  readonly flags: readonly string[];
  /** The choices of a flag, by flag. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A script for a shell, made from the commands and their options. Other words are completed as names of files. */
export function completionScript(program: Command, shell: (typeof SHELLS)[number]): string {
  const all = completionsOf(program, '');
  if (shell === 'fish') return fish(all);
  const script = bash(all);
  return shell === 'bash' ? script : `#compdef berth\nautoload -U +X bashcompinit && bashcompinit\n${script}`;
}

function completionsOf(command: Command, path: string): Completions[] {
  const visible = command.options.filter(({ hidden }) => !hidden);
  const names = (option: (typeof visible)[number]) => [option.long, option.short].filter((name) => name !== undefined);
  const own: Completions = {
    path,
    commands: [...command.commands.map((each) => each.name()), 'help'],
    flags: [...visible.flatMap(names), '--help'],
    choices: new Map(
      visible.flatMap((option) => names(option).map((name) => [name as string, option.argChoices ?? []] as const)),
    ),
  };
  const inner = command.commands.flatMap((each) => completionsOf(each, `${path} ${each.name()}`.trim()));
  return [{ ...own, flags: own.flags as string[] }, ...inner];
}

function bash(all: readonly Completions[]): string {
  const cases = all.map(({ path, commands, flags, choices }) => {
    const choiceCases = [...choices].filter(([, values]) => values.length > 0);
    const lines = choiceCases.map(([flag, values]) => `        ${flag}) words="${values.join(' ')}" ;;`);
    return [
      `    "${path}")`,
      `      words="${(path.includes(' ') ? flags : [...commands, ...flags]).join(' ')}"`,
      ...(lines.length === 0 ? [] : ['      case "$previous" in', ...lines, '      esac']),
      '      ;;',
    ].join('\n');
  });
  const known = all.map(({ path }) => `"${path}"`).filter((path) => path !== '""');
  return `# Completion for berth: source it, or put it where your shell finds completions.
_berth() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${known.join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _berth berth
`;
}

function fish(all: readonly Completions[]): string {
  const lines = all.flatMap(({ path, commands, flags, choices }) => {
    const [command, subcommand] = path.split(' ');
    const condition =
      path === ''
        ? '__fish_use_subcommand'
        : [command, subcommand].flatMap((word) => (word ? [`__fish_seen_subcommand_from ${word}`] : [])).join('; and ');
    const line = (rest: string) => `complete -c berth -n '${condition}' ${rest}`;
    return [
      ...commands.map((name) => line(`-a ${name}`)),
      ...flags.map((flag) => {
        const values = choices.get(flag) ?? [];
        const name = flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;
        return line(values.length === 0 ? name : `${name} -x -a '${values.join(' ')}'`);
      }),
    ];
  });
  return `# Completion for berth: put it into ~/.config/fish/completions/berth.fish.\n${lines.join('\n')}\n`;
}
