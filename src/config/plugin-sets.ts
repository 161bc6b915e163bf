import { type Complete, type Decoded, empty, int32, list, mapped, or, string, struct } from './decode/decoder.ts';
import { EXTENSION_POINTS, type ExtensionPoint } from './extension-points.ts';
import type { PluginFacts } from './known-plugins.ts';

const plugin = struct({ name: or(string, ''), weight: or(int32, 0) });
const pluginSet = struct({
  enabled: or(list(plugin, empty(plugin)), []),
  /** May contain '*'. */
  disabled: or(
    mapped(list(plugin, empty(plugin)), (plugins) => plugins.map(({ name }): string => name)),
    [],
  ),
});

/** A plugin with its weight, 0 if none is given. */
export type EnabledPlugin = Decoded<typeof plugin>;

/** The plugins of a profile at one extension point. */
export type PluginSet = Decoded<typeof pluginSet>;

/** The plugin sets of a profile. `multiPoint` stands for every point that a plugin implements. */
export type PluginSets = Readonly<Record<ExtensionPoint | 'multiPoint', PluginSet>>;

const SET_NAMES = ['multiPoint', ...EXTENSION_POINTS] as const;

export const pluginSets = struct(
  Object.fromEntries(SET_NAMES.map((name) => [name, or(pluginSet, empty(pluginSet))])) as Record<
    keyof PluginSets,
    Complete<PluginSet>
  >,
);

/** Merges a profile's settings into the default sets: `defaults` under multiPoint, and nothing elsewhere. */
export function withDefaultSets(given: PluginSets, defaults: readonly PluginFacts[]): PluginSets {
  const multiPoint = defaults.map(({ name, defaultWeight: weight = 0 }) => ({ name, weight }));
  const sets = SET_NAMES.map((name) => {
    return [name, mergeSets(name === 'multiPoint' ? multiPoint : [], given[name])] as const;
  });
  return Object.fromEntries(sets) as PluginSets;
}

/** The names of all plugins that are enabled at any point. */
export function enabledNames(sets: PluginSets): Set<string> {
  return new Set(SET_NAMES.flatMap((name) => sets[name].enabled.map((plugin) => plugin.name)));
}

/**
 * Merges a set into the defaults. A default plugin that is named again keeps its place and takes the new weight;
 * disabled ones are removed first.
 */
function mergeSets(defaults: readonly EnabledPlugin[], { enabled, disabled }: PluginSet): PluginSet {
  // If a plugin is named twice, the last entry replaces the default one; the other entry is kept, and refused later.
  const lastIndex = new Map(enabled.map(({ name }, i) => [name, i]));
  const replacing = new Set<number>();
  const merged: EnabledPlugin[] = [];
  for (const plugin of disabled.includes('*') ? [] : defaults) {
    if (disabled.includes(plugin.name)) continue;
    const index = lastIndex.get(plugin.name);
    if (index !== undefined) replacing.add(index);
    merged.push(enabled[index ?? -1] ?? plugin);
  }
  merged.push(...enabled.filter((_, i) => !replacing.has(i)));
  return { enabled: merged, disabled };
}
