import { assert } from '../lib/assert.ts';
import { percentile } from '../lib/percentile.ts';
import {
  type BenchCase,
  type BenchContext,
  loadedSubject,
  type PreparedCase,
  prepareCase,
  wholeGroupCount,
} from './bench-case.ts';
import { hashDecisions } from './decision-hash.ts';
import { peakRssBytes } from './machine.ts';
import { percentageOfNodesScored } from './nodes-scored.ts';
import { POD_LADDER } from './pod-ladder.ts';
import { type Rehearsal, rehearse } from './rehearse.ts';
import type { BenchResult } from './result.ts';
import { weigh } from './weigh.ts';

/** How long pods are placed to measure memory, after the first ones. */
const WEIGH_SECONDS = 0.5;

/** A result, and the hashes of the first decisions, by the rungs of the pod ladder. */
export interface CaseRun {
  readonly result: BenchResult;
  readonly prefixes: ReadonlyMap<number, string>;
}

export interface Repetitions {
  /** How many of the case's pods are placed. */
  readonly podCount: number;
  /** The number of repetitions, each on a fresh scheduler; the median counts. */
  readonly repeat: number;
}

/** The steps of a case: warm-up, single pods, the batches, and measuring memory. */
export function stepCount(repeat: number): number {
  return 3 + repeat;
}

/** Measures one variant on one cluster, with all its pods, or the first `podCount`. */
export function runCase(
  benchCase: BenchCase,
  { repeat, podCount }: { readonly repeat: number; readonly podCount?: number | undefined },
  context: BenchContext,
): CaseRun {
  const prepared = prepareCase(benchCase, context);
  const rehearsal = rehearse(prepared, context);
  return repeatCase(prepared, rehearsal, { podCount: podCount ?? prepared.pending.length, repeat }, context);
}

export function repeatCase(
  prepared: PreparedCase,
  { latencyMicros, firstPods, podsPerSecond }: Rehearsal,
  { podCount: wanted, repeat }: Repetitions,
  { clock, memory, collectYoungGarbage, onStep, tracers }: BenchContext,
): CaseRun {
  assert(repeat >= 1, 'a case runs at least once');
  const { suite, kind, cluster, engine, options } = prepared.benchCase;
  const podCount = wholeGroupCount(prepared.pending, wanted);
  const pods = prepared.pending.slice(0, podCount);
  const secondsOfRuns: number[] = [];
  const rungs = new Set(POD_LADDER.map((rung) => wholeGroupCount(prepared.pending, rung)));
  let first = { scheduled: 0, preemptions: 0, hash: '', prefixes: new Map() as ReadonlyMap<number, string> };
  for (let run = 0; run < repeat; run++) {
    const subject = loadedSubject(prepared, tracers?.ofRun(run));
    collectYoungGarbage?.();
    const start = clock.nowMillis();
    const { decisions, ...counts } = prepared.placeAll(subject, pods);
    secondsOfRuns.push((clock.nowMillis() - start) / 1000);
    subject[Symbol.dispose]?.();
    const hashes = hashDecisions(decisions(), run === 0 ? rungs : new Set());
    assert(run === 0 || hashes.hash === first.hash, 'every repetition decides the same');
    if (run === 0) first = { ...counts, ...hashes };
    onStep?.();
  }

  const bytes = weigh(prepared, firstPods.count + Math.ceil(podsPerSecond * WEIGH_SECONDS), memory);
  onStep?.();
  const { scheduled, preemptions, hash, prefixes } = first;
  const seconds = percentile(
    secondsOfRuns.toSorted((a, b) => a - b),
    50,
  );
  const perSecond = (count: number): number => (seconds > 0 ? count / seconds : 0);
  const result: BenchResult = {
    suite,
    kind,
    engine,
    index: engine !== 'reference' && (options.index ?? true),
    workers: options.workers ?? 1,
    nodes: cluster.nodes.length,
    pods: podCount,
    scheduled,
    preemptions,
    seconds,
    secondsOfRuns,
    podsPerSecond: perSecond(kind === 'preemption' ? preemptions : podCount),
    latencyMicros,
    nodeEvaluationsPerSecond: perSecond(podCount) * cluster.nodes.length,
    percentageOfNodesScored: percentageOfNodesScored(options, pods, cluster.nodes.length),
    ...bytes,
    peakRssBytes: peakRssBytes(),
    decisionHash: hash,
  };
  return { result, prefixes };
}
