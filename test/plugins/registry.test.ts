import { describe, expect, test } from 'vitest';
import { EXTENSION_POINTS, type ExtensionPoint } from '../../src/config/extension-points.ts';
import type { Handle } from '../../src/framework/handle.ts';
import { DEFAULT_ENVIRONMENT, type PluginDefinition } from '../../src/framework/plugin-definition.ts';
import { definitionOf, PLUGIN_TABLE } from '../../src/plugins/registry.ts';
import { makeCluster } from '../builders/make-cluster.ts';

/** apis/config/v1/default_plugins.go of v1.36: names in order, and the weights that it gives. */
const UPSTREAM_DEFAULTS: readonly (readonly [string, number | undefined])[] = [
  ['SchedulingGates', undefined],
  ['PrioritySort', undefined],
  ['NodeUnschedulable', undefined],
  ['NodeName', undefined],
  ['TaintToleration', 3],
  ['NodeAffinity', 2],
  ['NodePorts', undefined],
  ['NodeResourcesFit', 1],
  ['VolumeRestrictions', undefined],
  ['NodeVolumeLimits', undefined],
  ['VolumeBinding', undefined],
  ['VolumeZone', undefined],
  ['PodTopologySpread', 2],
  ['InterPodAffinity', 2],
  ['DynamicResources', 2],
  ['DefaultPreemption', undefined],
  ['NodeResourcesBalancedAllocation', 1],
  ['ImageLocality', 1],
  ['DefaultBinder', undefined],
  ['NodeDeclaredFeatures', undefined],
];

/** The method that a plugin is called by at a point. Pod groups are not decided as groups: their points have none. */
const METHOD_AT: Readonly<Partial<Record<ExtensionPoint, string | undefined>>> = {
  ...Object.fromEntries(EXTENSION_POINTS.map((point) => [point, point])),
  queueSort: 'less',
  placementGenerate: undefined,
  placementScore: undefined,
};

/** A handle that some plugins keep; no plugin uses it before it is called. */
const UNUSED_HANDLE = new Proxy({}, {}) as Handle;

const all: readonly PluginDefinition[] = [...PLUGIN_TABLE.defaults, ...PLUGIN_TABLE.optional];
const made = all.filter(({ make }) => make !== undefined);

describe('the table of plugins', () => {
  test('has the default order and weights of upstream', () => {
    const rows = PLUGIN_TABLE.defaults.map(({ name, defaultWeight }) => [name, defaultWeight]);
    expect(rows).toEqual(UPSTREAM_DEFAULTS);
  });

  test('names every plugin once', () => {
    const names = all.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.map((name) => definitionOf(name))).toEqual(all);
    expect(definitionOf('toString')).toBeUndefined();
  });

  test('gives weights to plugins that score, and to no others', () => {
    const weighed = all.filter(({ defaultWeight }) => defaultWeight !== undefined);
    expect(weighed.filter(({ points }) => !points.includes('score'))).toEqual([]);
  });

  test.each(made.map((definition) => [definition.name, definition] as const))(
    '%s is as its definition describes it',
    (name, its) => {
      const plugin = its.make?.(makeCluster([]), its.args?.zero, UNUSED_HANDLE, DEFAULT_ENVIRONMENT);
      expect(plugin?.name).toBe(name);
      const hasMethod = (point: ExtensionPoint) => plugin !== undefined && (METHOD_AT[point] ?? '') in plugin;
      const wanted = its.points.filter((point) => METHOD_AT[point]);
      expect(EXTENSION_POINTS.filter(hasMethod).sort()).toEqual(wanted.sort());
    },
  );

  test.each(made.map((definition) => [definition.name, definition] as const))('%s needs no arguments', (name, its) => {
    expect(its.make?.(makeCluster([]), undefined, UNUSED_HANDLE, DEFAULT_ENVIRONMENT)?.name).toBe(name);
  });
});
