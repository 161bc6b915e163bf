import { type Command, Option } from 'commander';
import { CodedError } from '../../lib/errors.ts';
import type { ValidationMode } from '../../manifests/field-warnings.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { fileOption } from './options.ts';

/** The flags that name manifests, shared by all commands that read some. */
export interface InputFlags {
  readonly filename?: readonly string[];
  readonly recursive?: true;
  readonly kustomize?: string;
  readonly strict?: true;
  readonly validate: ValidationMode;
}

export const INPUT_HELP = `
Files are YAML, JSON or one JSON object a line, also compressed with gzip (with zstd from Node 22.15 on): Lists of any
size, such as the dump of a cluster. -f takes files, folders, patterns, URLs, several of them with commas between, and -
for standard input. Kinds that scheduling does not read are left out and counted.`;

export function addInputOptions(command: Command, what: string): Command {
  return command
    .addOption(fileOption(`${what}; - for standard input`))
    .option('-R, --recursive', 'also read the folders inside of the folders that -f names')
    .option('-k, --kustomize <folder>', 'what kubectl kustomize makes of this folder')
    .addOption(
      new Option('--strict', 'refuse what is otherwise left out with a warning: unknown kinds, pods on missing nodes'),
    )
    .addOption(
      new Option('--validate <mode>', 'unknown and misspelt fields: strict refuses them, warn names them')
        .choices(['strict', 'warn', 'ignore'])
        .default('warn'),
    );
}

/** The files that the flags name. Throws when they name none. */
export async function inputFiles(
  flags: Pick<InputFlags, 'filename' | 'recursive' | 'kustomize'>,
  terminal: Terminal,
): Promise<readonly string[]> {
  const { filename = [], recursive = false, kustomize } = flags;
  if (filename.length === 0 && kustomize === undefined) {
    throw new CodedError('Usage', 'there is no input: -f FILE, or -k FOLDER (--help says more)');
  }
  const found = await Promise.all(filename.map((name) => terminal.findFiles(name, recursive)));
  const names = [...found.flat(), ...(kustomize === undefined ? [] : [`kustomize:${kustomize}`])];
  return [...new Set(names)];
}
