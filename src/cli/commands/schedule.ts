import { Command } from 'commander';
import { stringify } from 'yaml';
import { podKey } from '../../api/object-name.ts';
import type { Pod } from '../../api/pod.ts';
import { schedulerNames } from '../../config/scheduler-names.ts';
import type { Explanation } from '../../core/decision/result.ts';
import { type Placement, PodPlacer } from '../../core/place-pods.ts';
import { Scheduler } from '../../core/scheduler.ts';
import type { EngineName } from '../../engine/cycle/engine.ts';
import type { PhaseReport } from '../../framework/tracing/phase-times.ts';
import { RealClock } from '../../lib/clock.ts';
import { CodedError } from '../../lib/errors.ts';
import { HttpPoster } from '../../lib/http-poster.ts';
import { loadCluster } from '../../manifests/load-cluster.ts';
import { type PodSelection, selectPods } from '../../manifests/pod-selection.ts';
import { addInputOptions, INPUT_HELP, type InputFlags, inputFiles } from '../flags/input-flags.ts';
import { addEngineOptions, type EngineFlags, outputOption } from '../flags/options.ts';
import { addProfilingOptions, type ProfilingFlags, profiled } from '../flags/profiling.ts';
import { addSchedulerOptions, type SchedulerFlags, schedulerOptions } from '../flags/scheduler-flags.ts';
import { formatExplanation } from '../output/explanation.ts';
import { formatPhases } from '../output/phase-table.ts';
import { countPlacements, formatPlacements, placementRecord } from '../output/placements.ts';
import { withProgress } from '../terminal/progress.ts';
import { readFiles } from '../terminal/read-files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Outcome } from './outcome.ts';

interface ScheduleFlags extends SchedulerFlags, EngineFlags, ProfilingFlags, InputFlags {
  readonly engine: EngineName;
  readonly output: 'table' | 'wide' | 'json' | 'yaml';
  readonly explain?: string;
}

/** The result of placing all pods. */
interface Run {
  readonly placements: readonly Placement[];
  readonly explanation: Explanation | null;
  readonly phases: PhaseReport | null;
}

/** The exit code when some pods did not fit: this is not an error, but not the wanted result either. */
const EXIT_NOT_PLACED = 2;
const PODS_PER_PROGRESS = 256;

const AFTER_HELP = `${INPUT_HELP}

A pod that fits nowhere may preempt: the pods that it evicts are removed at once (status preempted), and it is
scheduled again before the next pod, first of all on the node that was nominated for it. A pending pod with a
status.nominatedNodeName has room kept there. priorityClassName gives the priority where spec.priority is missing.

Exit code: 0 all pods placed, 2 some did not fit or lost their place, 1 error.`;

export function scheduleCommand(terminal: Terminal, outcome: Outcome): Command {
  const command = addInputOptions(new Command('schedule'), 'manifests, such as the dump of a cluster')
    .description('Places the pending pods of some manifests, in file order, and says why the others do not fit.')
    .addOption(outputOption('how placements are printed', ['table', 'wide', 'json', 'yaml']))
    .option(
      '--explain <pod>',
      'also print the verdict on every node, when the turn of this pod (name or namespace/name) comes',
    );
  addEngineOptions(command, { engine: 'simd' }).addHelpText('after', AFTER_HELP);
  return addProfilingOptions(addSchedulerOptions(command)).action(async (flags: ScheduleFlags) => {
    outcome.exitCode = await schedule(flags, terminal);
  });
}

async function schedule(flags: ScheduleFlags, terminal: Terminal): Promise<number> {
  const options = await schedulerOptions(flags, terminal);
  const files = await inputFiles(flags, terminal);
  const manifests = await readFiles(files, terminal, { isStrict: flags.strict });
  const selection = selectPods(manifests.pods, schedulerNames(options.configuration));
  const explained = flags.explain === undefined ? null : findPod(flags.explain, manifests.pods, selection);
  for (const warning of passedOver(selection)) terminal.log(`warning: ${warning}`);

  const clock = new RealClock();
  const start = clock.nowMillis();
  const run = await profiled(flags, terminal, async (profiling): Promise<Run> => {
    const profile = profiling.startCase(`${manifests.nodes.length} nodes, ${flags.engine}`, 1);
    const { engine, index = true, workers = 1 } = flags;
    const extenderTransport = new HttpPoster();
    const tracer = profile.ofRun(0);
    const scheduler = new Scheduler({ ...options, engine, index, workers, tracer, extenderTransport });
    loadCluster(scheduler, manifests, selection);
    const asks = (options.configuration?.extenders.length ?? 0) > 0;
    const placed = await place(scheduler, { selection, explained, asks }, terminal);
    scheduler.close();
    extenderTransport.close();
    return { ...placed, phases: profile.phases() };
  });
  const seconds = (clock.nowMillis() - start) / 1000;
  const { placements } = run;
  await terminal.print(format(flags, selection.pending.length, explained, run));
  const counts = countPlacements(placements);
  const podCount = selection.pending.length;
  const notPlaced = podCount - counts.scheduled;
  terminal.log(
    `${counts.scheduled} of ${podCount} pods placed on ${manifests.nodes.length} nodes, ${notPlaced} not placed, ` +
      `${counts.preempted > 0 ? `${counts.preempted} preempted, ` : ''}` +
      `in ${seconds.toFixed(2)} s (engine ${flags.engine})`,
  );
  return notPlaced > 0 ? EXIT_NOT_PLACED : 0;
}

/** `asks`: whether there are extenders, which may have to be called. */
async function place(
  scheduler: Scheduler,
  { selection, explained, asks }: { selection: PodSelection; explained: Pod | null; asks: boolean },
  terminal: Terminal,
): Promise<Pick<Run, 'placements' | 'explanation'>> {
  const { pending } = selection;
  const placer = new PodPlacer(scheduler, selection);
  let explanation: Explanation | null = null;
  await withProgress(terminal, pending.length, 'scheduling', async (show) => {
    for (const [i, pod] of pending.entries()) {
      if (pod === explained) explanation = asks ? await scheduler.explainAsync(pod) : scheduler.explain(pod);
      if (asks) await placer.placeAsync(pod);
      else placer.place(pod);
      if (i % PODS_PER_PROGRESS === 0) show(i);
    }
  });
  return { placements: placer.placements, explanation };
}

function format(
  flags: ScheduleFlags,
  podCount: number,
  explained: Pod | null,
  { placements, explanation, phases }: Run,
): string {
  const explainedName = explained === null ? '' : podKey(explained);
  if (flags.output === 'table' || flags.output === 'wide') {
    return [
      formatPlacements(placements, flags.output === 'wide'),
      ...(explanation === null ? [] : [formatExplanation(explainedName, explanation)]),
      ...(phases === null ? [] : [formatPhases(`Time of ${podCount} pods:`, phases)]),
    ].join('\n');
  }
  const report = {
    summary: { pods: podCount, ...countPlacements(placements) },
    placements: placements.map(placementRecord),
    ...(explanation !== null && { explanation: { pod: explainedName, ...explanation } }),
    ...(phases !== null && { phases }),
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
