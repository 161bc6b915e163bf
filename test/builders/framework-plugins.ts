import type { Plugin } from '../../src/framework/plugin.ts';
import type { FrameworkPlugins } from '../../src/framework/runtime/framework-plugins.ts';

/** Every plugin at every point that it has a method for. */
export function atEveryPoint(plugins: readonly Plugin[], scoreWeights: ReadonlyMap<string, number>): FrameworkPlugins {
  const [preEnqueue, preFilter, filter, postFilter] = [plugins, plugins, plugins, plugins];
  const byPoint = { preEnqueue, preFilter, filter, postFilter, preScore: plugins, score: plugins, reserve: plugins };
  return { byPoint, scoreWeights };
}
