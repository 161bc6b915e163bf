import type { CycleState } from './cycle-state.ts';
import type { Plugin } from './plugin.ts';
import type { PodInfo } from './pod-info.ts';
import type { Status } from './status.ts';

/**
 * The extension points behind a decision (upstream's framework/interface.go): from the chosen node to the bound pod.
 * null is Success everywhere.
 */

/** A value now, or later: then a function that is given who waits for it, to be called once. */
export type Eventually<T> = T | ((done: (value: T) => void) => void);

/** The pod waits for approval, for so long at most. */
export interface PermitWait extends Status {
  readonly code: 'Wait';
  readonly timeoutMillis: number;
}

/** Approves a pod that is about to be bound, rejects it, or lets it wait. */
export interface PermitPlugin extends Plugin {
  permit(state: CycleState, pod: PodInfo, nodeName: string): Status | PermitWait | null;
}

/** Does what must be done before the pod is bound, such as attaching its volumes. */
export interface PreBindPlugin extends Plugin {
  /** Whether there can be anything to do for such a pod; absent: for any. */
  preBinds?(pod: PodInfo): boolean;
  /**
   * Whether there is anything to do: null, or a Skip status, after which `preBind` is not called. No other code is
   * allowed. Absent: always.
   */
  preBindPreFlight?(state: CycleState, pod: PodInfo, nodeName: string): Status | null;
  preBind(state: CycleState, pod: PodInfo, nodeName: string): Eventually<Status | null>;
}

/** Binds the pod. A Skip status leaves it to the next plugin. */
export interface BindPlugin extends Plugin {
  bind(state: CycleState, pod: PodInfo, nodeName: string): Eventually<Status | null>;
}

/** Is told of a pod that was bound. */
export interface PostBindPlugin extends Plugin {
  postBind(state: CycleState, pod: PodInfo, nodeName: string): void;
}

export function isPermit(plugin: Plugin): plugin is PermitPlugin {
  return 'permit' in plugin;
}

export function isPreBind(plugin: Plugin): plugin is PreBindPlugin {
  return 'preBind' in plugin;
}

export function isBind(plugin: Plugin): plugin is BindPlugin {
  return 'bind' in plugin;
}

export function isPostBind(plugin: Plugin): plugin is PostBindPlugin {
  return 'postBind' in plugin;
}
