import { podKey } from '../../api/object-name.ts';
import type { Pod } from '../../api/pod.ts';
import { schedulerNames } from '../../config/scheduler-names.ts';
import { PodPlacer } from '../../core/place-pods.ts';
import { Scheduler } from '../../core/scheduler.ts';
import type { SchedulerOptions } from '../../core/scheduler-options.ts';
import type { EngineName } from '../../engine/cycle/engine.ts';
import { CodedError } from '../../lib/errors.ts';
import type { ClusterManifest } from '../../manifests/cluster-manifest.ts';
import { loadCluster } from '../../manifests/load-cluster.ts';
import { type PodSelection, selectPods } from '../../manifests/pod-selection.ts';
import { findRemedies } from '../../what-if/remedies/find-remedies.ts';
import { podTrial } from '../../what-if/remedies/remedy-trial.ts';
import { replacementOf } from '../../what-if/replacement.ts';
import { expansionFor } from '../flags/expansion.ts';
import { type InputFlags, inputFiles } from '../flags/input-flags.ts';
import type { EngineFlags } from '../flags/options.ts';
import { refuseExtenders, type SchedulerFlags, schedulerOptions } from '../flags/scheduler-flags.ts';
import { type ExplainedPod, formatExplainedPod } from '../output/explained-pod.ts';
import { explainPage } from '../pages/explain-page.ts';
import { inputFacts, originFacts } from '../pages/origin-facts.ts';
import { Interruption } from '../terminal/interruption.ts';
import { reportFile } from '../terminal/page-program.ts';
import type { Provenance } from '../terminal/provenance.ts';
import { readFiles } from '../terminal/read-files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { explainedInGroup } from './explain-group.ts';
import { recordedCluster } from './recorded-cluster.ts';

/** The flags of `berth explain`. */
export interface ExplainFlags extends SchedulerFlags, EngineFlags, InputFlags {
  readonly engine: EngineName;
  readonly namespace?: string;
  readonly replay?: string;
  readonly at?: number;
  readonly nodes?: true;
  readonly remedies: boolean;
  readonly output: 'table' | 'json' | 'html';
  readonly quiet?: true;
}

/** The flags, and where the result comes from. */
interface ExplainRun extends ExplainFlags {
  readonly origin: Provenance;
}

/** The pod fits nowhere: this is not an error, but not the wanted result either. */
const EXIT_NOT_PLACED = 2;

/** Explains one pod, and returns the exit code. */
export async function explain(name: string, flags: ExplainRun, given: Terminal): Promise<number> {
  const terminal = flags.quiet ? { ...given, log: () => {} } : given;
  const interruption = new Interruption(terminal);
  const pause = async () => {
    if (await interruption.pause()) interruption.check();
  };
  const { cluster, options } = await clusterOf(flags, terminal, interruption);
  const selection = selectPods(cluster.pods, schedulerNames(options.configuration));
  const pod = findPod(name, flags.namespace, cluster.pods, selection);
  const inGroup = await explainedInGroup(options, cluster, selection, pod, flags.remedies ? pause : null);
  if (inGroup !== null) {
    interruption.release();
    await terminal.print(formatted(inGroup, flags, terminal.columns));
    return inGroup.node === null && inGroup.group?.hasPlace !== true ? EXIT_NOT_PLACED : 0;
  }
  const scheduler = new Scheduler(options);
  loadCluster(scheduler, cluster, selection);
  const placer = new PodPlacer(scheduler, selection);
  for (const each of selection.pending) {
    if (each === pod) break;
    await pause();
    placer.place(each);
  }
  const node = pod.spec?.nodeName || null;
  const { namespace = 'default', name: own = '' } = pod.metadata ?? {};
  if (scheduler.has('Pod', own, namespace)) scheduler.removePod(namespace, own);
  const asked = node === null ? pod : replacementOf(pod);
  const explanation = scheduler.explain(asked);
  const isPlaced = explanation.status === 'scheduled';
  const remedies = isPlaced || !flags.remedies ? null : await findRemedies(podTrial(scheduler.fork(), asked), pause);
  scheduler.close();
  interruption.release();
  await terminal.print(formatted({ pod: podKey(pod), node, explanation, remedies }, flags, terminal.columns));
  return isPlaced ? 0 : EXIT_NOT_PLACED;
}

function formatted(explained: ExplainedPod, flags: ExplainRun, width: number | undefined): string {
  const { output, nodes, origin, seed } = flags;
  if (output === 'html') {
    const facts = [...originFacts(origin), ...inputFacts(flags), ['Seed', String(seed)] as const];
    return reportFile(explainPage(explained, facts));
  }
  if (output === 'table') return formatExplainedPod(explained, { hasAllNodes: nodes === true, width });
  const { explanation, ...about } = explained;
  return `${JSON.stringify({ ...about, ...explanation }, null, 2)}\n`;
}

interface Given {
  readonly cluster: ClusterManifest;
  readonly options: SchedulerOptions;
}

async function clusterOf(flags: ExplainFlags, terminal: Terminal, interruption: Interruption): Promise<Given> {
  const { engine, index = true, workers = 1, strict: isStrict, validate, expand: expands, replay, at } = flags;
  const options = { ...(await schedulerOptions(flags, terminal)), engine, index, workers };
  refuseExtenders(options.configuration);
  if (replay !== undefined) {
    if (at === undefined) throw new CodedError('Usage', '--replay needs --at, the time in the recording, such as 10m');
    const { cluster, scheduler } = await recordedCluster(replay, at, terminal);
    const { configuration, tieBreak, percentageOfNodesToScore, featureGates } = scheduler;
    const recorded = {
      ...(configuration !== undefined && { configuration }),
      ...(tieBreak !== undefined && { tieBreak }),
      ...(percentageOfNodesToScore !== undefined && { percentageOfNodesToScore }),
      ...(featureGates !== undefined && { featureGates }),
    };
    return { cluster, options: { ...options, ...recorded } };
  }
  const reading = { isStrict, validate, expand: expands ? expansionFor(options) : undefined };
  const cluster = await readFiles(await inputFiles(flags, terminal), terminal, interruption, reading);
  return { cluster, options };
}

/** The pod of this name. @throws CodedError `NotFound`, `AmbiguousName` or `NotPending` */
function findPod(name: string, namespace: string | undefined, pods: readonly Pod[], selection: PodSelection): Pod {
  const wanted = namespace === undefined || name.includes('/') ? name : `${namespace}/${name}`;
  const matches = pods.filter((pod) => podKey(pod) === wanted || pod.metadata?.name === wanted);
  const [pod, second] = matches;
  if (pod === undefined) throw new CodedError('NotFound', `there is no pod ${wanted} in the input`);
  if (second !== undefined) {
    const names = matches.slice(0, 3).map(podKey).join(', ');
    throw new CodedError('AmbiguousName', `several pods are called ${wanted} (${names}): use namespace/name`);
  }
  if (selection.bound.includes(pod) || selection.pending.includes(pod)) return pod;
  throw new CodedError(
    'NotPending',
    `pod ${podKey(pod)} is not to be scheduled: it has ended, is being deleted, or names another scheduler`,
  );
}
