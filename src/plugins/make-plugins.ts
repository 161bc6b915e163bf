import type { SchedulerProfile } from '../config/configuration.ts';
import { EXTENSION_POINTS, type ExtensionPoint } from '../config/extension-points.ts';
import type { Handle } from '../framework/handle.ts';
import type { Plugin } from '../framework/plugin.ts';
import { DEFAULT_ENVIRONMENT, type PluginCluster, type PluginEnvironment } from '../framework/plugin-definition.ts';
import type { FrameworkPlugins } from '../framework/runtime/framework-plugins.ts';
import type { OutOfTree } from './out-of-tree.ts';
import { definitionOf, PLUGIN_TABLE } from './registry.ts';

/** Makes each plugin of the profile once, with its arguments. `outOfTree` makes the plugins of the embedder. */
export function pluginsOf(
  profile: SchedulerProfile,
  cluster: PluginCluster,
  handle?: Handle,
  outOfTree?: OutOfTree,
  environment: PluginEnvironment = DEFAULT_ENVIRONMENT,
): FrameworkPlugins {
  const { plugins, scoreWeights, args } = profile;
  const made = new Map<string, Plugin>(outOfTree?.pluginsOf(profile));
  const get = (name: string): Plugin | undefined => {
    const known = made.get(name) ?? definitionOf(name)?.make?.(cluster, args[name], handle, environment);
    if (known !== undefined) made.set(name, known);
    return known;
  };
  const byPoint = EXTENSION_POINTS.map((point) => {
    const gated = gatedPlugins(point, environment).filter((name) => isAddedByGate(profile, point, name));
    return [point, [...plugins[point], ...gated].map(get).filter((plugin) => plugin !== undefined)] as const;
  });
  return { byPoint: Object.fromEntries(byPoint), scoreWeights };
}

/** Whether a plugin that a gate adds to every profile is added to this one's point, which may have or refuse it. */
export function isAddedByGate({ plugins, disabled }: SchedulerProfile, point: ExtensionPoint, name: string): boolean {
  return !plugins[point].includes(name) && !disabled[point].includes(name) && !disabled[point].includes('*');
}

/** The names of the plugins at the point that gates add to every profile. */
function gatedPlugins(point: ExtensionPoint, { gates }: PluginEnvironment): readonly string[] {
  const gated = PLUGIN_TABLE.optional.filter(({ gate, points }) => gate && gates[gate] && points.includes(point));
  return gated.map(({ name }) => name);
}
