import type { Node } from '../api/node.ts';
import type { EventRecorder } from '../client/events/event-recorder.ts';
import type { ReportError } from '../client/report-error.ts';
import type { EventLoop } from '../lib/event-loop.ts';
import type { StoreClient } from '../store/objects/store-client.ts';
import type { ContainerRuntime } from './containers/container-runtime.ts';
import type { ClaimManager } from './dynamic-resources/claim-manager.ts';
import type { EventChannel } from './pleg/event-channel.ts';
import type { GenericPleg } from './pleg/generic-pleg.ts';
import type { TickWheel } from './tick-wheel.ts';

export interface KubeletModules {
  readonly client: Pick<StoreClient, 'get' | 'updateStatus' | 'delete'>;
  readonly runtime: ContainerRuntime;
  readonly claims: ClaimManager;
  readonly loop: EventLoop;
  readonly wheel: TickWheel;
  readonly recorder: EventRecorder;
  readonly reportError: ReportError;
  /** The node as the API shows it; undefined when it is gone. */
  readonly node: () => Node | undefined;
}

export interface KubeletOptions {
  /** The order of this agent among those that share the wheel. */
  readonly rank: number;
  /** The offset of this agent's ticks within a second, in whole milliseconds. */
  readonly phaseMillis: number;
  /** The seed of the jitter of syncs. */
  readonly seed: number;
  readonly hostIp: string;
  /** Relists every second and resyncs every minute, even when nothing can have changed. */
  readonly isEager: boolean;
  /** How long the runtime currently takes to list its pods. */
  readonly listMillis: () => number;
  /** Receives the PLEG, and the channel that it sends its events into. */
  readonly onPleg?: OnPleg | undefined;
}

/** Receives the PLEG of a node agent and its channel. */
export type OnPleg = (pleg: GenericPleg, channel: EventChannel) => void;

/** What a kubelet takes over from an idle one, which had nothing to do since it began. */
export interface IdleLife {
  readonly sinceMillis: number;
  /** The first relist; undefined while it is still to come. */
  readonly relistMillis: number | undefined;
  /** The first housekeeping: its tick is still to come, the iteration that its tick has asked for, or neither. */
  readonly housekeeping: 'requested' | 'due' | 'done';
  /** Has this called in the place of the iteration that is due. */
  readonly takeIteration: (iterate: () => void) => void;
}
