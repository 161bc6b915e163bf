import { type Command, Option } from 'commander';
import type { FeatureGates } from '../../config/feature-gates.ts';
import type { TieBreak } from '../../framework/tie-break.ts';
import { CodedError } from '../../lib/errors.ts';
import { FILE_MAX_BYTES, shownName } from '../../manifests/file-source.ts';
import { asksForSimulation, checkPlan, withDefaults } from '../../sweep/check-plan.ts';
import { readRunList } from '../../sweep/run-list.ts';
import { SeedList } from '../../sweep/seed-list.ts';
import { distinct, parameterName, parseSettings, type Setting, SWEEP_KINDS } from '../../sweep/settings.ts';
import type { SweepPlan } from '../../sweep/sweep-plan.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { refuseIdleFlags } from './effects.ts';
import { addInputOptions, type InputFlags, inputEffects, inputFiles } from './input-flags.ts';
import { optionParser, percentageOption } from './options.ts';
import { featureGatesOption } from './scheduler-flags.ts';

/** The flags that say what is run. */
export interface SweepPlanFlags extends InputFlags {
  readonly kind?: readonly Setting[];
  readonly nodes?: readonly Setting[];
  readonly pods?: readonly Setting[];
  readonly shape?: readonly string[];
  readonly recording?: readonly string[];
  readonly workload?: readonly string[];
  readonly faults?: readonly string[];
  readonly lose?: readonly string[];
  readonly until?: readonly Setting[];
  readonly config?: readonly string[];
  readonly tieBreak?: TieBreak;
  readonly percentageOfNodesToScore?: number;
  readonly featureGates?: Partial<FeatureGates>;
  readonly openb?: readonly string[];
  readonly alibaba?: string;
  readonly simulate?: true;
  readonly vary: readonly string[];
  readonly list?: string;
  readonly seeds?: SeedList;
  readonly times?: true;
}

/** The flags of a plan, which a file with a plan replaces. */
export const PLAN_FLAGS: readonly string[] = [
  ...['kind', 'nodes', 'pods', 'shape', 'recording', 'workload', 'faults', 'lose', 'until', 'config', 'tie-break'],
  ...[
    'percentage-of-nodes-to-score',
    'feature-gates',
    'openb',
    'alibaba',
    'simulate',
    'vary',
    'list',
    'seeds',
    'times',
  ],
  ...['filename', 'recursive', 'kustomize', 'strict', 'validate', 'no-expand'],
];

export function addPlanOptions(command: Command): Command {
  command
    .addOption(listOption('kind', `synthetic cluster: ${SWEEP_KINDS.join(', ')} (default: hetero)`))
    .addOption(listOption('nodes', 'nodes of a synthetic cluster (default: 1000), or added to a simulation'))
    .addOption(listOption('pods', 'pods to place in a synthetic cluster (default: 5000)'));
  return addInputOptions(command, 'manifests instead, such as the dump of a cluster')
    .option('--simulate', 'run clusters on a virtual clock, not only the scheduler; the next seven flags mean it, too')
    .option('--workload <file...>', 'objects that come, and change, in the course of time')
    .option('--faults <file...>', 'what goes wrong, and when')
    .option('--lose <nodes...>', 'these nodes crash after ten minutes: names with commas, or labels such as zone=b')
    .option('--recording <file...>', 'what berth simulate --record wrote: run it again, with other seeds and settings')
    .addOption(listOption('until', 'simulated time after which it ends, such as 24h'))
    .option('--shape <amounts...>', 'what the nodes of --nodes offer (default: cpu=32,memory=256Gi,pods=110)')
    .addOption(new Option('--openb <files...>', 'an openb trace in time: NODES.csv PODS.csv'))
    .option('--alibaba <file>', 'batch tasks of the Alibaba trace of 2018 (batch_task.csv), as Jobs')
    .option('--config <file...>', 'KubeSchedulerConfigurations')
    .addOption(
      new Option('--tie-break <rule>', 'which of equally good nodes is taken (default: first)').choices([
        ...['first', 'random', 'upstream'],
      ]),
    )
    .addOption(percentageOption())
    .addOption(featureGatesOption())
    .addOption(
      new Option('--vary <key=values>', 'any parameter, or a field of a file: config.percentageOfNodesToScore=10,50')
        .argParser((text: string, before: readonly string[]) => [...before, text])
        .default([], 'none'),
    )
    .option('--list <file>', 'combinations that are run one by one: CSV with names above, or JSON lines')
    .addOption(
      new Option('--seeds <list>', 'one run each: 1..100, 7, or several of them as 1..10,50').argParser(
        optionParser(SeedList.parse),
      ),
    )
    .option('--times', 'rows also say how many seconds their run took');
}

/** What is to be run. @throws CodedError `Usage`, `InvalidSetting`, `InvalidList` */
export async function planOf(flags: SweepPlanFlags, command: Command, terminal: Terminal): Promise<SweepPlan> {
  const { filename, openb, alibaba, strict, validate, expand, featureGates } = flags;
  const hasFiles = filename !== undefined || flags.kustomize !== undefined;
  refuseIdleFlags(command, [
    ...inputEffects(flags, flags.workload !== undefined),
    { flag: 'shape', needs: '--nodes, which says how many', isMet: isSet(flags, 'nodes') },
  ]);
  if (flags.seeds === undefined) throw new CodedError('Usage', "required option '--seeds <list>' not specified");
  if (openb !== undefined && openb.length !== 2) {
    throw new CodedError('Usage', `--openb takes two files, NODES.csv and PODS.csv, not ${openb.length}`);
  }
  const asked = {
    inputs: {
      manifests: hasFiles ? await inputFiles(flags, terminal) : [],
      openb: openb === undefined ? null : ([openb[0], openb[1]] as [string, string]),
      alibaba: alibaba ?? null,
      ...{ isStrict: strict === true, validate },
      ...(!expand && { expand }),
      ...(featureGates !== undefined && { featureGates }),
    },
    parameters: parametersOf(flags),
    list: flags.list === undefined ? null : await listIn(flags.list, terminal),
    ...{ seeds: flags.seeds.toString(), hasTimes: flags.times === true },
  };
  const isSimulated = flags.simulate === true || asksForSimulation(asked);
  const plan = withDefaults({ mode: isSimulated ? 'simulate' : 'place', ...asked });
  checkPlan(plan);
  return plan;
}

function isSet(flags: SweepPlanFlags, name: string): boolean {
  return name in flags || flags.vary.some((text) => text.startsWith(`${name}=`)) || flags.list !== undefined;
}

function parametersOf(flags: SweepPlanFlags): SweepPlan['parameters'] {
  const { kind, nodes, pods, shape, recording, workload, faults, lose, until, config } = flags;
  const { tieBreak, percentageOfNodesToScore } = flags;
  const single = { tieBreak, percentageOfNodesToScore };
  const given: Record<string, readonly Setting[] | undefined> = {
    ...{ kind, nodes, pods, shape, recording, workload, faults, lose, until, config },
    ...Object.fromEntries(Object.entries(single).map(([name, value]) => [name, value === undefined ? value : [value]])),
  };
  for (const text of flags.vary) {
    const equals = text.indexOf('=');
    if (equals <= 0) throw new CodedError('Usage', `--vary ${text}: is not KEY=VALUE,VALUE`);
    const name = parameterName(text.slice(0, equals));
    if (given[name] !== undefined) throw new CodedError('Usage', `--vary ${name}: its values are given twice`);
    given[name] = parseSettings(name, text.slice(equals + 1));
  }
  const set = Object.entries(given).filter((entry): entry is [string, readonly Setting[]] => entry[1] !== undefined);
  return Object.fromEntries(set.map(([name, values]) => [name, distinct(name, values)]));
}

async function listIn(name: string, terminal: Terminal): Promise<SweepPlan['list']> {
  const file = shownName(name);
  // Decoding needs a module of Node, which nothing may need that the command starts with (generate/library-chunks.ts).
  const { decodeUtf8 } = await import('../../manifests/source-document.ts');
  return readRunList(decodeUtf8(await terminal.files.read(name, FILE_MAX_BYTES), file, 1), file);
}

function listOption(name: string, description: string): Option {
  return new Option(`--${name} <values>`, `${description}; several as a,b`).argParser(
    optionParser((text) => parseSettings(name, text)),
  );
}
