import { checkConfiguration } from '../../../src/caller/load-configuration.ts';
import type { SchedulerConfiguration } from '../../../src/config/configuration.ts';
import { API_VERSION } from '../../../src/config/decode/group-version.ts';
import type { Handle } from '../../../src/framework/handle.ts';
import type { Plugin } from '../../../src/framework/plugin.ts';
import type { FrameworkPlugins } from '../../../src/framework/runtime/framework-plugins.ts';
import { pluginsOf } from '../../../src/plugins/make-plugins.ts';
import { loggedPlugin } from './logged-plugin.ts';
import { PROBE_POINTS, ProbePlugin } from './probe-plugin.ts';
import type { LogEntry, QueueCase, QueueConfig } from './queue-case.ts';

/** Two profiles that differ in name only; undefined: the default alone. */
export function recordedConfiguration({ secondProfile }: QueueConfig): SchedulerConfiguration | undefined {
  if (secondProfile === undefined) return undefined;
  const profiles = ['default-scheduler', secondProfile].map((schedulerName) => ({ schedulerName }));
  const loaded = checkConfiguration({ apiVersion: API_VERSION, kind: 'KubeSchedulerConfiguration', profiles });
  if (!loaded.ok) throw new Error('two plain profiles are valid');
  return loaded.configuration;
}

const PROBED_EARLY = /^probe\/\w+\.PreFilter$/;

/** The plugins of a profile: with the probes, where there are any, and with a log of every call, where there is one. */
export function recordedPlugins(
  { config = {}, steps }: Pick<QueueCase, 'config' | 'steps'>,
  log: (entry: LogEntry) => void,
): typeof pluginsOf {
  const isAskedEarly = steps.some(({ object }) =>
    Object.keys(object?.metadata?.annotations ?? {}).some((key) => PROBED_EARLY.test(key)),
  );
  const probe = (name: string, handle: Handle | undefined) => new ProbePlugin(name, handle, log, isAskedEarly);
  return (profile, cluster, handle) => {
    const { byPoint, scoreWeights } = pluginsOf(profile, cluster, handle);
    const probes = config.probes ? ['ProbeA', 'ProbeB'].map((name) => probe(name, handle)) : [];
    const lists = Object.entries(byPoint).map(([point, plugins = []]) => {
      const isProbed = (PROBE_POINTS as readonly string[]).includes(point);
      return [point, isProbed ? [...plugins, ...probes] : plugins] as const;
    });
    const all: FrameworkPlugins = { byPoint: Object.fromEntries(lists), scoreWeights };
    return config.extensionPoints ? withLog(all, log) : all;
  };
}

function withLog({ byPoint, scoreWeights }: FrameworkPlugins, log: (entry: LogEntry) => void): FrameworkPlugins {
  const logged = new Map<Plugin, Plugin>();
  const of = (plugin: Plugin): Plugin => {
    const known = logged.get(plugin) ?? loggedPlugin(plugin, log);
    logged.set(plugin, known);
    return known;
  };
  const lists = Object.entries(byPoint).map(([point, plugins = []]) => [point, plugins.map(of)] as const);
  return { byPoint: Object.fromEntries(lists), scoreWeights };
}
