import { checkConfiguration } from '../caller/load-configuration.ts';
import type { SchedulerConfiguration } from '../config/configuration.ts';
import { SchedulerError } from '../framework/scheduler-error.ts';
import type { PluginRegistry } from '../framework/user-plugin.ts';

/** How the default profile uses a plugin. */
export interface PluginSettings {
  /** The weight of the plugin's scores; default 1. */
  readonly weight?: number;
  /** The arguments that its factory is given. */
  readonly args?: unknown;
}

/** The options of a scheduler that has plugins of your own. */
export interface PluginOptions {
  readonly plugins: PluginRegistry;
  readonly configuration: SchedulerConfiguration;
}

/**
 * The options of a scheduler whose default profile has these plugins at all their extension points, after the default
 * plugins. Every node is scored, as without a configuration.
 *
 *     new Scheduler(withPlugins({ Rack: newRack }, { Rack: { weight: 5, args: { reserved: 'r1' } } }));
 *
 * Errors: Invalid, for settings that a configuration refuses.
 */
export function withPlugins(
  plugins: PluginRegistry,
  settings: Readonly<Record<string, PluginSettings>> = {},
): PluginOptions {
  const stranger = Object.keys(settings).find((name) => !Object.hasOwn(plugins, name));
  if (stranger !== undefined) throw new SchedulerError('Invalid', `settings of ${stranger}: there is no such plugin`);
  const names = Object.keys(plugins);
  const enabled = names.map((name) => ({ name, ...weightOf(settings[name]) }));
  const pluginConfig = names.flatMap((name) => {
    const args = settings[name]?.args;
    return args === undefined ? [] : [{ name, args }];
  });
  const loaded = checkConfiguration(
    {
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      percentageOfNodesToScore: 100,
      profiles: [{ plugins: { multiPoint: { enabled } }, pluginConfig }],
    },
    { plugins },
  );
  if (loaded.ok) return { plugins, configuration: loaded.configuration };
  throw new SchedulerError('Invalid', loaded.errors.map(({ message }) => message).join('; '));
}

function weightOf(settings: PluginSettings | undefined): { readonly weight?: number } {
  return settings?.weight === undefined ? {} : { weight: settings.weight };
}
