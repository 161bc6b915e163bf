import type { ExtensionPoint } from '../../config/extension-points.ts';
import type { Plugin } from '../plugin.ts';

/** The plugins of a profile: the same object at every point where a plugin is called, in calling order. */
export interface FrameworkPlugins {
  readonly byPoint: { readonly [P in ExtensionPoint]?: readonly Plugin[] };
  /** What a normalised score is multiplied with, by plugin name; may be negative. Default 1. */
  readonly scoreWeights: ReadonlyMap<string, number>;
}

/** Every plugin at every point that it has a method for. */
export function atEveryPoint(plugins: readonly Plugin[], scoreWeights: ReadonlyMap<string, number>): FrameworkPlugins {
  const [preEnqueue, preFilter, filter, postFilter] = [plugins, plugins, plugins, plugins];
  const byPoint = { preEnqueue, preFilter, filter, postFilter, preScore: plugins, score: plugins, reserve: plugins };
  return { byPoint, scoreWeights };
}
