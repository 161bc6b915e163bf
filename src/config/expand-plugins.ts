import { EXTENSION_POINTS, type ExtensionPoint, interfaceName } from './extension-points.ts';
import type { KnownPlugins } from './known-plugins.ts';
import type { EnabledPlugin, PluginSets } from './plugin-sets.ts';

/** A profile cannot be built; the message is upstream's. It is caught by `readConfiguration`. */
export class BuildFailure extends Error {
  override readonly name = 'BuildFailure';
}

/**
 * The plugins at each point, in calling order: first those that are named both at the point and under multiPoint, in
 * the order of the point; then the others of multiPoint; then the others of the point (framework/runtime/framework.go).
 * Throws BuildFailure.
 */
export function expandPlugins(sets: PluginSets, known: KnownPlugins): Record<ExtensionPoint, string[]> {
  const lists = new Map(EXTENSION_POINTS.map((point) => [point, namedAtPoint(sets, point, known)]));
  for (const [point, named] of lists) {
    const { disabled } = sets[point];
    if (disabled.includes('*')) continue;
    const spread = namesAt(sets.multiPoint.enabled, point, known, (name) => {
      return known.isSpreadTo(name, point) && !named.includes(name) && !disabled.includes(name);
    });
    const everywhere = new Set(sets.multiPoint.enabled.map(({ name }) => name));
    const overrides = named.filter((name) => everywhere.has(name) && !disabled.includes(name));
    lists.set(point, [...overrides, ...spread, ...named.filter((name) => !overrides.includes(name))]);
  }
  return Object.fromEntries(lists) as Record<ExtensionPoint, string[]>;
}

/**
 * Score weights by plugin. The weight at the point takes precedence over multiPoint, and 0 means 1. Throws BuildFailure
 * when upstream's running sum of weights is negative, because its next comparison with the maximum overflows then.
 */
export function scoreWeights(
  sets: PluginSets,
  point: 'score' | 'placementScore',
  known: KnownPlugins,
): Map<string, number> {
  const weights = new Map<string, number>();
  let total = 0;
  for (const { name, weight } of [...sets[point].enabled, ...sets.multiPoint.enabled]) {
    if (!known.mayImplement(name, point) || weights.has(name)) continue;
    if (total < 0) {
      const [kind, label] = point === 'score' ? ['score', 'Score'] : ['placement score', 'PlacementScore'];
      throw new BuildFailure(`${kind} plugins: total score of ${label} plugins could overflow`);
    }
    weights.set(name, weight || 1);
    total += weight || 1;
  }
  return weights;
}

function namedAtPoint(sets: PluginSets, point: ExtensionPoint, known: KnownPlugins): string[] {
  return namesAt(sets[point].enabled, point, known, (name) => {
    if (known.mayImplement(name, point)) return true;
    throw new BuildFailure(`plugin ${JSON.stringify(name)} does not extend ${interfaceName(point)} plugin`);
  });
}

/** The names of the plugins that are meant, each once. */
function namesAt(
  plugins: readonly EnabledPlugin[],
  point: ExtensionPoint,
  known: KnownPlugins,
  isMeant: (name: string) => boolean,
): string[] {
  const names: string[] = [];
  for (const { name } of plugins) {
    if (!known.has(name)) throw new BuildFailure(`${interfaceName(point)} ${JSON.stringify(name)} does not exist`);
    if (!isMeant(name)) continue;
    if (names.includes(name)) {
      throw new BuildFailure(`plugin ${JSON.stringify(name)} already registered as "${interfaceName(point)}"`);
    }
    names.push(name);
  }
  return names;
}
