import { loadConfiguration, type SchedulerConfiguration } from 'kube-berth';

/** A configuration of one profile that scores every node. */
export function readConfiguration(profile: object, extenders: readonly object[] = []): SchedulerConfiguration {
  return loadConfiguration({
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    percentageOfNodesToScore: 100,
    profiles: [profile],
    extenders,
  });
}
