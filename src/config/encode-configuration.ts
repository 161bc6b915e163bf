import { encodeElection } from './component-config.ts';
import type { SchedulerConfiguration, SchedulerProfile } from './configuration.ts';
import { API_VERSION } from './decode/group-version.ts';
import { encodeExtender } from './extenders.ts';
import type { KnownPlugins } from './known-plugins.ts';

/** The configuration as v1 JSON with all defaults, as kube-scheduler writes it, but without the profiles' plugins. */
export function encodeConfiguration(configuration: SchedulerConfiguration): Record<string, unknown> {
  const { profiles, extenders, leaderElection, delayCacheUntilActive, featureGates, ...rest } = configuration;
  return withoutUndefined({
    apiVersion: API_VERSION,
    kind: 'KubeSchedulerConfiguration',
    ...rest,
    leaderElection: encodeElection(leaderElection),
    delayCacheUntilActive: delayCacheUntilActive || undefined,
    featureGates: Object.keys(featureGates).length > 0 ? featureGates : undefined,
    profiles: profiles.map(({ schedulerName, percentageOfNodesToScore }) => ({
      schedulerName,
      percentageOfNodesToScore,
    })),
    extenders: extenders.length > 0 ? extenders.map(encodeExtender) : undefined,
  });
}

/** The arguments of the plugins in use, by plugin, as v1 JSON. */
export function encodeArgs({ args, otherArgs }: SchedulerProfile, known: KnownPlugins): Record<string, unknown> {
  const encoded = Object.entries(args).map(([name, own]) => {
    return [name, { apiVersion: API_VERSION, kind: `${name}Args`, ...known.argsKind(name)?.encode(own) }];
  });
  return withoutUndefined({ ...Object.fromEntries(encoded), ...Object.fromEntries(otherArgs) });
}

/** A deep copy without undefined members. */
function withoutUndefined(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}
