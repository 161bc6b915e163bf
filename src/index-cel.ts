/**
 * `kube-berth/cel`: conditions on devices in CEL, as kube-scheduler and the API server compile and evaluate them.
 *
 * @module kube-berth/cel
 */

export type {
  CapacityRequestPolicy,
  DeviceAttribute,
  DeviceCapacity,
  DeviceDescription,
  ExactInteger,
} from './api/resource-claims.ts';
export type { CompileFailure } from './cel/program.ts';
export { DeviceSelector, type Match, type SelectorOptions } from './plugins/dynamic-resources/devices/selector.ts';
