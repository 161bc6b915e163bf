import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import type { BatchResult } from '../../core/batch-result.ts';
import type { EngineName, TieBreak } from '../../core/engine/engine.ts';
import type { ScheduleResult } from '../../core/result.ts';
import type { SchedulerOptions } from '../../core/scheduler.ts';

export type { EngineName, SchedulerOptions, TieBreak };

/** What a benchmark needs of a scheduler; tests measure a fake. */
export interface Subject {
  addNode(node: Node): void;
  addPod(pod: Pod): void;
  schedule(pod: Pod): ScheduleResult;
  scheduleBatch(pods: readonly Pod[]): Pick<BatchResult, 'length' | 'nodeName' | 'scheduledCount'>;
}

export type SubjectFactory = (options: SchedulerOptions) => Subject;
