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
import { expansionFor } from '../flags/expansion.ts';
import { type InputFlags, inputFiles } from '../flags/input-flags.ts';
import type { EngineFlags } from '../flags/options.ts';
import { type ProfilingFlags, profiled } from '../flags/profiling.ts';
import { type SchedulerFlags, schedulerOptions } from '../flags/scheduler-flags.ts';
import { groupNotPlaced, notPlacedLines } from '../output/not-placed.ts';
import { countPlacements } from '../output/placements.ts';
import { inlineLess } from '../terminal/compile-soon.ts';
import { Interruption } from '../terminal/interruption.ts';
import { withProgress } from '../terminal/progress.ts';
import { readFiles } from '../terminal/read-files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { visible } from '../text/visible.ts';
import { ignoredGroups, schedulesGroups } from './groups-of-input.ts';
import { EXIT_INTERRUPTED } from './outcome.ts';
import { formatSchedule, type ScheduleOutputFlags, type ScheduleRun } from './schedule-output.ts';

/** The flags of `berth schedule`. */
export interface ScheduleFlags extends SchedulerFlags, EngineFlags, ProfilingFlags, InputFlags, ScheduleOutputFlags {
  readonly engine: EngineName;
  readonly explain?: string;
  readonly quiet?: true;
}

/** The exit code when some pods did not fit: this is not an error, but not the wanted result either. */
const EXIT_NOT_PLACED = 2;
const PODS_PER_PROGRESS = 256;

/** Places the pending pods and prints where, and returns the exit code. */
export async function schedule(flags: ScheduleFlags, terminal: Terminal): Promise<number> {
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
      // Pods of groups go through a store and a queue, for which others need not wait.
      const { placeGroups } = await import('./place-groups.ts');
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
