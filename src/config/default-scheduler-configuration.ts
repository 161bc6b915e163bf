import { assert } from '../lib/assert.ts';
import type { SchedulerConfiguration } from './configuration.ts';
import { API_VERSION } from './decode/group-version.ts';
import { loadConfiguration } from './load-configuration.ts';

/** The configuration of kube-scheduler without a configuration file. */
export function defaultSchedulerConfiguration(): SchedulerConfiguration {
  const loaded = loadConfiguration({ apiVersion: API_VERSION, kind: 'KubeSchedulerConfiguration' });
  assert(loaded.ok, 'the defaults are valid');
  return loaded.configuration;
}
