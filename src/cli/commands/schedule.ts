import { Command, Option } from 'commander';
import { stringify } from 'yaml';
import { podKey } from '../../api/object-name.ts';
import type { Pod } from '../../api/pod.ts';
import { type Manifests, readManifests } from '../../cluster/manifests/read.ts';
import { type PodSelection, selectPods } from '../../cluster/pod-selection.ts';
import type { EngineName, TieBreak } from '../../core/engine/engine.ts';
import type { Explanation } from '../../core/result.ts';
import { Scheduler } from '../../core/scheduler.ts';
import { RealClock } from '../../lib/clock.ts';
import { CodedError } from '../../lib/errors.ts';
import { engineOption, fileOption, seedOption, tieBreakOption } from '../options.ts';
import { formatExplanation } from '../output/explanation.ts';
import { countPlacements, formatPlacements, type Placement, placementRecord } from '../output/placements.ts';
import { startProgress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';

/** How a command hands its exit code to the program. */
export interface Outcome {
  exitCode: number;
}

interface ScheduleFlags {
  readonly filename: readonly string[];
  readonly output: 'table' | 'wide' | 'json' | 'yaml';
  readonly explain?: string;
  readonly tieBreak: TieBreak;
  readonly seed: number;
  readonly engine?: EngineName;
}

/** Some pods did not fit: not an error, yet not what was asked for. */
const EXIT_NOT_PLACED = 2;
const PODS_PER_PROGRESS = 256;

export function scheduleCommand(terminal: Terminal, outcome: Outcome): Command {
  return new Command('schedule')
    .description('Places the pending pods of some manifests, in file order, and says why the others do not fit.')
    .addOption(fileOption('manifests: YAML, JSON, one JSON object a line; - for standard input').makeOptionMandatory())
    .addOption(
      new Option('-o, --output <format>', 'how placements are printed')
        .choices(['table', 'wide', 'json', 'yaml'])
        .default('table'),
    )
    .option(
      '--explain <pod>',
      'also print the verdict on every node, when the turn of this pod (name or namespace/name) comes',
    )
    .addOption(tieBreakOption())
    .addOption(seedOption())
    .addOption(engineOption().default('simd'))
    .addHelpText('after', '\nExit code: 0 all pods placed, 2 some did not fit, 1 error.')
    .action(async (flags: ScheduleFlags) => {
      outcome.exitCode = await schedule(flags, terminal);
    });
}

async function schedule(flags: ScheduleFlags, terminal: Terminal): Promise<number> {
  const manifests = await read(flags.filename, terminal);
  const selection = selectPods(manifests.pods);
  const explained = flags.explain === undefined ? null : findPod(flags.explain, manifests.pods, selection);
  for (const warning of [...manifests.warnings, ...passedOver(selection)]) terminal.tell(`warning: ${warning}`);

  const clock = new RealClock();
  const start = clock.nowMillis();
  const scheduler = new Scheduler({
    tieBreak: flags.tieBreak,
    seed: flags.seed,
    ...(flags.engine && { engine: flags.engine }),
  });
  for (const node of manifests.nodes) scheduler.addNode(node);
  for (const pod of selection.bound) scheduler.addPod(pod);
  const { placements, explanation } = place(scheduler, selection.pending, explained, terminal);
  const seconds = (clock.nowMillis() - start) / 1000;

  await terminal.print(format(flags, placements, explained, explanation));
  const counts = countPlacements(placements);
  const notPlaced = placements.length - counts.scheduled;
  terminal.tell(
    `${counts.scheduled} of ${placements.length} pods placed on ${manifests.nodes.length} nodes, ` +
      `${notPlaced} not placed, in ${seconds.toFixed(2)} s (engine ${scheduler.engine})`,
  );
  return notPlaced > 0 ? EXIT_NOT_PLACED : 0;
}

/** Reads the files with a bar for the long ones. */
export async function read(files: readonly string[], terminal: Terminal): Promise<Manifests> {
  const progress = startProgress(terminal, files.length, 'reading');
  const order = [...new Set(files)].map((file) => (file === '-' ? 'stdin' : file));
  try {
    let lastPercent = -1;
    return await readManifests(files, terminal.files, (file, doneBytes, totalBytes) => {
      const done = order.indexOf(file) + doneBytes / totalBytes;
      const percent = Math.floor(done * 100);
      if (percent !== lastPercent) progress.update(done, `reading ${file}`);
      lastPercent = percent;
    });
  } finally {
    progress.stop();
  }
}

function place(scheduler: Scheduler, pending: readonly Pod[], explained: Pod | null, terminal: Terminal) {
  const progress = startProgress(terminal, pending.length, 'scheduling');
  const placements: Placement[] = [];
  let explanation: Explanation | null = null;
  try {
    for (const pod of pending) {
      if (pod === explained) explanation = scheduler.explain(pod);
      placements.push({ pod, result: scheduler.schedule(pod) });
      if (placements.length % PODS_PER_PROGRESS === 0) progress.update(placements.length);
    }
  } finally {
    progress.stop();
  }
  return { placements, explanation };
}

function format(
  flags: ScheduleFlags,
  placements: readonly Placement[],
  explained: Pod | null,
  explanation: Explanation | null,
): string {
  const explainedName = explained === null ? '' : podKey(explained);
  if (flags.output === 'table' || flags.output === 'wide') {
    const table = formatPlacements(placements, flags.output === 'wide');
    return explanation === null ? table : `${table}\n${formatExplanation(explainedName, explanation)}`;
  }
  const report = {
    summary: { pods: placements.length, ...countPlacements(placements) },
    placements: placements.map(placementRecord),
    ...(explanation !== null && { explanation: { pod: explainedName, ...explanation } }),
  };
  return flags.output === 'json'
    ? `${JSON.stringify(report, null, 2)}\n`
    : stringify(report, { aliasDuplicateObjects: false });
}

/** The pending pod that `--explain` names. */
function findPod(name: string, pods: readonly Pod[], { pending }: PodSelection): Pod {
  const named = (pod: Pod) => podKey(pod) === name || pod.metadata?.name === name;
  const matches = pending.filter(named);
  if (matches.length > 1) {
    const names = matches.slice(0, 3).map(podKey).join(', ');
    throw new CodedError(
      'AmbiguousName',
      `--explain ${name}: several pods have this name (${names}): use namespace/name`,
    );
  }
  const match = matches[0];
  if (match !== undefined) return match;
  const other = pods.find(named);
  if (other === undefined) throw new CodedError('NotFound', `--explain ${name}: there is no such pod in the input`);
  const state = other.spec?.nodeName ? `is on node ${other.spec.nodeName} already` : 'is not to be scheduled';
  throw new CodedError('NotPending', `--explain ${name}: pod ${podKey(other)} ${state}`);
}

function passedOver({ deletingCount, foreignCount }: PodSelection): string[] {
  return [
    ...(deletingCount > 0 ? [`passed over ${deletingCount} pending pods that are being deleted`] : []),
    ...(foreignCount > 0
      ? [`passed over ${foreignCount} pods that ask for another scheduler (spec.schedulerName)`]
      : []),
  ];
}
