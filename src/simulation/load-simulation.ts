import type { CronJob } from '../api/cron-job.ts';
import type { Node } from '../api/node.ts';
import { allocatable } from '../api/resources.ts';
import type { SchedulerConfiguration } from '../config/configuration.ts';
import type { FeatureGates } from '../config/feature-gates.ts';
import type { TieBreak } from '../framework/tie-break.ts';
import { CodedError } from '../lib/errors.ts';
import { parseDuration } from '../lib/go-duration.ts';
import { toFloat64 } from '../lib/int64.ts';
import { type FileSource, shownName } from '../manifests/file-source.ts';
import type { ShardingOptions } from '../scheduler/shards/scheduler-shards.ts';
import { checkFaultTargets, PossibleNodes } from './faults/check-targets.ts';
import { lastBeginMillis, readFaults } from './faults/fault-file.ts';
import { lossesOf } from './faults/lost-nodes.ts';
import { readCsv } from './input/csv-table.ts';
import { durationMillis } from './input/settings-file.ts';
import { shapedDevices, shapedNodes } from './node-shape.ts';
import type { SimulationInput } from './simulation.ts';
import type { ClusterTrace } from './trace/cluster-trace.ts';
import { readTrace } from './trace/read-trace.ts';
import type { PodAttempts } from './trace/trace-player.ts';
import { alibabaBatchWorkload } from './workload/alibaba-batch.ts';
import type { ArrivalSource } from './workload/arrival.ts';
import { checkSubmitted } from './workload/check-submitted.ts';
import { lostPodsWarnings } from './workload/lost-pods.ts';
import { openbWorkload } from './workload/openb-workload.ts';
import { type PlannedChange, withFormerManifests } from './workload/planned-change.ts';
import { type ReadingOptions, readObjects } from './workload/read-objects.ts';
import type { NamedObject, SubmittedObject } from './workload/submitted-object.ts';
import type { ReadUserTrace } from './workload/user-trace.ts';
import type { ReadChanges } from './workload/workload-changes.ts';
import { readWorkload } from './workload/workload-file.ts';

/** The request for a simulation, as plain data: file names and numbers. A recording begins with it. */
export interface SimulationRequest {
  readonly manifests: readonly string[];
  /** False: no controller makes pods for workloads; absent: their controllers do. */
  readonly expand?: boolean | undefined;
  /** The number of synthetic nodes. */
  readonly nodes?: number | undefined;
  readonly shapes?: readonly string[] | undefined;
  readonly workload?: string | undefined;
  /** The node list and the pod list of the openb trace. */
  readonly openb?: readonly [nodes: string, pods: string] | undefined;
  /** The file `batch_task.csv`. */
  readonly alibaba?: string | undefined;
  /** A recording of a real cluster, or an audit log of its API server, which is played; or what its users did. */
  readonly trace?: string | undefined;
  /** When pods of the trace are tried; absent: as recorded, unless a configuration or several schedulers are given. */
  readonly attempts?: PodAttempts | undefined;
  readonly faults?: string | undefined;
  /** Nodes that crash for good: names with commas between, or a selector such as `zone=b`. */
  readonly lose?: readonly string[] | undefined;
  /** The file of a KubeSchedulerConfiguration. */
  readonly config?: string | undefined;
  readonly tieBreak?: TieBreak | undefined;
  readonly percentageOfNodesToScore?: number | undefined;
  /** How many schedulers there are, and how they share the cluster; absent: one whose decisions take no time. */
  readonly schedulers?: SchedulersRequest | undefined;
  readonly featureGates?: Partial<FeatureGates> | undefined;
  readonly seed: number;
  /** A duration; absent: until nothing happens any more. */
  readonly until?: string | undefined;
}

/** Several schedulers; their times are durations such as 500us. */
export interface SchedulersRequest {
  readonly count: number;
  readonly shard: 'nodes' | 'pods';
  readonly decisionTime: string;
  readonly decisionTimePerNode: string;
  readonly commitTime: string;
}

/** How the files of a simulation are read. */
export interface SimulationFiles {
  readonly files: FileSource;
  /** @throws CodedError */
  readonly readConfiguration: (name: string, files: FileSource) => Promise<SchedulerConfiguration>;
  /** How manifests are read. */
  readonly reading?: ReadingOptions | undefined;
  /** Reads traces of users, which the library has no package for; absent: there are none. @internal */
  readonly readUserTrace?: ReadUserTrace | undefined;
  /** Refuses what controllers would make too many pods of: the objects of the beginning, and later ones. @internal */
  readonly checkObjects?: ((objects: readonly NamedObject[], later: readonly NamedObject[]) => void) | undefined;
  /** Whether threads help the scheduler, so that one may die; absent: that is not checked. */
  readonly hasThreads?: boolean | undefined;
}

/** A simulation that was put together from files. */
export interface LoadedSimulation {
  readonly input: SimulationInput;
  /** Things that the owner of the input should know, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Reads and checks everything that a simulation depends on.
 *
 * @throws CodedError with the first problem: file, object or line, field and reason
 */
export async function loadSimulation(request: SimulationRequest, input: SimulationFiles): Promise<LoadedSimulation> {
  const { files, readConfiguration, reading, hasThreads } = input;
  const { seed, until, expand: expands = true } = request;
  const manifests = await readObjects(request.manifests, files, { ...reading, expands });
  const objects: NamedObject[] = [...manifests.objects];
  const addNodes = (nodes: readonly Node[], place: string): void => {
    for (const node of nodes) objects.push({ submitted: { resource: 'nodes', object: node }, place });
  };
  addNodes(shapedNodes(request.nodes ?? 0, request.shapes ?? []), '--nodes');
  objects.push(...publishedDevices(request, objects));
  const sources: ArrivalSource[] = [];
  const templates: NamedObject[] = [];
  const changes: PlannedChange[] = [];
  const warnings = [...manifests.warnings];
  if (request.openb !== undefined) {
    const [nodeFile, podFile] = request.openb;
    const { nodes, source } = openbWorkload(await readCsv(nodeFile, files), await readCsv(podFile, files));
    addNodes(nodes, nodeFile);
    sources.push(source);
  }
  if (request.workload !== undefined) {
    const workload = await readWorkload(request.workload, files, reading);
    sources.push(...workload.sources);
    templates.push(...workload.templates);
    changes.push(...workload.changes);
    warnings.push(...workload.warnings);
  }
  if (request.alibaba !== undefined) {
    const largest = largestMemoryBytes(objects);
    if (largest === 0) throw new CodedError('NoNodes', `${request.alibaba}: plan_mem needs nodes (add --nodes)`);
    sources.push(alibabaBatchWorkload(await readCsv(request.alibaba, files), largest));
  }
  const { trace, ...played } = await openTrace(request, input, objects);
  changes.push(...played.changes);
  warnings.push(...played.warnings);
  const named = request.faults === undefined ? [] : await readFaults(request.faults, files);
  const losses = lossesOf(request.lose ?? [], new PossibleNodes({ objects, templates, changes }));
  const faults = [...named, ...losses.map(({ fault }) => fault)];
  const untilMillis = until === undefined ? undefined : durationMillis(until);
  const placeOf = (i: number): string =>
    i < named.length ? `${shownName(request.faults ?? '')}: faults[${i}]` : (losses[i - named.length]?.place ?? '');
  warnings.push(...checkFaultTargets(faults, { objects, templates, changes, hasThreads, untilMillis, placeOf }));
  warnings.push(...lostPodsWarnings(objects, templates, reading?.isStrict === true));
  const isEndless = [
    ...sources.map(({ endMillis }) => endMillis),
    ...faults.map((fault) => lastBeginMillis(fault)),
  ].includes(Number.POSITIVE_INFINITY);
  if (isEndless && untilMillis === undefined) {
    throw new CodedError('Endless', 'arrivals or faults never end (until, count): --until must say when to stop');
  }
  const planned = withFormerManifests(changes, [...objects, ...templates]);
  const submitted = checkSubmitted(objects, templates, planned);
  const later = [...templates, ...planned.map(({ place, ...change }) => ({ submitted: change, place }))];
  if (expands) input.checkObjects?.(objects, later);
  const cron = [...objects, ...later].find(({ submitted }) => isEndlessCron(submitted));
  if (cron !== undefined && expands && untilMillis === undefined) {
    throw new CodedError('Endless', `${cron.place}: makes Jobs for ever: --until must say when to stop`);
  }
  const configuration = request.config === undefined ? undefined : await readConfiguration(request.config, files);
  const scheduler = { configuration, ...schedulerOf(request) };
  const play = { trace, attempts: attemptsOf(request) };
  return {
    input: {
      ...{ seed, objects: submitted, sources, changes: planned, faults, scheduler, untilMillis, expands, ...play },
      ...(request.schedulers !== undefined && { sharding: shardingOf(request.schedulers) }),
    },
    warnings,
  };
}

function schedulerOf({ tieBreak, percentageOfNodesToScore, featureGates }: SimulationRequest) {
  return { tieBreak, percentageOfNodesToScore, featureGates };
}

/** Another configuration makes other pods wait, so that the recorded attempts would not be its own. */
function attemptsOf({ attempts, config, schedulers }: SimulationRequest): PodAttempts {
  return attempts ?? (config === undefined && schedulers === undefined ? 'recorded' : 'queue');
}

function shardingOf({ count, shard, ...times }: SchedulersRequest): ShardingOptions {
  const millis = (text: string): number => Number(parseDuration(text)) / NANOS_PER_MILLI;
  return {
    ...{ count, by: shard, decisionMillis: millis(times.decisionTime), commitMillis: millis(times.commitTime) },
    decisionMillisPerNode: millis(times.decisionTimePerNode),
  };
}

const NANOS_PER_MILLI = 1e6;

/** What the drivers of synthetic nodes publish. A class that the user brings takes precedence over theirs. */
function publishedDevices(
  { nodes = 0, shapes = [] }: SimulationRequest,
  objects: readonly NamedObject[],
): readonly NamedObject[] {
  const { slices, classes } = shapedDevices(nodes, shapes);
  const own = new Set(
    objects.map(({ submitted: { resource, object } }) => resource === 'deviceclasses' && object.metadata?.name),
  );
  const missing = classes.filter(({ metadata }) => !own.has(metadata?.name ?? ''));
  const published: readonly SubmittedObject[] = [
    ...missing.map((object) => ({ resource: 'deviceclasses' as const, object })),
    ...slices.map((object) => ({ resource: 'resourceslices' as const, object })),
  ];
  return published.map((submitted) => ({ submitted, place: '--shape' }));
}

function isEndlessCron({ resource, object }: SubmittedObject): boolean {
  return resource === 'cronjobs' && (object as CronJob).spec?.suspend !== true;
}

const TRACE_MAX_BYTES = 2 ** 31 - 1;

interface OpenTrace extends ReadChanges {
  /** Absent: there is none, or it is one of users. */
  readonly trace?: ClusterTrace;
}

async function openTrace(
  request: SimulationRequest,
  { files, readUserTrace, reading = {} }: SimulationFiles,
  objects: readonly NamedObject[],
): Promise<OpenTrace> {
  const { trace: name, attempts, expand: expands = true } = request;
  if (name === undefined) return { changes: [], warnings: [] };
  const file = shownName(name);
  const bytes = await files.read(name, TRACE_MAX_BYTES);
  const users = await readUserTrace?.(bytes, file, { objects, reading: { ...reading, expands } });
  if (users !== undefined) {
    if (attempts === undefined) return users;
    throw new CodedError('Usage', `${file}: says nothing of attempts: --attempts has no effect`);
  }
  const rival = rivalOf(request);
  if (rival !== undefined) {
    throw new CodedError('Usage', `${file}: has all that happened in a cluster: ${rival} cannot be used with it`);
  }
  const trace = await readTrace(
    (async function* () {
      yield bytes;
    })(),
    file,
  );
  return { trace, changes: [], warnings: trace.warnings };
}

/** The first flag for what a recording of a whole cluster has itself. */
function rivalOf({ manifests, nodes, workload, openb, alibaba, faults, lose, until }: SimulationRequest) {
  const given = { '--nodes': nodes, '--workload': workload, '--openb': openb, '--alibaba': alibaba };
  const flags = { '-f': manifests[0], ...given, '--faults': faults, '--lose': lose, '--until': until };
  return Object.entries(flags).find(([, value]) => value !== undefined)?.[0];
}

function largestMemoryBytes(objects: readonly NamedObject[]): number {
  let largest = 0;
  for (const { submitted } of objects) {
    if (submitted.resource !== 'nodes') continue;
    const { resources } = allocatable((submitted.object as Node).status?.allocatable);
    largest = Math.max(largest, toFloat64(resources.memoryBytes));
  }
  return largest;
}
