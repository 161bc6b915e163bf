import { type Command, InvalidArgumentError, Option } from 'commander';
import type { EngineName, Workers } from '../../benchmark/subject.ts';
import { CodedError } from '../../lib/errors.ts';

/** Options that several commands share, and the reading of their values. */

/** The kernels' memory of 4 GiB holds a little more than a million nodes, which is what the layout is made for. */
export const NODES_MAX = 1_000_000;
export const PODS_MAX = 10_000_000;
/** More threads than any machine runs at once. */
const WORKERS_MAX = 256;

/** The flags of who computes; they change no decision. */
export interface EngineFlags {
  readonly engine?: EngineName;
  readonly index?: boolean;
  /** A number of threads; auto: one a core. */
  readonly workers?: Workers;
}

/** Adds the options of `EngineFlags`, with these defaults. */
export function addEngineOptions(command: Command, { engine, index, workers }: EngineFlags): Command {
  const option = new Option('--engine <name>', 'who computes: simd, scalar or reference')
    .choices(['simd', 'scalar', 'reference'])
    .default(engine);
  return addIndexOptions(command.addOption(option), { index, workers });
}

/** Adds the options of `EngineFlags` except for the engine. */
export function addIndexOptions(
  command: Command,
  { index, workers }: Readonly<Record<'index' | 'workers', unknown>> = { index: undefined, workers: undefined },
): Command {
  return command
    .addOption(
      new Option('--index <on|off>', 'whether signatures of pods keep an index over the nodes')
        .argParser((text) => {
          if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('Allowed choices are on, off.');
          return text === 'on';
        })
        .default(index, 'on'),
    )
    .addOption(
      new Option('--workers <number>', 'threads, or auto: one a core')
        .argParser((text) => (text === 'auto' ? text : wholeNumber(text, 1, WORKERS_MAX)))
        .default(workers),
    );
}

/** An option with several of the choices, such as `simd,scalar`. */
export function choicesOption(flag: string, description: string, choices: readonly string[]): Option {
  return new Option(
    `--${flag} <names>`,
    `${description}: ${choices.join(', ')}; several as ${choices[0]},${choices[1]}`,
  ).argParser((text) => {
    const names = [...new Set(text.split(',').map((name) => name.trim()))];
    if (names.every((name) => choices.includes(name))) return names;
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  });
}

export function tieBreakOption(): Option {
  return new Option(
    '--tie-break <rule>',
    'which of equally good nodes is taken; upstream: the one that kube-scheduler takes',
  )
    .choices(['first', 'random', 'upstream'])
    .default('first');
}

export function percentageOption(): Option {
  const what = 'how many of the feasible nodes are looked for; 0 adapts to the cluster';
  return numberOption('percentage-of-nodes-to-score', `${what} (default: as --config says, else 100)`, 0, 100);
}

/** How results are printed: the first format, unless the user says otherwise. */
export function outputOption(description: string, formats: readonly string[]): Option {
  return new Option('-o, --output <format>', description).choices(formats).default(formats[0]);
}

/** The shape of new nodes where no other is given. */
export const DEFAULT_SHAPE = 'cpu=32,memory=256Gi,pods=110';

export function shapeOption(): Option {
  const more = 'also label:KEY=VALUE, taint:KEY=VALUE:EFFECT, and devices, gpu=8,model=h100';
  return new Option('--shape <amounts...>', `what new nodes offer, in turn (default: ${DEFAULT_SHAPE}); ${more}`);
}

export function fileOption(description: string): Option {
  return new Option('-f, --filename <file...>', description);
}

export function numberOption(flag: string, description: string, min: number, max: number): Option {
  return new Option(`--${flag} <number>`, description).argParser((text) => wholeNumber(text, min, max));
}

/** The parser of an option's value; what it refuses is an error that names the option. */
export function optionParser<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      throw new InvalidArgumentError(`${error.message}.`);
    }
  };
}

/** Reads an integer in [min, max], written in decimal digits. */
function wholeNumber(text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  }
  return value;
}

/** Reads several whole numbers, such as `1000,5000`. */
export function wholeNumbers(text: string, min: number, max: number): number[] {
  return text.split(',').map((part) => wholeNumber(part.trim(), min, max));
}
