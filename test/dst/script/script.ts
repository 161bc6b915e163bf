import type { KubernetesObject } from '../../../src/api/meta.ts';
import type { Taint } from '../../../src/api/node.ts';
import type { PlannedFault } from '../../../src/simulation/faults/fault-file.ts';
import type { Resource } from '../../../src/store/objects/resources.ts';

/** What users and operators of the cluster do, or what happens to it: data, so that it can be shown and cut short. */
export type Act =
  | { readonly do: 'submit'; readonly resource: Resource; readonly object: KubernetesObject }
  | { readonly do: 'patch'; readonly resource: Resource; readonly name: string; readonly body: object }
  | {
      readonly do: 'delete';
      readonly resource: Resource;
      readonly name: string;
      readonly gracePeriodSeconds?: number;
      readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
    }
  | { readonly do: 'taint' | 'untaint'; readonly name: string; readonly taint: Taint }
  | { readonly do: 'fault'; readonly fault: PlannedFault; readonly forSeconds: number };

export interface ScriptEvent {
  /** The time since the cluster began. */
  readonly atMillis: number;
  readonly act: Act;
}

/** A run: everything that is not decided by the cluster itself. */
export interface Script {
  readonly seed: number;
  /** The steps in the order of time. */
  readonly events: readonly ScriptEvent[];
  /** Whether a plugin of ours delays and rejects pods behind the decision; then no pod is plain. */
  readonly hasErrands: boolean;
  /** Whether there are groups of pods, whose gates are on. */
  readonly hasGroups: boolean;
}

/** Describes the event in a line for people. */
export function textOf({ atMillis, act }: ScriptEvent): string {
  const seconds = (atMillis / 1000).toFixed(3);
  if (act.do !== 'fault') return `${seconds} s: ${JSON.stringify(act)}`;
  const { kind, settings } = act.fault;
  const length = act.forSeconds > 0 ? ` for ${act.forSeconds} s` : '';
  return `${seconds} s: fault ${kind}${length} ${JSON.stringify(settings)}`;
}
