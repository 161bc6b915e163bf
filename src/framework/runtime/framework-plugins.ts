import type { ExtensionPoint } from '../../config/extension-points.ts';
import type { Plugin } from '../plugin.ts';

/** The plugins of a profile: the same object at every point where a plugin is called, in calling order. */
export interface FrameworkPlugins {
  readonly byPoint: { readonly [P in ExtensionPoint]?: readonly Plugin[] };
  /** What a normalised score is multiplied with, by plugin name; may be negative. Default 1. */
  readonly scoreWeights: ReadonlyMap<string, number>;
}
