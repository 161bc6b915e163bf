import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import type { ObjectKind, ObjectKinds } from '../../../src/index.ts';

/** What an attempt came to; `feasible` counts the nodes that were found before scoring. */
export type Answer =
  | { readonly node: string; readonly feasible: number }
  | { readonly unschedulable: string }
  | { readonly gated: string }
  | { readonly error: string }
  /** The pod is on a node already: nothing is asked. */
  | { readonly skipped: true };

export type ScriptEvent = ChangeEvent | ScheduleEvent;

export type ChangeEvent =
  | { readonly t: 'set'; readonly k: ObjectKind; readonly o: ObjectKinds[ObjectKind] }
  | { readonly t: 'unset'; readonly k: ObjectKind; readonly n: string; readonly ns?: string }
  | { readonly t: 'node' | 'nodeUpdate'; readonly o: Node }
  | { readonly t: 'nodeRemove'; readonly n: string }
  | { readonly t: 'pod' | 'podUpdate' | 'nominate'; readonly o: Pod }
  | { readonly t: 'podRemove'; readonly ns: string; readonly n: string };

export interface ScheduleEvent {
  readonly t: 'schedule';
  readonly o: Pod;
  readonly expect: Answer;
}

/** A cluster's life and the attempts in it, one after the other. */
export interface ScriptCase {
  readonly kind: 'script';
  readonly name: string;
  readonly seed: number;
  /** 0 adapts to the size of the cluster. */
  readonly percentageOfNodesToScore: number;
  /** Whether PostFilter runs. */
  readonly postFilter: boolean;
  readonly events: readonly ScriptEvent[];
}

export function isScriptCase(recorded: object): recorded is ScriptCase {
  return 'kind' in recorded && recorded.kind === 'script';
}
