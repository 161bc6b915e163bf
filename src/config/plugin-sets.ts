import { int32, list, string, struct } from './decode/decoder.ts';
import { EXTENSION_POINTS, type ExtensionPoint } from './extension-points.ts';
import type { PluginFacts } from './known-plugins.ts';

/** A plugin with its weight, 0 if none is given. */
export interface EnabledPlugin {
  readonly name: string;
  readonly weight: number;
}

/** The plugins of a profile at one extension point. `disabled` may contain '*'. */
export interface PluginSet {
  readonly enabled: readonly EnabledPlugin[];
  readonly disabled: readonly string[];
}

/** The plugin sets of a profile. `multiPoint` stands for every point that a plugin implements. */
export type PluginSets = Readonly<Record<ExtensionPoint | 'multiPoint', PluginSet>>;

const SET_NAMES = ['multiPoint', ...EXTENSION_POINTS] as const;

const plugins = list(struct({ name: string, weight: int32 }), {});
const pluginSet = struct({ enabled: plugins, disabled: plugins });

export const pluginSets = struct(
  Object.fromEntries(SET_NAMES.map((name) => [name, pluginSet])) as Record<keyof PluginSets, typeof pluginSet>,
);

type GivenSets = NonNullable<ReturnType<typeof pluginSets>>;

/** Merges a profile's settings into the default sets: `defaults` under multiPoint, and nothing elsewhere. */
export function withDefaultSets(given: GivenSets | undefined, defaults: readonly PluginFacts[]): PluginSets {
  const multiPoint = defaults.map(({ name, defaultWeight: weight = 0 }) => ({ name, weight }));
  const sets = SET_NAMES.map((name) => {
    return [name, mergeSets(name === 'multiPoint' ? multiPoint : [], complete(given?.[name]))] as const;
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

function complete(given: GivenSets[keyof GivenSets]): PluginSet {
  const { enabled = [], disabled = [] } = given ?? {};
  return {
    enabled: enabled.map(({ name = '', weight = 0 }) => ({ name, weight })),
    disabled: disabled.map(({ name = '' }) => name),
  };
}
