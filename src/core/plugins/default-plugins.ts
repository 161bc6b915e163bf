import { defaultSchedulerConfiguration } from '../config/default-scheduler-configuration.ts';
import type { FrameworkPlugins } from '../framework/framework.ts';
import type { PodNominator, Snapshot } from '../framework/plugin.ts';
import { pluginsOf } from './registry.ts';

/** The plugins of the only profile that kube-scheduler v1.36 has when nobody configures it. */
export function defaultPlugins(cluster: Snapshot & PodNominator): FrameworkPlugins {
  const [profile] = defaultSchedulerConfiguration().profiles;
  return profile === undefined ? { byPoint: {}, scoreWeights: new Map() } : pluginsOf(profile, cluster);
}
