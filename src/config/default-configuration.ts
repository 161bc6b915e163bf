import {
  withDefaultConnection,
  withDefaultElection,
  ZERO_CLIENT_CONNECTION,
  ZERO_LEADER_ELECTION,
} from './component-config.ts';
import type { ComponentConfiguration, PluginConfig, ProfileConfiguration } from './configuration.ts';
import { NULL } from './decode/value.ts';
import type { DecodedConfiguration, GivenConfiguration, GivenProfile } from './decode-configuration.ts';
import { withDefaultExtenders } from './extenders.ts';
import type { KnownPlugins } from './known-plugins.ts';
import { enabledNames, withDefaultSets } from './plugin-sets.ts';

export const DEFAULT_SCHEDULER_NAME = 'default-scheduler';

export interface DefaultedConfiguration {
  readonly component: ComponentConfiguration;
  readonly profiles: readonly ProfileConfiguration[];
}

const ZERO: ComponentConfiguration = {
  parallelism: 0,
  percentageOfNodesToScore: 0,
  podInitialBackoffSeconds: 0,
  podMaxBackoffSeconds: 0,
  extenders: [],
  delayCacheUntilActive: false,
  enableProfiling: false,
  enableContentionProfiling: false,
  clientConnection: ZERO_CLIENT_CONNECTION,
  leaderElection: ZERO_LEADER_ELECTION,
};

/** Fills in the defaults (apis/config/v1/defaults.go). */
export function defaultConfiguration(
  { given, pluginConfigs, isInternal }: DecodedConfiguration,
  known: KnownPlugins,
): DefaultedConfiguration {
  if (isInternal) return { component: ZERO, profiles: [] };
  const profiles = given.profiles?.length ? given.profiles : [{}];
  return {
    component: defaultComponent(given),
    profiles: profiles.map((profile, i) => {
      // Only a single profile gets the default name; '' counts as a given name.
      const schedulerName = profile.schedulerName ?? (profiles.length === 1 ? DEFAULT_SCHEDULER_NAME : '');
      return defaultProfile(profile, schedulerName, pluginConfigs[i] ?? [], known);
    }),
  };
}

function defaultComponent(given: GivenConfiguration): ComponentConfiguration {
  const enableProfiling = given.enableProfiling ?? true;
  return {
    parallelism: given.parallelism ?? 16,
    percentageOfNodesToScore: given.percentageOfNodesToScore ?? 0,
    podInitialBackoffSeconds: given.podInitialBackoffSeconds ?? 1,
    podMaxBackoffSeconds: given.podMaxBackoffSeconds ?? 10,
    extenders: withDefaultExtenders(given.extenders),
    delayCacheUntilActive: given.delayCacheUntilActive ?? false,
    enableProfiling,
    enableContentionProfiling: given.enableContentionProfiling ?? enableProfiling,
    clientConnection: withDefaultConnection(given.clientConnection),
    leaderElection: withDefaultElection(given.leaderElection),
  };
}

function defaultProfile(
  given: GivenProfile,
  schedulerName: string,
  pluginConfig: readonly PluginConfig[],
  known: KnownPlugins,
): ProfileConfiguration {
  const plugins = withDefaultSets(given.plugins, known.defaults);
  const configured = new Set(pluginConfig.map(({ name }) => name));
  const missing = [...enabledNames(plugins)].sort().flatMap((name): PluginConfig[] => {
    const kind = configured.has(name) ? undefined : known.argsKind(name);
    return kind === undefined ? [] : [{ name, args: kind.read(NULL, { path: '', strict: [] }), raw: undefined }];
  });
  return {
    schedulerName,
    percentageOfNodesToScore: given.percentageOfNodesToScore,
    plugins,
    pluginConfig: [...pluginConfig, ...missing],
  };
}
