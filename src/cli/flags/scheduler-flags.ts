import { type Command, InvalidArgumentError, Option } from 'commander';
import type { SchedulerConfiguration } from '../../config/configuration.ts';
import { dependencyProblem, type FeatureGates, parseFeatureGates } from '../../config/feature-gates.ts';
import type { SchedulerOptions } from '../../core/scheduler-options.ts';
import type { TieBreak } from '../../framework/tie-break.ts';
import { CodedError } from '../../lib/errors.ts';
import { shownName } from '../../manifests/file-source.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type LogFlags, loggerOf } from './log-level.ts';
import { numberOption, percentageOption, tieBreakOption } from './options.ts';

/** The flags that decide how a scheduler decides, shared by all commands with a scheduler. */
export interface SchedulerFlags extends LogFlags {
  readonly tieBreak: TieBreak;
  readonly seed: number;
  readonly percentageOfNodesToScore?: number;
  readonly config?: string;
  readonly featureGates?: Partial<FeatureGates>;
}

/** The largest configuration file that is read; no realistic one is longer. */
const CONFIG_MAX_BYTES = 16 * 2 ** 20;

/** A configuration was refused; the messages are all of its errors, as kube-scheduler reports them. */
export class RefusedConfiguration extends CodedError<'RefusedConfiguration'> {
  /** The errors, one line each; never empty. */
  readonly messages: readonly string[];

  constructor(messages: readonly string[]) {
    super('RefusedConfiguration', messages.join('; '));
    this.messages = messages;
  }
}

export function addSchedulerOptions(command: Command): Command {
  return command
    .addOption(tieBreakOption())
    .addOption(numberOption('seed', 'seed of everything that is random', 0, Number.MAX_SAFE_INTEGER).default(1))
    .addOption(percentageOption())
    .option('--config <file>', 'KubeSchedulerConfiguration, YAML or JSON: profiles, plugins, arguments')
    .addOption(featureGatesOption());
}

export function featureGatesOption(): Option {
  const description = 'features on or off as with kube-scheduler, such as GenericWorkload=true,GangScheduling=true';
  return new Option('--feature-gates <gates>', description).argParser((text, earlier?: Partial<FeatureGates>) => {
    const gates = parseFeatureGates(text);
    if (typeof gates === 'string') throw new InvalidArgumentError(gates);
    return { ...earlier, ...gates };
  });
}

/** The scheduler's options except for its engine. Flags override the configuration. */
export async function schedulerOptions(
  { tieBreak, seed, percentageOfNodesToScore, config, featureGates, ...flags }: SchedulerFlags,
  terminal: Terminal,
): Promise<Omit<SchedulerOptions, 'engine'>> {
  const configuration = config === undefined ? undefined : (await readConfiguration(config, terminal)).configuration;
  refuseLonelyGates(featureGates, configuration);
  return {
    tieBreak,
    seed,
    logger: loggerOf(flags, terminal),
    ...(percentageOfNodesToScore !== undefined && { percentageOfNodesToScore }),
    ...(configuration !== undefined && { configuration }),
    ...(featureGates !== undefined && { featureGates }),
  };
}

/** Refuses a gate that is on without one that it needs. */
export function refuseLonelyGates(
  given: Partial<FeatureGates> | undefined,
  configuration: SchedulerConfiguration | undefined,
): void {
  const problem = dependencyProblem({ ...configuration?.featureGates, ...given });
  if (problem !== null) throw new CodedError('Usage', `--feature-gates: ${problem}`);
}

/** Refuses extenders in commands that measure decisions, since the time of their answers would count. */
export function refuseExtenders(configuration: SchedulerConfiguration | undefined): void {
  if (!configuration?.extenders.length) return;
  throw new RefusedConfiguration(['extenders[0]: only "berth schedule" asks HTTP extenders']);
}

/** Reads a configuration. Throws `RefusedConfiguration`. */
export async function readConfiguration(
  name: string,
  terminal: Terminal,
): Promise<{ readonly configuration: SchedulerConfiguration; readonly text: string }> {
  const file = shownName(name);
  const bytes = await terminal.files.read(name, CONFIG_MAX_BYTES);
  // Only a configuration needs the arguments of all plugins, which take long to load.
  const { checkConfiguration } = await import('../../caller/load-configuration.ts');
  const { decodeUtf8 } = await import('../../manifests/source-document.ts');
  const text = decodeUtf8(bytes, file, 1);
  const loaded = checkConfiguration(text);
  if (!loaded.ok) throw new RefusedConfiguration(loaded.errors.map(({ message }) => `${file}: ${message}`));
  return { configuration: loaded.configuration, text };
}
