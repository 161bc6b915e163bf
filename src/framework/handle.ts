import type { Pod } from '../api/pod.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../api/storage.ts';
import type { Timer } from '../lib/event-loop.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';

/** A pod that waits for the word of Permit plugins. */
export interface WaitingPod {
  readonly pod: PodInfo;
  /** Names of the plugins that have not spoken yet. */
  pendingPlugins(): readonly string[];
  /** When all have allowed it, it goes on. */
  allow(plugin: string): void;
  /** The pod goes back to the queue. False: it was decided before. */
  reject(plugin: string, message: string): boolean;
}

/** What plugins may do beside deciding (upstream's framework.Handle): given to those that run on a store. */
export interface Handle {
  readonly api: HandleApi;
  /** Milliseconds since the Unix epoch. */
  nowMillis(): number;
  after(delayMillis: number, task: () => void): Timer;
  waitingPods(): Iterable<WaitingPod>;
  waitingPod(uid: string): WaitingPod | undefined;
  /** Whether it did wait. */
  rejectWaitingPod(uid: string): boolean;
  /** Pods are tried now, whatever they wait for. */
  activate(pods: readonly Pod[]): void;
  /** The pod as the API last showed it; undefined: it is gone. */
  podFromLister(namespace: string, name: string): Pod | undefined;
  /** As decisions see it now; undefined: there is none. */
  node(name: string): NodeInfo | undefined;
  /** Whether victims of this pod are still on their way out. */
  isPreempting(uid: string): boolean;
}

/** Calls of the API; a refusal is thrown. */
export interface HandleApi {
  bindPod(pod: Pod, nodeName: string): Pod | undefined;
  updatePersistentVolume(volume: PersistentVolume): PersistentVolume;
  updatePersistentVolumeClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim;
}
