import { isObject, show } from '../api/validation/check.ts';
import type { SchedulerConfiguration, SchedulerProfile } from '../config/configuration.ts';
import { API_VERSION } from '../config/decode/group-version.ts';
import { encodeArgs } from '../config/encode-configuration.ts';
import { KnownPlugins } from '../config/known-plugins.ts';
import { type LoadedConfiguration, readConfiguration } from '../config/read-configuration.ts';
import { SchedulerError } from '../framework/scheduler-error.ts';
import { assert } from '../lib/assert.ts';
import { PLUGIN_TABLE } from '../plugins/registry.ts';
import { checkNames } from './call-checks.ts';

/** What a configuration may name beside the plugins of Kubernetes. */
export interface LoadConfigurationOptions {
  /** The embedder's plugins, by name, which profiles may enable. */
  readonly plugins?: Readonly<Record<string, unknown>>;
}

/**
 * Reads a `kubescheduler.config.k8s.io/v1` KubeSchedulerConfiguration as kube-scheduler v1.36 reads the file of its
 * `--config`: strictly decoded, with defaults, and validated. `source` is YAML or JSON text, or the object itself.
 * Errors: Invalid, with all problems; `checkConfiguration` returns them.
 */
export function loadConfiguration(
  source: string | object,
  options: LoadConfigurationOptions = {},
): SchedulerConfiguration {
  const loaded = checkConfiguration(source, options);
  if (loaded.ok) return loaded.configuration;
  throw new SchedulerError('Invalid', loaded.errors.map(({ message }) => message).join('; '));
}

/** As `loadConfiguration`, but returns what is wrong with the document. Errors: Invalid for other arguments. */
export function checkConfiguration(
  source: string | object,
  options: LoadConfigurationOptions = {},
): LoadedConfiguration {
  if (typeof source !== 'string' && !isObject(source)) {
    throw new SchedulerError('Invalid', `source: must be a text or an object, not ${show(source)}`);
  }
  checkNames('option', options, ['plugins']);
  const { plugins = {} } = options;
  if (!isObject(plugins))
    throw new SchedulerError('Invalid', `option plugins: must be an object, not ${show(plugins)}`);
  return readConfiguration(source, new KnownPlugins(PLUGIN_TABLE, Object.keys(plugins)));
}

/** The configuration of kube-scheduler without a configuration file. */
export function defaultSchedulerConfiguration(): SchedulerConfiguration {
  const loaded = checkConfiguration({ apiVersion: API_VERSION, kind: 'KubeSchedulerConfiguration' });
  assert(loaded.ok, 'the defaults are valid');
  return loaded.configuration;
}

/** The arguments of the profile's plugins, by plugin name, as v1 JSON. */
export function encodeProfileArgs(profile: SchedulerProfile): Record<string, unknown> {
  return encodeArgs(profile, new KnownPlugins(PLUGIN_TABLE));
}
