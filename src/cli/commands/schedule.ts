import { Command, Option } from 'commander';
import { podKey } from '../../api/object-name.ts';
import type { Pod } from '../../api/pod.ts';
import { schedulerNames } from '../../config/scheduler-names.ts';
import type { Explanation } from '../../core/decision/result.ts';
import { PodPlacer } from '../../core/place-pods.ts';
import { Scheduler } from '../../core/scheduler.ts';
import type { EngineName } from '../../engine/cycle/engine.ts';
import { RealClock } from '../../lib/clock.ts';
import { CodedError } from '../../lib/errors.ts';
import { HttpPoster } from '../../lib/http-poster.ts';
import { plural } from '../../lib/shown-count.ts';
import { loadCluster } from '../../manifests/load-cluster.ts';
import { type PodSelection, selectPods } from '../../manifests/pod-selection.ts';
import { type Effect, refuseIdleFlags } from '../flags/effects.ts';
import { expansionFor } from '../flags/expansion.ts';
import { addInputOptions, INPUT_HELP, type InputFlags, inputFiles } from '../flags/input-flags.ts';
import { addEngineOptions, type EngineFlags, outputOption } from '../flags/options.ts';
import { addProfilingOptions, type ProfilingFlags, profiled } from '../flags/profiling.ts';
import { addSchedulerOptions, type SchedulerFlags, schedulerOptions } from '../flags/scheduler-flags.ts';
import { groupNotPlaced, notPlacedLines } from '../output/not-placed.ts';
import { countPlacements } from '../output/placements.ts';
import { inlineLess } from '../terminal/compile-soon.ts';
import { Interruption } from '../terminal/interruption.ts';
import { withProgress } from '../terminal/progress.ts';
import { readFiles } from '../terminal/read-files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { visible } from '../text/visible.ts';
import { EXIT_INTERRUPTED, type Outcome } from './outcome.ts';
import { ignoredGroups, placeGroups, schedulesGroups } from './place-groups.ts';
import { formatSchedule, SCHEDULE_FORMATS, type ScheduleOutputFlags, type ScheduleRun } from './schedule-output.ts';

interface ScheduleFlags extends SchedulerFlags, EngineFlags, ProfilingFlags, InputFlags, ScheduleOutputFlags {
  readonly engine: EngineName;
  readonly explain?: string;
  readonly quiet?: true;
}

/** The exit code when some pods did not fit: this is not an error, but not the wanted result either. */
const EXIT_NOT_PLACED = 2;
const PODS_PER_PROGRESS = 256;

const AFTER_HELP = `${INPUT_HELP}

Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs, CronJobs (one run) and PodTemplates get the pods that they
lack, after the pods of the input, as their controllers would make them; --no-expand makes none.

A pod that fits nowhere may preempt: the pods that it evicts are removed at once (status preempted), and it is
scheduled again before the next pod, first of all on the node that was nominated for it. A pending pod with a
status.nominatedNodeName has room kept there. priorityClassName gives the priority where spec.priority is missing.

Pods of groups (spec.schedulingGroup; --feature-gates GenericWorkload=true,GangScheduling=true) are placed together: all
pods then go through the queue of a scheduler, and --explain shows the end.

Examples:
  kubectl get nodes,pods -A -o json | berth schedule -f -
  berth schedule -f cluster.yaml -f new/ -R --only unplaced -o wide
  berth schedule -f cluster.yaml --explain web-1 --nodes
  berth schedule -f cluster.yaml --config scheduler.yaml --tie-break upstream -o name

Exit code: 0 all pods placed, 2 some did not fit or lost their place, 1 error, 130 after Ctrl-C (143 after SIGTERM),
which print what there is.`;

export function scheduleCommand(terminal: Terminal, outcome: Outcome): Command {
  const command = addInputOptions(new Command('schedule'), 'manifests, such as the dump of a cluster')
    .description('Places the pending pods of some manifests, in file order, and says why the others do not fit.')
    .addOption(outputOption('how placements are printed', SCHEDULE_FORMATS))
    .addOption(new Option('--only <what>', 'print only these pods').choices(['unplaced']))
    .option('-n, --namespace <name>', 'print only pods of this namespace; all are scheduled')
    .option('--no-headers', 'print the table without its titles')
    .option('-q, --quiet', 'print neither warnings nor a summary')
    .option(
      '--explain <pod>',
      'also print the verdict on the nodes, when the turn of this pod (name or namespace/name) comes',
    )
    .option('--nodes', 'with --explain: a row for every node, not one for all nodes with the same verdict');
  addEngineOptions(command, { engine: 'simd' }).addHelpText('after', AFTER_HELP);
  return addProfilingOptions(addSchedulerOptions(command)).action(async (flags: ScheduleFlags, own: Command) => {
    refuseIdleFlags(own, idleFlags(flags));
    outcome.exitCode = await schedule(flags, terminal);
  });
}

/** What the flags need that have an effect only together with others. */
function idleFlags(flags: ScheduleFlags): Effect[] {
  const isTable = flags.output === 'table' || flags.output === 'wide';
  return [
    { flag: 'recursive', needs: '-f', isMet: flags.filename !== undefined },
    { flag: 'nodes', needs: '--explain, and a table', isMet: flags.explain !== undefined && isTable },
    { flag: 'no-headers', needs: 'a table (-o table, -o wide)', isMet: isTable },
    { flag: 'explain', needs: 'another output than names', isMet: flags.output !== 'name' },
    { flag: 'phases', needs: 'another output than names', isMet: flags.output !== 'name' },
    { flag: 'seed', needs: '--tie-break random', isMet: flags.tieBreak === 'random' },
    { flag: 'trace-events', needs: '--trace', isMet: flags.trace !== undefined },
    { flag: 'index', needs: 'an engine with kernels', isMet: flags.engine !== 'reference' },
    { flag: 'workers', needs: 'an engine with kernels', isMet: flags.engine !== 'reference' },
  ];
}

async function schedule(flags: ScheduleFlags, terminal: Terminal): Promise<number> {
  // Most runs are over before all that is compiled for them has paid for itself.
  inlineLess();
  const options = await schedulerOptions(flags, terminal);
  const log = flags.quiet ? () => {} : terminal.log;
  const interruption = new Interruption(terminal);
  const files = await inputFiles(flags, terminal);
  const { strict: isStrict, validate, expand: expands } = flags;
  const reading = { isStrict, validate, expand: expands ? expansionFor(options) : undefined };
  const manifests = await readFiles(files, { ...terminal, log }, interruption, reading);
  const selection = selectPods(manifests.pods, schedulerNames(options.configuration));
  const explained = flags.explain === undefined ? null : findPod(flags.explain, manifests.pods, selection);
  for (const warning of [...passedOver(selection), ...ignoredGroups(options, selection)]) log(`warning: ${warning}`);

  const clock = new RealClock();
  const start = clock.nowMillis();
  const run = await profiled(flags, terminal, async (profiling) => {
    const profile = profiling.startCase(`${manifests.nodes.length} nodes, ${flags.engine}`, 1);
    const { engine, index = true, workers = 1 } = flags;
    if (schedulesGroups(options, selection)) {
      const tracer = profile.ofRun(0);
      const given = { ...options, engine, index, workers, tracer, validate: false };
      const placed = placeGroups({ options: given, cluster: manifests, selection, explained });
      return { ...placed, phases: profile.phases() };
    }
    const extenderTransport = new HttpPoster();
    const tracer = profile.ofRun(0);
    // The readers of manifests have checked every object.
    const checked = { validate: false, trustsCaller: true };
    const scheduler = new Scheduler({ ...options, ...checked, engine, index, workers, tracer, extenderTransport });
    loadCluster(scheduler, manifests, selection);
    const asks = (options.configuration?.extenders.length ?? 0) > 0;
    const placed = await place(scheduler, { selection, explained, asks, interruption }, terminal);
    scheduler.close();
    extenderTransport.close();
    return { ...placed, phases: profile.phases() };
  });
  const seconds = (clock.nowMillis() - start) / 1000;
  const { placements } = run;
  const podCount = selection.pending.length;
  const notPlacedGroups = groupNotPlaced(placements);
  const result: ScheduleRun = { ...run, explained, podCount, notPlaced: notPlacedGroups };
  await terminal.print(formatSchedule(result, flags, terminal.columns));
  const counts = countPlacements(placements);
  const notPlaced = podCount - counts.scheduled;
  log(
    `${counts.scheduled} of ${podCount} pods placed on ${plural(manifests.nodes.length, 'node')}, ` +
      `${notPlaced} not placed, ${counts.preempted > 0 ? `${counts.preempted} preempted, ` : ''}` +
      `in ${seconds.toFixed(2)} s (engine ${flags.engine})`,
  );
  for (const line of notPlacedLines(notPlacedGroups)) log(line);
  interruption.release();
  if (interruption.isAsked) {
    log('interrupted');
    return EXIT_INTERRUPTED;
  }
  return notPlaced > 0 ? EXIT_NOT_PLACED : 0;
}

interface Placing {
  readonly selection: PodSelection;
  readonly explained: Pod | null;
  /** Whether there are extenders, which may have to be called. */
  readonly asks: boolean;
  readonly interruption: Interruption;
}

async function place(
  scheduler: Scheduler,
  { selection, explained, asks, interruption }: Placing,
  terminal: Terminal,
): Promise<Pick<ScheduleRun, 'placements' | 'explanation'>> {
  const { pending } = selection;
  const placer = new PodPlacer(scheduler, selection);
  let explanation: Explanation | null = null;
  await withProgress(terminal, pending.length, 'scheduling', async (show) => {
    for (const [i, pod] of pending.entries()) {
      if (pod === explained) explanation = asks ? await scheduler.explainAsync(pod) : scheduler.explain(pod);
      if (asks) await placer.placeAsync(pod);
      else placer.place(pod);
      if (i % PODS_PER_PROGRESS !== 0) continue;
      show(i);
      if (await interruption.pause()) break;
    }
  });
  return { placements: placer.placements, explanation };
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

function passedOver({ deletingCount, foreign }: PodSelection): string[] {
  const schedulers = [...foreign].map(([name, count]) => `${count} ${visible(name)}`).join(', ');
  return [
    ...(deletingCount > 0 ? [`passed over ${deletingCount} pending pods that are being deleted`] : []),
    ...(foreign.size > 0
      ? [`passed over pods that ask for another scheduler (spec.schedulerName): ${schedulers}`]
      : []),
  ];
}
