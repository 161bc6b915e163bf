import {
  type BindPlugin,
  type Eventually,
  isBind,
  isPermit,
  isPostBind,
  isPreBind,
  type PermitPlugin,
  type PermitWait,
  type PostBindPlugin,
  type PreBindPlugin,
} from '../binding-plugins.ts';
import type { CycleState } from '../cycle-state.ts';
import type { NodeInfo } from '../node-info.ts';
import { isReserve, type Plugin, type ReservePlugin } from '../plugin.ts';
import type { PodInfo } from '../pod-info.ts';
import { errorStatus, isRejection, type Status } from '../status.ts';
import type { FrameworkPlugins } from './framework-plugins.ts';
import { answerOf, checkedAnswer, textOf } from './plugin-answer.ts';

/** Upstream: maxTimeout, the longest that a Permit plugin can let a pod wait. */
const LONGEST_WAIT_MILLIS = 15 * 60_000;

/** Plugins that let a pod wait, and for how long each. */
export type PermitWaits = ReadonlyMap<string, number>;

const NOBODY: PermitWaits = new Map();

/** What all Permit plugins said together. */
export interface PermitOutcome {
  /** The first rejection or error; null when there is none. */
  readonly rejected: Status | null;
  /** Empty: the pod can go on. */
  readonly waits: PermitWaits;
}

const ALLOWED: PermitOutcome = { rejected: null, waits: NOBODY };

/**
 * The plugins of a profile from the chosen node to the bound pod, and the loops that call them (upstream's
 * frameworkImpl). A plugin that throws, or says what nobody understands, has failed this pod and nothing else.
 */
export class BindingFramework {
  readonly reservePlugins: readonly ReservePlugin[];
  readonly permitPlugins: readonly PermitPlugin[];
  readonly preBindPlugins: readonly PreBindPlugin[];
  readonly bindPlugins: readonly BindPlugin[];
  readonly postBindPlugins: readonly PostBindPlugin[];

  constructor({ byPoint }: FrameworkPlugins) {
    const { reserve = [], permit = [], preBind = [], bind = [], postBind = [] } = byPoint;
    this.reservePlugins = reserve.filter(isReserve);
    this.permitPlugins = permit.filter(isPermit);
    this.preBindPlugins = preBind.filter(isPreBind);
    this.bindPlugins = bind.filter(isBind);
    this.postBindPlugins = postBind.filter(isPostBind);
  }

  /** Whether any plugin notes something when the pod is placed. */
  reserves(pod: PodInfo): boolean {
    return this.reservePlugins.some((plugin) => plugin.reserves?.(pod) ?? true);
  }

  /** Whether any plugin may have work to do before the pod is bound. */
  preBinds(pod: PodInfo): boolean {
    return this.preBindPlugins.some((plugin) => plugin.preBinds?.(pod) ?? true);
  }

  /** A rejection, or an Error status; then `unreserve` is to follow. */
  reserve(state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    for (const plugin of this.reservePlugins) {
      if (plugin.reserves?.(pod) === false) continue;
      const status = answerOf(plugin, () => plugin.reserve(state, pod, node));
      if (status !== null) return isRejection(status) ? status : failed('Reserve', status);
    }
    return null;
  }

  /** All plugins in reverse order, also those that have reserved nothing: they must be able to take that. */
  unreserve(state: CycleState, pod: PodInfo, node: NodeInfo): void {
    for (let i = this.reservePlugins.length - 1; i >= 0; i--) {
      const plugin = this.reservePlugins[i] as ReservePlugin;
      if (plugin.reserves?.(pod) !== false) answerOf(plugin, () => plugin.unreserve(state, pod, node));
    }
  }

  permit(state: CycleState, pod: PodInfo, nodeName: string): PermitOutcome {
    if (this.permitPlugins.length === 0) return ALLOWED;
    const waits = new Map<string, number>();
    for (const plugin of this.permitPlugins) {
      const status = answerOf(plugin, () => plugin.permit(state, pod, nodeName));
      if (status === null) continue;
      if (isRejection(status)) return { rejected: status, waits: NOBODY };
      const timeoutMillis = status.code === 'Wait' ? timeoutOf(status) : null;
      if (timeoutMillis === null) return { rejected: failed('Permit', status), waits: NOBODY };
      waits.set(plugin.name, timeoutMillis);
    }
    return { rejected: null, waits };
  }

  /** The plugins that have work to do before the pod is bound; or why their word cannot be taken. */
  preBindPreFlight(state: CycleState, pod: PodInfo, nodeName: string): readonly PreBindPlugin[] | Status {
    const willing: PreBindPlugin[] = [];
    for (const plugin of this.preBindPlugins) {
      if (plugin.preBinds?.(pod) === false) continue;
      const status = answerOf(plugin, () => plugin.preBindPreFlight?.(state, pod, nodeName));
      if (status === null) willing.push(plugin);
      else if (status.code === 'Error') return running(`PreBindPreFlight "${plugin.name}"`, status);
      else if (status.code !== 'Skip') return errorStatus(plugin.name, unsupportedPreFlight(status));
    }
    return willing;
  }

  /** Calls `done` with the first failure, or with null when all have done their work: now or later. */
  preBind(
    willing: readonly PreBindPlugin[],
    state: CycleState,
    pod: PodInfo,
    nodeName: string,
    done: (failure: Status | null) => void,
  ): void {
    const next = (i: number): void => {
      const plugin = willing[i];
      if (plugin === undefined) {
        done(null);
        return;
      }
      answerLater(
        plugin,
        () => plugin.preBind(state, pod, nodeName),
        (status) => {
          if (status === null) next(i + 1);
          else done(isRejection(status) ? status : failed('PreBind', status));
        },
      );
    };
    next(0);
  }

  /** Asks one plugin after the other until one does not skip: null when it has bound the pod. */
  bind(state: CycleState, pod: PodInfo, nodeName: string, done: (failure: Status | null) => void): void {
    const next = (i: number, skipped: Status): void => {
      const plugin = this.bindPlugins[i];
      if (plugin === undefined) {
        done(skipped);
        return;
      }
      answerLater(
        plugin,
        () => plugin.bind(state, pod, nodeName),
        (status) => {
          if (status?.code === 'Skip') next(i + 1, status);
          else done(status === null || isRejection(status) ? status : failed('Bind', status));
        },
      );
    };
    next(0, NOBODY_BINDS);
  }

  postBind(state: CycleState, pod: PodInfo, nodeName: string): void {
    for (const plugin of this.postBindPlugins) answerOf(plugin, () => plugin.postBind(state, pod, nodeName));
  }
}

const NOBODY_BINDS: Status = { code: 'Skip', reasons: [], plugin: '' };

/** Upstream's words for an Error status of a plugin; its code stays what it was. */
function failed(point: string, status: Status): Status {
  return running(`${point} plugin "${status.plugin}"`, status);
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

/** null: there is no saying how long. */
function timeoutOf(status: Status): number | null {
  const { timeoutMillis } = status as Partial<PermitWait>;
  if (typeof timeoutMillis !== 'number' || !(timeoutMillis >= 0)) return null;
  return Math.min(timeoutMillis, LONGEST_WAIT_MILLIS);
}

/** The answer now, or when it comes. Who answers twice is heard once. */
function answerLater(
  plugin: Plugin,
  call: () => Eventually<Status | null>,
  done: (status: Status | null) => void,
): void {
  let answer: Eventually<Status | null>;
  try {
    answer = call();
  } catch (error) {
    done(errorStatus(plugin.name, textOf(error)));
    return;
  }
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
