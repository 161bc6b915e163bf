import { type Command, Option } from 'commander';
import { CodedError } from '../../lib/errors.ts';
import type { ValidationMode } from '../../manifests/field-warnings.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Effect } from './effects.ts';
import { fileOption } from './options.ts';

/** The flags that name manifests, shared by all commands that read some. */
export interface InputFlags {
  readonly filename?: readonly string[];
  readonly recursive?: true;
  readonly kustomize?: string;
  readonly strict?: true;
  readonly validate: ValidationMode;
  /** False: workloads get no pods. */
  readonly expand: boolean;
}

export const FILES_HELP = `
Files are YAML, JSON or one JSON object a line, also compressed with gzip (with zstd from Node 22.15 on): Lists of any
size, such as the dump of a cluster. -f takes files, folders, patterns, URLs, several of them with commas between, and -
for standard input.`;

export const INPUT_HELP = `${FILES_HELP} Kinds that scheduling does not read are left out and counted.`;

/**
 * The flags that name files.
 *
 * @param rivals flags that cannot be used together with manifests
 */
export function addFileOptions(command: Command, what: string, rivals: readonly string[] = []): Command {
  return command
    .addOption(fileOption(`${what}; - for standard input`).conflicts([...rivals]))
    .option('-R, --recursive', 'also read the folders inside of the folders that -f names')
    .addOption(
      new Option('-k, --kustomize <folder>', 'what kubectl kustomize makes of this folder').conflicts([...rivals]),
    )
    .addOption(
      new Option('--validate <mode>', 'unknown and misspelt fields: strict refuses them, warn names them')
        .choices(['strict', 'warn', 'ignore'])
        .default('warn'),
    );
}

/** The flags that name files, and those of how the objects of a cluster are read. */
export function addInputOptions(command: Command, what: string, rivals?: readonly string[]): Command {
  return addFileOptions(command, what, rivals)
    .addOption(
      new Option('--strict', 'refuse what is otherwise left out with a warning: unknown kinds, pods on missing nodes'),
    )
    .option('--no-expand', 'make no pods for workloads that have fewer than they ask for');
}

/**
 * What the flags of how manifests are read need, in commands that also run without manifests.
 *
 * @param hasWorkload whether a workload brings objects, too
 */
export function inputEffects(
  { filename, kustomize }: Pick<InputFlags, 'filename' | 'kustomize'>,
  hasWorkload = false,
): Effect[] {
  const hasFiles = filename !== undefined || kustomize !== undefined;
  return [
    { flag: 'recursive', needs: '-f', isMet: filename !== undefined },
    { flag: 'no-expand', needs: '-f or -k', isMet: hasFiles },
    ...['strict', 'validate'].map((flag) => ({ flag, needs: '-f or -k', isMet: hasFiles || hasWorkload })),
  ];
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
