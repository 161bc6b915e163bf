import { InvalidArgumentError, Option } from 'commander';

/** Options that several commands share, and the reading of their values. */

/** More threads than any machine runs at once. */
const WORKERS_MAX = 256;

export function engineOption(): Option {
  return new Option('--engine <name>', 'who computes: simd, scalar or reference').choices([
    'simd',
    'scalar',
    'reference',
  ]);
}

/** An option with the values `on` and `off`, read as true and false. */
export function indexOption(): Option {
  return new Option('--index <on|off>', 'whether classes of pods keep an index over the nodes').argParser((text) => {
    if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('Allowed choices are on, off.');
    return text === 'on';
  });
}

/** An option with a number of threads, or `auto`. */
export function workersOption(): Option {
  return new Option('--workers <number>', 'threads, or auto: one a core').argParser((text) =>
    text === 'auto' ? text : wholeNumber(text, 1, WORKERS_MAX),
  );
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
  return new Option(
    '--percentage-of-nodes-to-score <number>',
    'how many of the feasible nodes are looked for; 0 adapts to the cluster (default: as --config says, else 100)',
  ).argParser((text) => wholeNumber(text, 0, 100));
}

export function configOption(): Option {
  return new Option('--config <file>', 'KubeSchedulerConfiguration, YAML or JSON: profiles, plugins, arguments');
}

export function seedOption(): Option {
  return new Option('--seed <number>', 'seed of everything that is random')
    .argParser((text) => wholeNumber(text, 0, Number.MAX_SAFE_INTEGER))
    .default(1);
}

export function fileOption(description: string): Option {
  return new Option('-f, --filename <file...>', description);
}

/** Reads an integer in [min, max], written in decimal digits. */
export function wholeNumber(text: string, min: number, max: number): number {
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
