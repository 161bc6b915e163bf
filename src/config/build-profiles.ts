import type { ProfileConfiguration, SchedulerProfile } from './configuration.ts';
import { joinErrors } from './decode/field-error.ts';
import { toPlain } from './decode/value.ts';
import type { DefaultedConfiguration } from './default-configuration.ts';
import { BuildFailure, expandPlugins, scoreWeights } from './expand-plugins.ts';
import { type ExtenderConfiguration, transportProblem } from './extenders.ts';
import { EXTENSION_POINTS, type ExtensionPoint } from './extension-points.ts';
import type { KnownPlugins } from './known-plugins.ts';
import { enabledNames, type PluginSets } from './plugin-sets.ts';

/**
 * Builds extenders and profiles in the order in which kube-scheduler does at its start: extenders first, then each
 * profile with its plugins. Throws BuildFailure.
 */
export function buildProfiles(
  { component, profiles }: DefaultedConfiguration,
  known: KnownPlugins,
): SchedulerProfile[] {
  const configured = within("couldn't build extenders", () => applyExtenders(component.extenders, profiles, known));
  return within('initializing profiles', () => {
    const built: SchedulerProfile[] = [];
    for (const profile of configured) {
      built.push(
        within(`creating profile for scheduler name ${profile.schedulerName}`, () => buildProfile(profile, known)),
      );
      requireSameQueueSort(built);
    }
    return built;
  });
}

/** Makes a plugin ignore the resources that extenders manage themselves, instead of those in its arguments. */
function applyExtenders(
  extenders: readonly ExtenderConfiguration[],
  profiles: readonly ProfileConfiguration[],
  known: KnownPlugins,
): readonly ProfileConfiguration[] {
  for (const extender of extenders) {
    const problem = transportProblem(extender);
    if (problem !== undefined) throw new BuildFailure(problem);
  }
  const managed = extenders.flatMap(({ managedResources }) => managedResources);
  const ignoredResources = managed.filter(({ ignoredByScheduler }) => ignoredByScheduler).map(({ name }) => name);
  if (ignoredResources.length === 0) return profiles;
  const ignoring = known.namesThatIgnoreResources();
  return profiles.map((profile) => {
    const missing = ignoring.find((wanted) => !profile.pluginConfig.some(({ name }) => name === wanted));
    if (missing !== undefined) throw new BuildFailure(`can't find ${missing}Args in plugin config`);
    const pluginConfig = profile.pluginConfig.map((config) => {
      if (config.args === undefined) return config;
      const args = known.argsKind(config.name)?.withIgnoredResources?.(config.args, ignoredResources);
      return { ...config, args: args ?? config.args };
    });
    return { ...profile, pluginConfig };
  });
}

function buildProfile(profile: ProfileConfiguration, known: KnownPlugins): SchedulerProfile {
  const { schedulerName, percentageOfNodesToScore, plugins: sets } = profile;
  const { args, otherArgs } = argsInUse(profile, known);
  for (const [name, own] of Object.entries(args)) requireValid(name, own, known);
  const plugins = expandPlugins(sets, known);
  const quotedName = JSON.stringify(schedulerName);
  if (plugins.queueSort.length !== 1) {
    const found = `but got ${plugins.queueSort.length}`;
    throw new BuildFailure(
      `only one queue sort plugin required for profile with scheduler name ${quotedName}, ${found}`,
    );
  }
  if (plugins.bind.length === 0) {
    throw new BuildFailure(`at least one bind plugin is needed for profile with scheduler name ${quotedName}`);
  }
  return {
    schedulerName,
    percentageOfNodesToScore,
    plugins,
    disabled: Object.fromEntries(
      EXTENSION_POINTS.map((point) => [point, [...sets.multiPoint.disabled, ...sets[point].disabled]]),
    ) as Record<ExtensionPoint, string[]>,
    scoreWeights: scoreWeights(sets, 'score', known),
    placementScoreWeights: scoreWeights(sets, 'placementScore', known),
    args,
    otherArgs,
    outOfTree: outOfTree(sets, known),
  };
}

/** The out-of-tree plugins in use, each with the points at which it is named. */
function outOfTree(sets: PluginSets, known: KnownPlugins): Map<string, ExtensionPoint[]> {
  const names = [...enabledNames(sets)].filter((name) => known.isOutOfTree(name));
  const namedAt = (name: string) =>
    EXTENSION_POINTS.filter((point) => sets[point].enabled.some((plugin) => plugin.name === name));
  return new Map(names.map((name) => [name, namedAt(name)]));
}

/** The arguments of the plugins in use; those of other plugins have no effect. */
function argsInUse(
  { plugins, pluginConfig }: ProfileConfiguration,
  known: KnownPlugins,
): Pick<SchedulerProfile, 'args' | 'otherArgs'> {
  const inUse = enabledNames(plugins);
  const args: Record<string, object> = {};
  const otherArgs = new Map<string, unknown>();
  for (const { name, args: read, raw } of pluginConfig) {
    if (!inUse.has(name)) continue;
    if (read !== undefined) args[name] = read;
    else if (raw !== undefined && known.has(name)) otherArgs.set(name, toPlain(raw));
  }
  return { args, otherArgs };
}

/** Arguments that no document is validated for are refused here. */
function requireValid(name: string, args: object, known: KnownPlugins): void {
  const kind = known.argsKind(name);
  const errors = kind?.isValidatedLate ? kind.validate(args, '') : [];
  if (errors.length > 0) throw new BuildFailure(`initializing plugin "${name}": ${joinErrors(errors)}`);
}

/** Checks that all profiles sort the queue alike, since there is only one queue. */
function requireSameQueueSort(built: readonly SchedulerProfile[]): void {
  const [first] = built;
  const last = built.at(-1);
  const [firstSort = '', sort = ''] = [first?.plugins.queueSort[0], last?.plugins.queueSort[0]];
  const name = JSON.stringify(last?.schedulerName);
  if (sort !== firstSort) {
    throw new BuildFailure(
      `different queue sort plugins for profile ${name}: ${JSON.stringify(sort)}, first: ${JSON.stringify(firstSort)}`,
    );
  }
  if (JSON.stringify(first?.otherArgs.get(sort)) !== JSON.stringify(last?.otherArgs.get(sort))) {
    throw new BuildFailure(`different queue sort plugin args for profile ${name}`);
  }
}

function within<T>(step: string, build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (error instanceof BuildFailure) throw new BuildFailure(`${step}: ${error.message}`);
    throw error;
  }
}
