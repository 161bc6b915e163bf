import type { Scheduler } from '../../src/index.ts';
import { RealClock } from '../../src/lib/clock.ts';
import { unlikeNodes, unlikePods } from './unlike-pods.ts';

/** How fast pods of one kind are decided of which no two are alike. */
export interface UnlikeRate {
  readonly placed: number;
  /** Microseconds a pod of the first round, in which the code is not compiled yet. */
  readonly coldMicros: number;
  /** Microseconds a pod of the fastest round. */
  readonly micros: number;
  /** The node of each pod; an empty text for a pod that fits nowhere. */
  readonly nodes: readonly string[];
}

export interface UnlikeOptions {
  readonly nodes: number;
  readonly pods: number;
  readonly rounds: number;
  newScheduler(): Scheduler;
}

const CLOCK = new RealClock();

/** Places all pods in one batch, each round on a fresh scheduler with the nodes loaded before, of pods made anew. */
export function placeUnlike(kind: string, { nodes, pods, rounds, newScheduler }: UnlikeOptions): UnlikeRate {
  const millis: number[] = [];
  let found: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const scheduler = newScheduler();
    for (const node of unlikeNodes(nodes)) scheduler.addNode(node);
    const batch = unlikePods(kind, pods);
    const start = CLOCK.nowMillis();
    const results = scheduler.scheduleBatch(batch);
    millis.push(CLOCK.nowMillis() - start);
    found = batch.map((_, i) => {
      const result = results.at(i);
      return result?.status === 'scheduled' ? result.node : '';
    });
  }
  const microsOf = (each: number): number => (each * 1000) / pods;
  return {
    placed: found.filter((node) => node !== '').length,
    coldMicros: microsOf(millis[0] ?? 0),
    micros: microsOf(Math.min(...millis)),
    nodes: found,
  };
}
