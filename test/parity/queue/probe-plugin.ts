import { type CycleState, podsToActivate } from '../../../src/framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint, clusterEvent } from '../../../src/framework/events.ts';
import type { Handle } from '../../../src/framework/handle.ts';
import type {
  PermitPlugin,
  PermitWait,
  PostBindPlugin,
  PreBindPlugin,
  PreFilterPlugin,
  ReservePlugin,
} from '../../../src/framework/plugin.ts';
import type { PodInfo } from '../../../src/framework/pod-info.ts';
import { errorStatus, type Status, skip, unresolvable, unschedulable } from '../../../src/framework/status.ts';
import { parseDuration } from '../../../src/lib/go-duration.ts';
import { displayName, type LogEntry } from './queue-case.ts';

/** The points of a profile at which probes stand. */
export const PROBE_POINTS = ['preFilter', 'reserve', 'permit', 'preBind', 'postBind'] as const;

type Points = PreFilterPlugin & ReservePlugin & PermitPlugin & PreBindPlugin & PostBindPlugin;

/** A plugin that does what annotations of the pod say. */
export class ProbePlugin implements Points {
  readonly name: string;
  readonly #log: (entry: LogEntry) => void;
  readonly #handle: Handle | undefined;
  /** Present when no pod asks for anything in PreFilter, so that placing by the index is played as well. */
  readonly concerns?: () => boolean;

  /** `isAskedEarly`: some pod asks for something in PreFilter, by annotations, which no pod signature contains. */
  constructor(name: string, handle: Handle | undefined, log: (entry: LogEntry) => void, isAskedEarly: boolean) {
    this.name = name;
    this.#handle = handle;
    this.#log = log;
    if (!isAskedEarly) this.concerns = () => false;
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return [{ event: clusterEvent('Node', ActionType.UpdateNodeAnnotation) }];
  }

  preFilter(_state: CycleState, pod: PodInfo): Status | null {
    return this.#asked(pod, 'PreFilter') === '' ? skip(this.name) : this.#answer(pod, 'PreFilter');
  }

  reserve(state: CycleState, pod: PodInfo): Status | null {
    this.#called(pod, 'Reserve');
    const asked = this.#asked(pod, 'Reserve');
    if (!asked.startsWith('activate=')) return this.#answer(pod, 'Reserve');
    const other = this.#handle?.podFromLister('default', asked.slice('activate='.length));
    if (other !== undefined) podsToActivate(state).set(displayName(other), other);
    return null;
  }

  unreserve(_state: CycleState, pod: PodInfo): void {
    this.#called(pod, 'Unreserve');
  }

  permit(_state: CycleState, pod: PodInfo): Status | PermitWait | null {
    this.#called(pod, 'Permit');
    const asked = this.#asked(pod, 'Permit');
    if (!asked.startsWith('wait=')) return this.#answer(pod, 'Permit');
    const nanos = parseDuration(asked.slice('wait='.length));
    if (typeof nanos !== 'bigint') throw new Error(nanos.error);
    return { code: 'Wait', plugin: this.name, reasons: [], timeoutMillis: Number(nanos / 1_000_000n) };
  }

  preBindPreFlight(_state: CycleState, pod: PodInfo): Status | null {
    if (this.#asked(pod, 'PreBindPreFlight') !== '') return this.#answer(pod, 'PreBindPreFlight');
    return this.#asked(pod, 'PreBind') === '' ? skip(this.name) : null;
  }

  preBind(_state: CycleState, pod: PodInfo): Status | null {
    this.#called(pod, 'PreBind');
    return this.#answer(pod, 'PreBind');
  }

  postBind(_state: CycleState, pod: PodInfo): void {
    this.#called(pod, 'PostBind');
  }

  #called({ pod }: PodInfo, point: string): void {
    this.#log({ k: 'probe', plugin: this.name, pod: displayName(pod), point });
  }

  #asked({ pod }: PodInfo, point: string): string {
    return pod.metadata?.annotations?.[`probe/${this.name}.${point}`] ?? '';
  }

  #answer(pod: PodInfo, point: string): Status | null {
    const { name } = this;
    switch (this.#asked(pod, point)) {
      case 'error':
        return errorStatus(name, `${name} ${point} failed`);
      case 'reject':
        return unschedulable(name, `${name} ${point} says no`);
      case 'unresolvable':
        return unresolvable(name, `${name} ${point} says never`);
      case 'pending':
        return { code: 'Pending', reasons: [`${name} ${point} is pending`], plugin: name };
      default:
        return null;
    }
  }
}
