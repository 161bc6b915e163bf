import { validateConnection, validateElection } from './component-config.ts';
import type { ProfileConfiguration } from './configuration.ts';
import { type ConfigurationError, duplicate, invalid, required } from './decode/field-error.ts';
import { API_VERSION } from './decode/group-version.ts';
import { toPlain } from './decode/value.ts';
import type { PluginConfig } from './decode-configuration.ts';
import type { DefaultedConfiguration } from './default-configuration.ts';
import { validateExtenders } from './extenders.ts';
import { EXTENSION_POINTS, isRemoved } from './extension-points.ts';
import { gateProblem } from './feature-gates.ts';
import type { KnownPlugins } from './known-plugins.ts';
import type { PluginSet } from './plugin-sets.ts';

/** Validates the configuration in upstream's order (apis/config/validation/validation.go). */
export function validateConfiguration(
  { component, profiles }: DefaultedConfiguration,
  known: KnownPlugins,
): ConfigurationError[] {
  const { parallelism, podInitialBackoffSeconds: initial, podMaxBackoffSeconds: max } = component;
  const errors = [...validateConnection(component.clientConnection), ...validateElection(component.leaderElection)];
  if (parallelism <= 0) {
    errors.push(invalid('parallelism', parallelism, 'should be an integer value greater than zero'));
  }
  errors.push(...validateProfiles(profiles, known));
  errors.push(...validatePercentage(component.percentageOfNodesToScore, 'percentageOfNodesToScore'));
  if (initial <= 0) errors.push(invalid('podInitialBackoffSeconds', initial, 'must be greater than 0'));
  if (max < initial) {
    errors.push(invalid('podMaxBackoffSeconds', max, 'must be greater than or equal to PodInitialBackoffSeconds'));
  }
  return [...errors, ...validateExtenders(component.extenders), ...validateGates(component.featureGates)];
}

function validateGates(gates: Readonly<Record<string, boolean>>): ConfigurationError[] {
  const errors = Object.entries(gates).flatMap(([name, value]) => {
    const problem = gateProblem(name, value);
    return problem === null ? [] : [invalid(`featureGates[${name}]`, value, problem)];
  });
  return errors;
}

function validateProfiles(profiles: readonly ProfileConfiguration[], known: KnownPlugins): ConfigurationError[] {
  if (profiles.length === 0) return [required('profiles')];
  const errors: ConfigurationError[] = [];
  const names = new Set<string>();
  for (const [i, profile] of profiles.entries()) {
    const path = `profiles[${i}]`;
    const { schedulerName } = profile;
    if (schedulerName === '') errors.push(required(`${path}.schedulerName`));
    errors.push(...validatePercentage(profile.percentageOfNodesToScore, `${path}.percentageOfNodesToScore`));
    errors.push(...validateEnabled(profile, path), ...validatePluginConfig(profile.pluginConfig, path, known));
    // Upstream shows a field path here, which prints as an empty object.
    if (names.has(schedulerName)) errors.push(duplicate(`${path}.schedulerName`, {}));
    names.add(schedulerName);
  }
  return [...errors, ...validateQueueSort(profiles)];
}

function validatePercentage(percentage: number | undefined, field: string): ConfigurationError[] {
  if (percentage === undefined || (percentage >= 0 && percentage <= 100)) return [];
  return [invalid(field, percentage, 'not in valid range [0-100]')];
}

/** Validates enabled plugins. multiPoint is not checked: its errors are found when the profile is built. */
function validateEnabled({ plugins }: ProfileConfiguration, path: string): ConfigurationError[] {
  return EXTENSION_POINTS.flatMap((point) =>
    plugins[point].enabled.flatMap(({ name }, i) =>
      isRemoved(name) ? [removed(`${path}.plugins.${point}.enabled[${i}]`, name)] : [],
    ),
  );
}

function validatePluginConfig(
  pluginConfig: readonly PluginConfig[],
  path: string,
  known: KnownPlugins,
): ConfigurationError[] {
  const seen = new Set<string>();
  return pluginConfig.flatMap(({ name, args }, i) => {
    const field = `${path}.pluginConfig[${i}]`;
    const errors = seen.has(name) ? [duplicate(field, name)] : [];
    seen.add(name);
    if (isRemoved(name)) errors.push(removed(field, name));
    const kind = known.argsKind(name);
    if (kind !== undefined && args !== undefined && !kind.isValidatedLate) {
      errors.push(...kind.validate(args, `${field}.args`));
    }
    return errors;
  });
}

/** Checks that all profiles agree on the queue sort, since they share one queue; even its arguments must be equal. */
function validateQueueSort(profiles: readonly ProfileConfiguration[]): ConfigurationError[] {
  const [first, ...others] = profiles;
  if (first === undefined) return [];
  const errors: ConfigurationError[] = [];
  const wanted = first.plugins.queueSort;
  if (wanted.enabled.length > 1) {
    const field = 'profiles[0].plugins.queueSort.Enabled';
    errors.push(invalid(field, wanted.enabled.length, 'only one queue sort plugin can be enabled'));
  }
  const sorter = wanted.enabled[0]?.name ?? '';
  const args = argsOf(first.pluginConfig, sorter).at(-1) ?? NO_ARGS;
  for (const [i, { plugins, pluginConfig }] of others.entries()) {
    const path = `profiles[${i + 1}]`;
    if (asUpstream(plugins.queueSort) !== asUpstream(wanted)) {
      const shown = JSON.parse(asUpstream(plugins.queueSort)) as unknown;
      errors.push(invalid(`${path}.plugins.queueSort`, shown, 'must be the same for all profiles'));
    }
    for (const own of argsOf(pluginConfig, sorter)) {
      if (JSON.stringify(own) === JSON.stringify(args)) continue;
      errors.push(invalid(`${path}.pluginConfig.args`, own, 'queueSort must be the same for all profiles'));
    }
  }
  return errors;
}

/** What stands for arguments that are not given, in the words of upstream's messages. */
const NO_ARGS = 'null';

/** The raw arguments in every entry for a plugin that takes none. */
function argsOf(pluginConfig: readonly PluginConfig[], wanted: string): unknown[] {
  const entries = pluginConfig.filter(({ name }) => name === wanted);
  return entries.map(({ raw }) => (raw === undefined ? NO_ARGS : toPlain(raw)));
}

function asUpstream({ enabled, disabled }: PluginSet): string {
  const plugins = (list: readonly { name: string; weight: number }[]) =>
    list.length === 0 ? null : list.map(({ name, weight }) => ({ Name: name, Weight: weight }));
  return JSON.stringify({
    Enabled: plugins(enabled),
    Disabled: plugins(disabled.map((name) => ({ name, weight: 0 }))),
  });
}

function removed(field: string, name: string): ConfigurationError {
  return invalid(
    field,
    name,
    `was invalid in version "v1" (KubeSchedulerConfiguration is version ${JSON.stringify(API_VERSION)})`,
  );
}
