import type { ExtensionPoint } from '../../config/extension-points.ts';
import type { Plugin } from '../plugin.ts';

/** The plugins of a profile by extension point, in calling order. A plugin is the same object at all points. */
export interface FrameworkPlugins {
  readonly byPoint: { readonly [P in ExtensionPoint]?: readonly Plugin[] };
  /** The factor of a normalised score by plugin name, which may be negative; 1 if absent. */
  readonly scoreWeights: ReadonlyMap<string, number>;
}
