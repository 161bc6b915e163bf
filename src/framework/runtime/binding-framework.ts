import type { CycleState } from '../cycle-state.ts';
import type { NodeInfo } from '../node-info.ts';
import {
  type BindPlugin,
  type Eventually,
  type PermitPlugin,
  type PermitWait,
  type Plugin,
  type PostBindPlugin,
  type PreBindPlugin,
  pluginsWith,
  type ReservePlugin,
} from '../plugin.ts';
import type { PodInfo } from '../pod-info.ts';
import { errorStatus, isRejection, type Status } from '../status.ts';
import type { FrameworkPlugins } from './framework-plugins.ts';
import { answerOf, checkedAnswer, textOf } from './plugin-answer.ts';

/** The longest time that a Permit plugin can hold a pod (upstream's maxTimeout). */
const MAX_TIMEOUT_MILLIS = 15 * 60_000;

/** The names of the plugins that hold the pod, with the time after which each rejects it. */
export type PermitWaits = ReadonlyMap<string, number>;

const NO_WAITS: PermitWaits = new Map();

/** The result of all Permit plugins. */
export interface PermitOutcome {
  /** The first rejection or error; null if there is none. */
  readonly rejected: Status | null;
  /** The plugins that hold the pod; empty if binding can begin. */
  readonly waits: PermitWaits;
  /** Why they hold it. */
  readonly waitReasons: readonly string[];
}

const NO_REASONS: readonly string[] = [];
const NOBODY_WILLING: readonly PreBindPlugin[] = [];
const ALLOWED: PermitOutcome = { rejected: null, waits: NO_WAITS, waitReasons: NO_REASONS };
/** Upstream adds it to the reasons of plugins that hold a pod. */
const SOMEBODY_WAITS = 'one or more plugins asked to wait and no plugin rejected pod';

/**
 * The plugins of a profile from the selected node to the bound pod, and the loops that call them (upstream's
 * frameworkImpl). A plugin that throws, or returns no valid status, fails the binding of this pod and nothing else.
 */
export class BindingFramework {
  readonly reservePlugins: readonly ReservePlugin[];
  readonly permitPlugins: readonly PermitPlugin[];
  readonly preBindPlugins: readonly PreBindPlugin[];
  readonly bindPlugins: readonly BindPlugin[];
  readonly postBindPlugins: readonly PostBindPlugin[];
  #lastWait: { readonly status: Status; readonly outcome: PermitOutcome } | null = null;

  constructor({ byPoint }: FrameworkPlugins) {
    this.reservePlugins = pluginsWith(byPoint.reserve, 'reserve');
    this.permitPlugins = pluginsWith(byPoint.permit, 'permit');
    this.preBindPlugins = pluginsWith(byPoint.preBind, 'preBind');
    this.bindPlugins = pluginsWith(byPoint.bind, 'bind');
    this.postBindPlugins = pluginsWith(byPoint.postBind, 'postBind');
  }

  /** Whether some plugin may reserve something for the pod. */
  reserves(pod: PodInfo): boolean {
    for (const plugin of this.reservePlugins) if (plugin.reserves?.(pod) ?? true) return true;
    return false;
  }

  /** Whether some plugin may have work to do before the pod is bound. */
  preBinds(pod: PodInfo): boolean {
    for (const plugin of this.preBindPlugins) if (plugin.preBinds?.(pod) ?? true) return true;
    return false;
  }

  /** Whether some plugin may have to permit that the pod is bound. */
  permits(pod: PodInfo): boolean {
    for (const plugin of this.permitPlugins) if (plugin.permits?.(pod) ?? true) return true;
    return false;
  }

  /** Returns a rejection or an Error status, after which the caller calls `unreserve`; null if all plugins reserved. */
  reserve(state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    for (const plugin of this.reservePlugins) {
      if (plugin.reserves?.(pod) === false) continue;
      const status = reserveOf(plugin, state, pod, node);
      if (status !== null) return failureOf('Reserve', status);
    }
    return null;
  }

  /** Calls all plugins in reverse order, also those that have reserved nothing, as upstream. */
  unreserve(state: CycleState, pod: PodInfo, node: NodeInfo): void {
    for (let i = this.reservePlugins.length - 1; i >= 0; i--) {
      const plugin = this.reservePlugins[i] as ReservePlugin;
      if (plugin.reserves?.(pod) !== false) answerOf(plugin, () => plugin.unreserve(state, pod, node));
    }
  }

  permit(state: CycleState, pod: PodInfo, nodeName: string): PermitOutcome {
    let outcome = ALLOWED;
    for (const plugin of this.permitPlugins) {
      if (plugin.permits?.(pod) === false) continue;
      const status = permitOf(plugin, state, pod, nodeName);
      if (status === null) continue;
      const timeoutMillis = status.code === 'Wait' ? timeoutOf(status) : null;
      if (timeoutMillis === null)
        return { rejected: failureOf('Permit', status), waits: NO_WAITS, waitReasons: NO_REASONS };
      outcome = outcome === ALLOWED ? this.#waitFor(status, timeoutMillis) : alsoFor(outcome, status, timeoutMillis);
    }
    return outcome;
  }

  /** Pods of a group mostly wait for the same, which a plugin tells by one status that never changes. */
  #waitFor(status: Status, timeoutMillis: number): PermitOutcome {
    if (this.#lastWait?.status === status) return this.#lastWait.outcome;
    const outcome = alsoFor(ALLOWED, status, timeoutMillis);
    this.#lastWait = Object.isFrozen(status) && Object.isFrozen(status.reasons) ? { status, outcome } : null;
    return outcome;
  }

  /** Returns the plugins that have work to do before the pod is bound, or an Error status. */
  preBindPreFlight(state: CycleState, pod: PodInfo, nodeName: string): readonly PreBindPlugin[] | Status {
    let willing = NOBODY_WILLING;
    for (const plugin of this.preBindPlugins) {
      if (plugin.preBinds?.(pod) === false) continue;
      const status = preFlightOf(plugin, state, pod, nodeName);
      if (status === null) willing = [...willing, plugin];
      else if (status.code === 'Error') return running(`PreBindPreFlight "${plugin.name}"`, status);
      else if (status.code !== 'Skip') return errorStatus(plugin.name, unsupportedPreFlight(status));
    }
    return willing;
  }

  /** Calls `done`, now or later, with the first failure, or with null when all plugins have done their work. */
  preBind(
    willing: readonly PreBindPlugin[],
    state: CycleState,
    pod: PodInfo,
    nodeName: string,
    done: (failure: Status | null) => void,
  ): void {
    for (let i = 0; i < willing.length; i++) {
      const plugin = willing[i] as PreBindPlugin;
      const answer = preBindOf(plugin, state, pod, nodeName);
      if (typeof answer === 'function') {
        answerLater(plugin, answer, (status) => {
          if (status === null) this.preBind(willing.slice(i + 1), state, pod, nodeName, done);
          else done(failureOf('PreBind', status));
        });
        return;
      }
      const status = checkedAnswer(plugin, answer);
      if (status === null) continue;
      done(failureOf('PreBind', status));
      return;
    }
    done(null);
  }

  /** Calls the plugins in turn until one does not skip; `done` gets null if that plugin has bound the pod. */
  bind(state: CycleState, pod: PodInfo, nodeName: string, done: (failure: Status | null) => void): void {
    const next = (i: number, skipped: Status): void => {
      const plugin = this.bindPlugins[i];
      if (plugin === undefined) {
        done(skipped);
        return;
      }
      answerLater(plugin, bindOf(plugin, state, pod, nodeName), (status) => {
        if (status?.code === 'Skip') next(i + 1, status);
        else done(status && failureOf('Bind', status));
      });
    };
    next(0, NO_BIND_PLUGIN);
  }

  postBind(state: CycleState, pod: PodInfo, nodeName: string): void {
    for (const plugin of this.postBindPlugins) answerOf(plugin, () => plugin.postBind(state, pod, nodeName));
  }
}

const NO_BIND_PLUGIN: Status = { code: 'Skip', reasons: [], plugin: '' };

/** Returns a rejection as it is, and any other status as an error in upstream's words. */
function failureOf(point: string, status: Status): Status {
  return isRejection(status) ? status : running(`${point} plugin "${status.plugin}"`, status);
}

function running(what: string, { plugin, reasons }: Status): Status {
  return errorStatus(plugin, `running ${what}: ${reasons.join(', ')}`);
}

function unsupportedPreFlight({ plugin, code }: Status): string {
  return (
    `PreBindPreFlight ${plugin} returned "${code}", which is unsupported. ` +
    'It is supposed to return Success, Skip, or Error status'
  );
}

/** The time that the plugin holds the pod; null if the status has no valid one. */
function timeoutOf(status: Status): number | null {
  const { timeoutMillis } = status as Partial<PermitWait>;
  if (typeof timeoutMillis !== 'number' || !(timeoutMillis >= 0)) return null;
  return Math.min(timeoutMillis, MAX_TIMEOUT_MILLIS);
}

/** Calls `done` with the plugin's answer, now or later. Of several answers the first counts. */
function answerLater(plugin: Plugin, answer: Eventually<Status | null>, done: (status: Status | null) => void): void {
  if (typeof answer !== 'function') {
    done(checkedAnswer(plugin, answer));
    return;
  }
  let isAnswered = false;
  const take = (status: Status | null): void => {
    if (isAnswered) return;
    isAnswered = true;
    done(checkedAnswer(plugin, status));
  };
  try {
    answer(take);
  } catch (error) {
    take(errorStatus(plugin.name, textOf(error)));
  }
}

/** The outcome with one more plugin that holds the pod. */
function alsoFor({ waits, waitReasons }: PermitOutcome, status: Status, timeoutMillis: number): PermitOutcome {
  const reasons = [...waitReasons.slice(0, -1), ...status.reasons, SOMEBODY_WAITS];
  return { rejected: null, waits: new Map([...waits, [status.plugin, timeoutMillis]]), waitReasons: reasons };
}

/** As `answerOf`, without a function for each pod. */
function preFlightOf(plugin: PreBindPlugin, state: CycleState, pod: PodInfo, nodeName: string): Status | null {
  try {
    return checkedAnswer(plugin, plugin.preBindPreFlight?.(state, pod, nodeName));
  } catch (error) {
    return errorStatus(plugin.name, textOf(error));
  }
}

function preBindOf(
  plugin: PreBindPlugin,
  state: CycleState,
  pod: PodInfo,
  nodeName: string,
): Eventually<Status | null> {
  try {
    return plugin.preBind(state, pod, nodeName);
  } catch (error) {
    return errorStatus(plugin.name, textOf(error));
  }
}

function bindOf(plugin: BindPlugin, state: CycleState, pod: PodInfo, nodeName: string): Eventually<Status | null> {
  try {
    return plugin.bind(state, pod, nodeName);
  } catch (error) {
    return errorStatus(plugin.name, textOf(error));
  }
}

/** As `answerOf`, without a function for each pod. */
function permitOf(plugin: PermitPlugin, state: CycleState, pod: PodInfo, nodeName: string): Status | null {
  try {
    return checkedAnswer(plugin, plugin.permit(state, pod, nodeName));
  } catch (error) {
    return errorStatus(plugin.name, textOf(error));
  }
}

/** As `answerOf`, without a function for each pod. */
function reserveOf(plugin: ReservePlugin, state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
  try {
    return checkedAnswer(plugin, plugin.reserve(state, pod, node));
  } catch (error) {
    return errorStatus(plugin.name, textOf(error));
  }
}
