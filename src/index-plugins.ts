/**
 * `kube-berth/plugins`: what a plugin of your own is written with. It loads nothing of the scheduler but the reader of
 * configurations.
 *
 * @module
 */

export type { Node } from './api/node.ts';
export type { Pod } from './api/pod.ts';
export { failure, pending, skip, unresolvable, unschedulable, wait } from './embedding/statuses.ts';
export { type PluginOptions, type PluginSettings, withPlugins } from './embedding/with-plugins.ts';
export { CycleState, type StateKey, stateKey } from './framework/cycle-state.ts';
export type { NodeColumnsView } from './framework/node-columns-view.ts';
export type { NodeInfo } from './framework/node-info.ts';
export type { PodNominator, PreFilterResult, Snapshot } from './framework/plugin.ts';
export type { PluginAnswer, PluginStatus } from './framework/plugin-status.ts';
export type { PodInfo } from './framework/pod-info.ts';
export type { NodeToStatus } from './framework/post-filter.ts';
export type { QueuedPod } from './framework/queued-pod.ts';
export type { Code } from './framework/status.ts';
export type * from './framework/user-plugin.ts';
