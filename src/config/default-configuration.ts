import { DEFAULT_SCHEDULER_NAME } from '../api/defaults.ts';
import type { ComponentConfiguration, ProfileConfiguration } from './configuration.ts';
import { empty } from './decode/decoder.ts';
import {
  type DecodedConfiguration,
  EMPTY_PROFILE,
  type GivenProfile,
  type PluginConfig,
} from './decode-configuration.ts';
import type { KnownPlugins } from './known-plugins.ts';
import { enabledNames, withDefaultSets } from './plugin-sets.ts';

export interface DefaultedConfiguration {
  readonly component: ComponentConfiguration;
  readonly profiles: readonly ProfileConfiguration[];
}

/** Fills in the defaults that depend on other fields (apis/config/v1/defaults.go). */
export function defaultConfiguration(
  { given, pluginConfigs, isInternal }: DecodedConfiguration,
  known: KnownPlugins,
): DefaultedConfiguration {
  const { apiVersion, kind, profiles: givenProfiles, enableContentionProfiling, ...rest } = given;
  const component = { ...rest, enableContentionProfiling: enableContentionProfiling ?? rest.enableProfiling };
  if (isInternal) return { component: zeroed(component), profiles: [] };
  const profiles = givenProfiles.length > 0 ? givenProfiles : [EMPTY_PROFILE];
  return {
    component,
    profiles: profiles.map((profile, i) => {
      // Only a single profile gets the default name; '' counts as a given name.
      const schedulerName = profile.schedulerName ?? (profiles.length === 1 ? DEFAULT_SCHEDULER_NAME : '');
      return defaultProfile(profile, schedulerName, pluginConfigs[i] ?? [], known);
    }),
  };
}

/** The zero value of Go for every member. */
function zeroed<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return ZEROS[typeof value] as T;
  if (Array.isArray(value)) return [] as T;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, zeroed(member)])) as T;
}

const ZEROS: Readonly<Record<string, unknown>> = { string: '', number: 0, bigint: 0n, boolean: false };

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
    return kind === undefined ? [] : [{ name, args: empty(kind.decode), raw: undefined }];
  });
  return {
    schedulerName,
    percentageOfNodesToScore: given.percentageOfNodesToScore,
    plugins,
    pluginConfig: [...pluginConfig, ...missing],
  };
}
