import type { Pod } from '../api/pod.ts';
import { schedulerNames } from '../config/scheduler-names.ts';
import type { Tracer } from '../framework/tracing/tracer.ts';
import type { Clock } from '../lib/clock.ts';
import { CodedError } from '../lib/errors.ts';
import type { ClusterObjects } from '../manifests/cluster-objects.ts';
import { loadCluster } from '../manifests/load-cluster.ts';
import { type PodSelection, selectPods } from '../manifests/pod-selection.ts';
import type { MemoryMeter } from './memory-meter.ts';
import { type PlaceAll, placeAllOf } from './place-all.ts';
import type { EngineName, SchedulerOptions, Subject, SubjectFactory } from './subject.ts';

/** One variant of the scheduler on one cluster. */
export interface BenchCase {
  readonly suite: string;
  readonly kind: string;
  readonly cluster: ClusterObjects;
  readonly engine: EngineName;
  /** Of the scheduler; the engine apart. */
  readonly options: Omit<SchedulerOptions, 'engine'>;
}

/** What watches the schedulers of a case. Where single pods are timed, or memory is weighed, nothing does. */
export interface BenchTracers {
  readonly warmUp: Tracer | null;
  /** Counted from 0. */
  ofRun(run: number): Tracer | null;
}

export interface BenchContext {
  readonly createSubject: SubjectFactory;
  readonly clock: Clock;
  readonly memory: MemoryMeter;
  /** How often the warm-up is repeated at most. A clock that stands still does not end it. */
  readonly warmUpRounds: number;
  /** Called after each part of the work; there are `stepCount(repeat)` of them. */
  readonly onStep?: () => void;
  /** Default: none. */
  readonly tracers?: BenchTracers;
}

/** WASM and JavaScript are compiled in steps; the last one is reached after some thousand pods. */
export const WARM_UP_ROUNDS = 8;

/** A case with its pods told apart and its scheduler ready to be made. */
export interface PreparedCase {
  readonly benchCase: BenchCase;
  readonly selection: PodSelection;
  readonly pending: readonly Pod[];
  readonly placeAll: PlaceAll;
  /** Pods may evict others, so placing one need not add one. */
  readonly isPreempting: boolean;
  createSubject(tracer?: Tracer | null): Subject;
}

/** Throws `NothingToSchedule`. */
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
    createSubject: (tracer = null) => createSubject({ ...options, engine, tracer }),
  };
}

/** A scheduler that knows the whole cluster but for the pods that it is to place. */
export function loadedSubject(
  { benchCase, selection, createSubject }: PreparedCase,
  tracer: Tracer | null = null,
): Subject {
  const subject = createSubject(tracer);
  loadCluster(subject, benchCase.cluster, selection);
  return subject;
}
