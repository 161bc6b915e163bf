/**
 * `kube-berth/plugins`: what a plugin of your own is written with: all types of the library, statuses, and the options
 * of a scheduler that has the plugin.
 *
 * @module kube-berth/plugins
 */

export { failure, pending, skip, unresolvable, unschedulable, wait } from './embedding/statuses.ts';
export { type PluginOptions, type PluginSettings, withPlugins } from './embedding/with-plugins.ts';
export { CycleState, type StateKey, stateKey } from './framework/cycle-state.ts';
export type * from './index.ts';
