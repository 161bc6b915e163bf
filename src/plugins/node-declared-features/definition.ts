import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { NODE_DECLARED_FEATURES } from '../../framework/plugin-names.ts';
import { NodeDeclaredFeatures } from './plugin.ts';

export const nodeDeclaredFeatures: PluginDefinition = {
  name: NODE_DECLARED_FEATURES,
  points: ['preFilter', 'filter'],
  make: () => new NodeDeclaredFeatures(),
};
