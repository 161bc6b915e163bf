import type { EngineName } from '../../engine/cycle/engine.ts';
import type { InputFlags } from './input-flags.ts';
import type { EngineFlags } from './options.ts';
import type { SchedulerFlags } from './scheduler-flags.ts';

/** The flags of `berth what-if`. */
export interface WhatIfFlags extends SchedulerFlags, EngineFlags, InputFlags {
  readonly engine: EngineName;
  readonly lose?: readonly string[];
  readonly drain?: string;
  readonly scale?: string;
  readonly removeNodes?: true;
  readonly addNodes?: true;
  readonly shape?: readonly string[];
  readonly fit?: string;
  readonly fromConfig?: string;
  readonly for?: number;
  readonly namespace: string;
  readonly replaceBare?: true;
  readonly output: 'table' | 'wide' | 'json';
  readonly report?: string;
  readonly headers: boolean;
  readonly quiet?: true;
}

/** Whether anything is asked beside another configuration. */
export function isAsked({ lose, drain, scale, removeNodes, addNodes, fit }: WhatIfFlags): boolean {
  return [lose, drain, scale, removeNodes, addNodes, fit].some((flag) => flag !== undefined);
}

/** Whether it is asked what another configuration changes, and nothing else. */
export function isOnlyConfig(flags: WhatIfFlags): boolean {
  return flags.config !== undefined && !isAsked(flags);
}
