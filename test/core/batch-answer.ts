import type { BatchResult } from '../../src/core/batch-result.ts';
import type { ScheduleResult } from '../../src/index.ts';

/** Everything that can be read from the result of a batch. */
export interface BatchAnswer {
  readonly results: readonly ScheduleResult[];
  readonly iterated: readonly ScheduleResult[];
  readonly nodeNames: readonly (string | null)[];
  readonly scores: readonly number[];
  readonly feasibleNodes: readonly number[];
  readonly scheduledCount: number;
}

export function batchAnswerOf(batch: BatchResult): BatchAnswer {
  const all = <T>(read: (i: number) => T): T[] => Array.from({ length: batch.length }, (_, i) => read(i));
  return {
    results: all((i) => batch.at(i)),
    iterated: [...batch],
    nodeNames: all((i) => batch.nodeName(i)),
    scores: [...batch.scores],
    feasibleNodes: [...batch.feasibleNodes],
    scheduledCount: batch.scheduledCount,
  };
}

/** The expected results of a batch for these results of single decisions. A batch does not count ties. */
export function expectedBatchAnswer(alone: readonly ScheduleResult[]): BatchAnswer {
  const results = alone.map((result) => {
    if (result.status !== 'scheduled') return result;
    const { ties: _, ...rest } = result;
    return rest;
  });
  return {
    results,
    iterated: results,
    nodeNames: alone.map((result) => (result.status === 'scheduled' ? result.node : null)),
    scores: alone.map((result) => (result.status === 'scheduled' ? (result.score ?? -1) : -1)),
    feasibleNodes: alone.map((result) => (result.status === 'scheduled' ? result.feasibleNodes : -1)),
    scheduledCount: alone.filter(({ status }) => status === 'scheduled').length,
  };
}
