import { describe, expect, test } from 'vitest';
import { defaultFramework } from '../builders/default-framework.ts';
import { makeCluster } from '../builders/make-cluster.ts';

describe('the default profile', () => {
  const framework = defaultFramework(makeCluster([]));
  const names = (plugins: readonly { readonly name: string }[]): string[] => plugins.map(({ name }) => name);

  test('filters in upstream order', () => {
    expect(names(framework.filterPlugins)).toEqual([
      'NodeUnschedulable',
      'NodeName',
      'TaintToleration',
      'NodeAffinity',
      'NodePorts',
      'NodeResourcesFit',
      'VolumeRestrictions',
      'NodeVolumeLimits',
      'VolumeBinding',
      'VolumeZone',
      'PodTopologySpread',
      'InterPodAffinity',
      'DynamicResources',
      'NodeDeclaredFeatures',
    ]);
  });

  test('scores with upstream weights', () => {
    expect(framework.scorePlugins.map(({ plugin, weight }) => [plugin.name, weight])).toEqual([
      ['TaintToleration', 3],
      ['NodeAffinity', 2],
      ['NodeResourcesFit', 1],
      ['VolumeBinding', 1],
      ['PodTopologySpread', 2],
      ['InterPodAffinity', 2],
      ['DynamicResources', 2],
      ['NodeResourcesBalancedAllocation', 1],
      ['ImageLocality', 1],
    ]);
  });

  test('calls each plugin at the points that it is made for', () => {
    expect(names(framework.preEnqueuePlugins)).toEqual(['SchedulingGates', 'DynamicResources']);
    expect(names(framework.preFilterPlugins)).toEqual([
      'NodeAffinity',
      'NodePorts',
      'NodeResourcesFit',
      'VolumeRestrictions',
      'NodeVolumeLimits',
      'VolumeBinding',
      'VolumeZone',
      'PodTopologySpread',
      'InterPodAffinity',
      'DynamicResources',
      'NodeDeclaredFeatures',
    ]);
    expect(names(framework.postFilterPlugins)).toEqual(['DynamicResources', 'DefaultPreemption']);
    expect(names(framework.preScorePlugins)).toEqual([
      'TaintToleration',
      'NodeAffinity',
      'NodeResourcesFit',
      'VolumeBinding',
      'PodTopologySpread',
      'InterPodAffinity',
      'NodeResourcesBalancedAllocation',
    ]);
  });
});
