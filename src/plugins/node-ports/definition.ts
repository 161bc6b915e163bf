import type { PluginDefinition } from '../../framework/plugin-definition.ts';
import { NODE_PORTS, NodePorts } from './plugin.ts';

export const nodePorts: PluginDefinition = {
  name: NODE_PORTS,
  points: ['preFilter', 'filter'],
  make: () => new NodePorts(),
};
