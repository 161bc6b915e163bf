import type { Pod } from '../api/pod.ts';
import { podGroupKeyOf } from '../api/pod-group.ts';
import { schedulerNames } from '../config/scheduler-names.ts';
import type { Tracer } from '../framework/tracing/tracer.ts';
import type { Clock } from '../lib/clock.ts';
import { CodedError } from '../lib/errors.ts';
import type { ClusterManifest } from '../manifests/cluster-manifest.ts';
import { loadCluster } from '../manifests/load-cluster.ts';
import { type PodSelection, selectPods } from '../manifests/pod-selection.ts';
import type { MemoryMeter } from './memory-meter.ts';
import { type PlaceAll, placeAllOf } from './place-all.ts';
import type { EngineName, SchedulerOptions, Subject, SubjectFactory } from './subject.ts';

/** One variant of the scheduler on one cluster. */
export interface BenchCase {
  readonly suite: string;
  readonly kind: string;
  readonly cluster: ClusterManifest;
  readonly engine: EngineName;
  /** The options of the scheduler, except for the engine. */
  readonly options: Omit<SchedulerOptions, 'engine'>;
}

/** The tracers of a case. No tracer is active while single pods are timed, or memory is measured. */
export interface BenchTracers {
  readonly warmUp: Tracer | null;
  /** Returns the tracer of a run, counted from 0. */
  ofRun(run: number): Tracer | null;
}

export interface BenchContext {
  readonly createSubject: SubjectFactory;
  readonly clock: Clock;
  readonly memory: MemoryMeter;
  /** The most rounds of the warm-up, which ends even if the clock stands still. */
  readonly warmUpRounds: number;
  /** How long the warm-up lasts at most; absent: as long as compilers mostly take. */
  readonly warmUpSeconds?: number;
  /** What the warm-up is measured by: the time of all threads, those of compilers included; absent: `clock`. */
  readonly warmsUpBy?: Clock;
  /**
   * Makes old what is young and still used: nodes that were loaded just now, as they are in a scheduler that runs.
   * Absent: that is left to garbage collections while pods are placed.
   */
  readonly collectYoungGarbage?: (() => void) | undefined;
  /** Called after each part of the work; there are `stepCount(repeat)` parts. */
  readonly onStep?: () => void;
  /** The tracers; absent for none. */
  readonly tracers?: BenchTracers;
}

/** WASM and JavaScript are compiled in tiers; the last one is reached after some hundred rounds. */
export const WARM_UP_ROUNDS = 1000;

/** A case whose pods are classified, with a function that makes its scheduler. */
export interface PreparedCase {
  readonly benchCase: BenchCase;
  readonly selection: PodSelection;
  readonly pending: readonly Pod[];
  readonly placeAll: PlaceAll;
  /** Whether pods may evict others, so that placing one need not add one. */
  readonly isPreempting: boolean;
  createSubject(tracer?: Tracer | null): Subject;
}

/**
 * How many pods are placed when `count` are wanted: no group of pods is cut, since its pods have no place without the
 * others.
 */
export function wholeGroupCount(pods: readonly Pod[], count: number): number {
  const cuts = (at: number): boolean => {
    const key = podGroupKeyOf(pods[at - 1] as Pod);
    return key !== '' && at < pods.length && podGroupKeyOf(pods[at] as Pod) === key;
  };
  let whole = Math.min(count, pods.length);
  while (whole > 0 && cuts(whole)) whole--;
  if (whole === 0) for (whole = 1; whole < pods.length && cuts(whole); ) whole++;
  return whole;
}

/** Prepares a case. Throws `NothingToSchedule`. */
export function prepareCase(benchCase: BenchCase, { createSubject }: BenchContext): PreparedCase {
  const { kind, cluster, engine, options } = benchCase;
  const selection = selectPods(cluster.pods, schedulerNames(options.configuration));
  const { bound, pending } = selection;
  if (pending.length === 0) throw new CodedError('NothingToSchedule', `${kind}: there is no pending pod to schedule`);
  const placing = placeAllOf([...bound, ...pending]);
  return {
    benchCase,
    selection,
    pending,
    ...placing,
    createSubject: (tracer = null) => createSubject({ ...options, engine, tracer }, cluster),
  };
}

/** A scheduler with the whole cluster except for the pods that it is to place. */
export function loadedSubject(
  { benchCase, selection, createSubject }: PreparedCase,
  tracer: Tracer | null = null,
): Subject {
  const subject = createSubject(tracer);
  loadCluster(subject, benchCase.cluster, selection);
  return subject;
}
