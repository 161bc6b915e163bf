import { checkConfiguration, type SchedulerConfiguration } from '../../src/index.ts';

/** A configuration with these fields, which must be good ones. */
export function configured(fields: object): SchedulerConfiguration {
  const loaded = checkConfiguration({
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    ...fields,
  });
  if (!loaded.ok) throw new Error(loaded.errors[0]?.message);
  return loaded.configuration;
}
